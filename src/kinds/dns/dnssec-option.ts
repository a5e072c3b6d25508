import { z } from 'zod'
import { type Security, validate } from '#kinds/dnssec/validate.ts'
import { isBeneath, isSameName, nameOf } from '#kinds/dnssec/dns-names.ts'
import type { AskSigned } from '#kinds/dnssec/course.ts'
import { types, typeOf } from '#kinds/dnssec/record-sets.ts'
import { algorithmName } from '#kinds/dnssec/algorithms.ts'
import { inDaysOn, isWithinDays } from '#kinds/days.ts'
import type { DnsAnswer } from '#net/dns/dns-record.ts'
import type { DnsName, SignedSections } from '#net/dns/signed-record.ts'
import type { Net } from '#net/net.ts'

export const dnssecOptions = {
  dnssec: z
    .enum(['required'])
    .optional()
    .describe(
      'With `required`, down unless the answer is signed and its signatures hold from the root of the DNS on, which the check looks at itself. Default: signatures are not looked at.',
    ),
  signature_warn_days: z
    .int()
    .min(1)
    .max(365)
    .optional()
    .describe(
      'Degraded this many days before the first of the signatures expires that the answer depends on. Default: only their end counts.',
    ),
}
export type DnssecOptions = { dnssec?: 'required' | undefined; signature_warn_days?: number | undefined }

/** Says the same to readers of the JSON Schema. */
export const warningNeedsDnssec = { dependentRequired: { signature_warn_days: ['dnssec'] } }
export const needsDnssec = {
  path: ['signature_warn_days'],
  message: 'Needs `dnssec`, without which signatures are not looked at.',
}

export function hasDnssecForWarning({ dnssec, signature_warn_days: days }: DnssecOptions): boolean {
  return days === undefined || dnssec !== undefined
}

export type Asked = { name: string; type: string; timeoutMs: number; server: string | undefined }

/** Null where the answer is none that signatures belong to. */
export async function securityOf(
  answer: DnsAnswer,
  { name, type, timeoutMs, server }: Asked,
  { net, signal, startedAt }: { net: Net; signal: AbortSignal; startedAt: number },
): Promise<Security | null> {
  const { rcode, signed: sections } = answer
  if (sections === undefined || (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN')) return null
  return validate({
    name: nameOf(name),
    type: typeOf(type),
    isNameDenied: rcode === 'NXDOMAIN',
    sections,
    anchors: net.rootAnchors,
    ask: askOf(net, { timeoutMs, server, startedAt, signal }),
    now: new Date(),
  })
}

type Reply = Awaited<ReturnType<AskSigned>>
type Asking = { timeoutMs: number; server: string | undefined; startedAt: number; signal: AbortSignal }

/**
 * A name server that a monitor names may know nothing but its own zones: of the zones above it knows neither keys nor
 * digests, for which those of the location are asked. Signatures prove the same whoever hands them on.
 */
function askOf(net: Net, asking: Asking): AskSigned {
  return async (name, type) => {
    if (asking.server === undefined) return askOnce(net, { ...asking, name, type })
    const own = await askOnce(net, { ...asking, name, type })
    if (own.ok && isOfUse(own.sections, name, type)) return own
    const other = await askOnce(net, { ...asking, server: undefined, name, type })
    return other.ok || !own.ok ? other : own
  }
}

function isOfUse({ answers, authorities }: SignedSections, name: DnsName, type: 'DNSKEY' | 'DS'): boolean {
  const wanted = type === 'DS' ? [types.DS, types.CNAME] : [types.DNSKEY]
  if (answers.some((record) => wanted.some((each) => each === record.type) && isSameName(record.owner, name)))
    return true
  const isFromAbove = ({ value }: SignedSections['authorities'][number]): boolean =>
    value.is === 'signature' && isBeneath(name, value.signer)
  return type === 'DS' && authorities.some(isFromAbove)
}

type Question = Asking & { name: DnsName; type: 'DNSKEY' | 'DS' }

async function askOnce(net: Net, { name, type, server, signal, ...time }: Question): Promise<Reply> {
  const leftMs = Math.max(1, Math.ceil(time.timeoutMs - (performance.now() - time.startedAt)))
  const text = name.length === 0 ? '.' : name.join('.')
  const outcome = await net.dns({ name: text, type, isSigned: true, timeoutMs: leftMs, server }, signal)
  if (!outcome.ok) {
    const { code, message } = outcome.failure
    return { ok: false, problem: code === 'timed_out' ? `timed out after ${time.timeoutMs} ms` : message }
  }
  const { rcode, signed } = outcome.answer
  const isAnswer = rcode === 'NOERROR' || rcode === 'NXDOMAIN'
  return isAnswer && signed !== undefined
    ? { ok: true, sections: signed }
    : { ok: false, problem: `the name server answers ${rcode}` }
}

const words = { unsigned: 'insecure', bogus: 'bogus', unread: 'indeterminate', unjudged: 'indeterminate' } as const

/** `dnssec` in the words of RFC 4035 4.3. */
export function securityDetails(security: Security | null): Record<string, unknown> {
  if (security === null) return {}
  if (security.is !== 'secure') return { dnssec: words[security.is] }
  const ends = security.used.map((each) => each.ends.getTime())
  const algorithms = new Set(security.used.map(({ algorithm }) => algorithmName(algorithm)))
  return {
    dnssec: 'secure',
    signatures_end: new Date(Math.min(...ends)).toISOString(),
    algorithms: [...algorithms].toSorted(),
  }
}

/** The signature that ends first, where that is within the days of the option. */
export function endingSignature(security: Security | null, days: number | undefined, now: Date): string | null {
  if (days === undefined || security?.is !== 'secure') return null
  const [first] = security.used.toSorted((one, other) => one.ends.getTime() - other.ends.getTime())
  if (first === undefined || !isWithinDays(first.ends, days, now)) return null
  return `The signature of ${first.text} expires ${inDaysOn(first.ends, now)}`
}
