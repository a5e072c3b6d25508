import { z } from 'zod'
import { daysLeft } from '#core/expiry.ts'
import { type Phases, noPhases, type Verdict } from '#core/results/result.ts'
import { daysAgo, inDaysOn, isWithinDays } from '#kinds/days.ts'
import { domainTarget, domainTargetProblem } from '#kinds/dns/domain-target.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import { perNet } from '#kinds/per-net.ts'
import { registrableDomain } from '#kinds/dns/registrable-domain.ts'
import type { Registration } from './registration.ts'
import { createRegistrationSource } from './registration-source.ts'
import { createRegistrations, type Finding, type Known } from './registrations.ts'

const usualWarnDays = 30

const options = z
  .strictObject({
    warn_days: z
      .int()
      .min(1)
      .max(365)
      .optional()
      .describe(`Down this many days before the registration expires. Default ${usualWarnDays}.`)
      .meta({ default: usualWarnDays }),
  })
  .describe('The registration of a domain: there, in force and not about to expire.')
type DomainOptions = z.infer<typeof options>

export type DomainObservation = {
  name: string
  /** Null where the name is a public suffix, below which domains are registered. */
  domain: string | null
  finding: Finding
  now: Date
}

const sharedRegistrations = perNet((net) => createRegistrations(createRegistrationSource(net), () => new Date()))

/** The registration of a domain: there, in force and further from its end than `warn_days`. */
export const domain = defineKind<DomainOptions, DomainObservation>({
  name: 'domain',
  options,
  secretOptions: [],
  targetProblem: (url) =>
    domainTargetProblem(url) ?? (domainTarget(url).includes('.') ? null : 'Must have a dot in it, as example.com has.'),
  observe: async (check, net, signal) => {
    const name = domainTarget(check.url)
    const registrable = await registrableDomain(name)
    const finding: Finding =
      registrable === null ? { ok: false, problem: null } : await sharedRegistrations(net).find(registrable, signal)
    return { name, domain: registrable, finding, now: new Date() }
  },
  judge: judgeDomain,
})

export function judgeDomain(observation: DomainObservation, check: Check<DomainOptions>): Verdict {
  const { name, domain: registrable, finding, now } = observation
  const base: { statusCode: null; phases: Phases } = { statusCode: null, phases: noPhases }
  if (registrable === null) {
    const error = `${name} is not a registered domain but a suffix that domains are registered under`
    return { ...base, status: 'down', latencyMs: null, error, details: {} }
  }
  if (!finding.ok) {
    const error = unreadText(registrable, finding.problem, check.timeoutMs)
    return { ...base, status: 'degraded', latencyMs: null, error, details: { domain: registrable } }
  }
  const { known, latencyMs } = finding
  const warnDays = check.options.warn_days ?? usualWarnDays
  const error = problemOf(known.registration, { domain: registrable, warnDays, now })
  const status = error === null ? 'up' : 'down'
  const { isRegistered, expiresAt } = known.registration
  const expiry = isRegistered ? { expiry: { domain: { name: registrable, expiresAt } } } : {}
  return { ...base, status, latencyMs, error, details: detailsOf(known, registrable, now), ...expiry }
}

/** A registry that does not answer says nothing about the domain, so this is no outage. */
function unreadText(name: string, problem: string | null, timeoutMs: number): string {
  if (problem !== null) return `The registration of ${name} could not be read: ${problem}`
  return `Timed out after ${timeoutMs} ms while reading the registration of ${name}`
}

const holds = new Set(['client hold', 'server hold'])
const endings = new Set(['redemption period', 'pending delete'])

function problemOf(
  { isRegistered, expiresAt, statuses }: Registration,
  { domain: name, warnDays, now }: { domain: string; warnDays: number; now: Date },
): string | null {
  if (!isRegistered) return `The domain ${name} is not registered`
  const ending = statuses.find((status) => endings.has(status))
  if (ending !== undefined) return `The registration of ${name} has expired and the domain is being deleted (${ending})`
  const end = expiresAt === null ? null : new Date(expiresAt)
  if (end !== null && end.getTime() <= now.getTime()) return `The registration of ${name} expired ${daysAgo(end, now)}`
  const hold = statuses.find((status) => holds.has(status))
  if (hold !== undefined) return `The domain ${name} was taken out of the DNS by its registrar or registry (${hold})`
  if (end === null || !isWithinDays(end, warnDays, now)) return null
  return `The registration of ${name} expires ${inDaysOn(end, now)}`
}

function detailsOf({ registration, source, server, readAt }: Known, name: string, now: Date): Record<string, unknown> {
  const { expiresAt, registrar, statuses, isRegistered } = registration
  const from = { source, server, read_at: readAt.toISOString() }
  if (!isRegistered) return { domain: name, ...from }
  const days = expiresAt === null ? null : daysLeft(new Date(expiresAt), now)
  const expiry = { expires_at: expiresAt, days_left: days, ...(expiresAt === null ? { expiry: 'not published' } : {}) }
  return { domain: name, registrar, ...expiry, statuses, ...from }
}
