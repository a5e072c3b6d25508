// Which monitors one may depend on, as far as what is known of them says (docs/dependencies.md).
import { z } from 'zod'
import { parseHostPort } from '#core/language/host-port.ts'
import { leadsEverywhere } from '#core/language/ip-address.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { type KindName, kindNames } from './kind-traits.ts'

/** Proposals for one monitor, at most. */
const maxProposals = 10
export const proposalDays = 90
/** Outages that began so close to each other count as one event. */
const togetherMs = 120_000
/** Two outages may begin together by chance. */
const leastTogether = 2
const leastShare = 0.5

const evidenceSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('host'), message: z.string(), host: z.string() }),
  z.strictObject({ type: z.literal('address'), message: z.string(), address: z.string() }),
  z.strictObject({
    type: z.literal('certificate'),
    message: z.string(),
    issuer: z.string(),
    expires_at: z.iso.datetime(),
  }),
  z.strictObject({ type: z.literal('outages'), message: z.string(), together: z.int(), total: z.int() }),
])
type Evidence = z.infer<typeof evidenceSchema>

export const parentProposalSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(kindNames),
  evidence: z.array(evidenceSchema).min(1).describe('What speaks for it; `message` says it in words.'),
})
export type ParentProposal = z.infer<typeof parentProposalSchema>

/** An address at which a location reached a target lately, as `plainAddress` spells it. */
export type ReachedAddress = { location: string; address: string }

/** Of the last 90 days, in milliseconds since 1970; `endMs` is null while it lasts. */
export type Outage = { startMs: number; endMs: number | null }

export type ProposalMonitor = {
  id: string
  name: string
  kind: KindName
  url: string | null
  parentIds: readonly string[]
  /** The one that its checks see. */
  certificate: { issuer: string; expiresAt: string } | null
  /** Those that are to be compared, the one that was seen last first. */
  addresses: readonly ReachedAddress[]
  outages: readonly Outage[]
}

/** What speaks most for it comes first, of equals what asks least. */
export function proposeParents(of: ProposalMonitor, others: readonly ProposalMonitor[]): ParentProposal[] {
  const dependants = dependantsOf(of.id, others)
  const possible = others.filter(
    ({ id, kind }) => id !== of.id && kind !== 'group' && !dependants.has(id) && !of.parentIds.includes(id),
  )
  return possible
    .map((other) => ({ id: other.id, name: other.name, kind: other.kind, evidence: evidenceFor(of, other) }))
    .filter(({ evidence }) => evidence.length > 0)
    .toSorted(
      (a, b) =>
        weightOf(b) - weightOf(a) ||
        depthOf(a.kind) - depthOf(b.kind) ||
        a.name.localeCompare(b.name) ||
        a.id.localeCompare(b.id),
    )
    .slice(0, maxProposals)
}

/** The host of a target, in lower case; null where it has none. */
export function hostOfTarget(url: string | null): string | null {
  if (url === null) return null
  const parsed = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? URL.parse(url)?.hostname : parseHostPort(url)?.host
  return parsed === undefined || parsed === '' ? null : parsed.toLowerCase()
}

/** All that depend on it, directly or by way of others: as its parents they would close a circle. */
function dependantsOf(id: string, others: readonly ProposalMonitor[]): Set<string> {
  const found = new Set([id])
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const other of others) if (other.parentIds.some((parentId) => found.has(parentId))) found.add(other.id)
  }
  return found
}

const simpleKinds: readonly KindName[] = ['ping', 'tcp', 'ssl']

/** How near a kind is to the machine: what asks less of a host can be up where what asks more is not. */
function depthOf(kind: KindName): number {
  const place = simpleKinds.indexOf(kind)
  return place === -1 ? simpleKinds.length : place
}

function evidenceFor(of: ProposalMonitor, other: ProposalMonitor): Evidence[] {
  const outages = outageEvidence(of, other)
  // Of two monitors that ask the same of a host neither stands behind the other.
  const isBelow = depthOf(other.kind) < depthOf(of.kind)
  if (!isBelow && outages.length === 0) return []
  const host = hostEvidence(of, other)
  // That one name leads to one address says no more than the name.
  const place = host.length > 0 ? host : addressEvidence(of, other)
  return [...place, ...certificateEvidence(of, other), ...outages]
}

function hostEvidence(of: ProposalMonitor, other: ProposalMonitor): Evidence[] {
  const host = hostOfTarget(of.url)
  if (host === null || host !== hostOfTarget(other.url)) return []
  return [{ type: 'host', message: `Both check ${host}.`, host }]
}

/** An address of a private network is another machine at each location. */
function addressEvidence(of: ProposalMonitor, other: ProposalMonitor): Evidence[] {
  const shared = of.addresses.find((own) =>
    other.addresses.some(
      ({ location, address }) => address === own.address && (location === own.location || leadsEverywhere(own.address)),
    ),
  )
  if (shared === undefined) return []
  const { address } = shared
  return [{ type: 'address', message: `Both were reached at ${address}.`, address }]
}

function certificateEvidence({ certificate: own }: ProposalMonitor, { certificate }: ProposalMonitor): Evidence[] {
  if (own === null || certificate === null) return []
  const { issuer, expiresAt } = own
  if (issuer !== certificate.issuer || expiresAt !== certificate.expiresAt) return []
  const day = expiresAt.slice(0, 10)
  const message = `Both see a certificate by ${issuer} that expires on ${day}.`
  return [{ type: 'certificate', message, issuer, expires_at: expiresAt }]
}

/** Most outages of both have to be of one event, and those of the other have to come first. */
function outageEvidence(of: ProposalMonitor, other: ProposalMonitor): Evidence[] {
  const pairs = of.outages.flatMap((own) => {
    const cause = other.outages.find((outage) => isTogether(own, outage))
    return cause === undefined ? [] : [{ own, cause }]
  })
  const together = pairs.length
  const total = of.outages.length
  if (together < leastTogether || together < total * leastShare) return []
  if (new Set(pairs.map(({ cause }) => cause)).size < other.outages.length * leastShare) return []
  const earlier = pairs.filter(({ own, cause }) => cause.startMs < own.startMs).length
  const later = pairs.filter(({ own, cause }) => cause.startMs > own.startMs).length
  const isFirst = depthOf(other.kind) < depthOf(of.kind) ? earlier >= later : earlier > later
  if (!isFirst) return []
  const message = `${together} of its ${total} outages of the last ${proposalDays} days began while ${other.name} was down, or within 2 minutes of that.`
  return [{ type: 'outages', message, together, total }]
}

function isTogether({ startMs }: Outage, other: Outage): boolean {
  return other.startMs <= startMs + togetherMs && (other.endMs ?? Infinity) >= startMs - togetherMs
}

function weightOf({ evidence }: ParentProposal): number {
  return evidence.reduce((sum, one) => sum + (one.type === 'outages' ? 1 + one.together / one.total : 1), 0)
}

/** From when on outages count. */
export function proposalsSince(now: Date): Date {
  return new Date(now.getTime() - proposalDays * dayMs)
}
