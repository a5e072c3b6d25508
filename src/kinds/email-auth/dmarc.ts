import type { Ask } from '#kinds/dns/ask-dns.ts'
import { findRecords } from '#kinds/dns/dns-records.ts'
import { registrableDomain } from '#kinds/dns/registrable-domain.ts'
import type { AuthProblem } from './spf.ts'
import { parseTagList } from './tag-list.ts'

/** From the weakest to the strongest. */
export const dmarcPolicies = ['none', 'quarantine', 'reject'] as const
export type DmarcPolicy = (typeof dmarcPolicies)[number]

export type DmarcReport = {
  policy: DmarcPolicy | null
  /** The domain whose record holds; null without one. */
  source: string | null
  problem: AuthProblem | null
}

/**
 * Finds the policy that holds for mail from a domain: its own record, else the one of the organisation's domain.
 * RFC 7489 6.6.3.
 */
export async function auditDmarc(domain: string, ask: Ask): Promise<DmarcReport> {
  const own = await readRecords(domain, ask)
  const organisation = own.ok && own.records.length === 0 ? await registrableDomain(domain) : null
  const isOwn = organisation === null || organisation === domain
  const found = isOwn ? own : await readRecords(organisation, ask)
  if (!found.ok) return without(`DMARC could not be looked up: ${found.problem}`)
  const source = isOwn ? domain : organisation
  const [record, second] = found.records
  if (record === undefined) return without(missingText(domain, source))
  if (second !== undefined) return without(`DMARC is invalid: _dmarc.${source} has two DMARC records`)
  const { policy, isPartial } = parseDmarc(record, isOwn)
  if (policy === null) return without(`DMARC is invalid: the record of _dmarc.${source} names no policy`)
  const text = `DMARC policy ${policy} holds for a part of the mail only (pct or t)`
  const isWeakened = isPartial && policy !== 'none'
  return { policy, source, problem: isWeakened ? { severity: 'degraded', text } : null }
}

type Read = { ok: true; records: string[] } | { ok: false; problem: string }

async function readRecords(domain: string, ask: Ask): Promise<Read> {
  const name = `_dmarc.${domain}`
  const asked = await ask(name, 'TXT')
  if (!asked.ok) return asked
  const texts = findRecords(asked.answer, name, 'TXT').records.map(({ text }) => text)
  return { ok: true, records: texts.filter(isDmarc) }
}

function isDmarc(text: string): boolean {
  return /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text)
}

/**
 * The policy of a record that `isDmarc`: for the domain itself (`p`) or for a subdomain without a record (`sp`, else
 * `p`). One that is missing or wrong counts as none where reports are asked for (RFC 7489 6.6.3, step 6).
 */
export function parseDmarc(text: string, isOwn: boolean): { policy: DmarcPolicy | null; isPartial: boolean } {
  const tags = parseTagList(text)
  if (tags === null) return { policy: null, isPartial: false }
  const wanted = (isOwn ? undefined : tags.get('sp')) ?? tags.get('p')
  const policy = dmarcPolicies.find((each) => each === wanted?.toLowerCase())
  const percent = tags.get('pct') ?? '100'
  const isPartial = (/^\d{1,3}$/.test(percent) && Number(percent) < 100) || tags.get('t')?.toLowerCase() === 'y'
  return { policy: policy ?? (/^mailto:./i.test(tags.get('rua') ?? '') ? 'none' : null), isPartial }
}

function missingText(domain: string, source: string): string {
  const also = source === domain ? '' : ` and _dmarc.${source}`
  return `DMARC is missing: there is no v=DMARC1 record at _dmarc.${domain}${also}`
}

function without(text: string): DmarcReport {
  return { policy: null, source: null, problem: { severity: 'down', text } }
}
