import { daysLeft } from '#core/expiry.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { Verdict } from '#core/results/result.ts'
import type { Net } from '#net/net.ts'
import type { PeerCertificate } from '#net/tls/certificate.ts'
import type { TlsProbeOutcome, TlsSight } from '#net/tls/tls-probe.ts'
import { certificateEnd } from '#kinds/certificate-end.ts'
import { inDaysOn, isWithinDays } from '#kinds/days.ts'
import { hostTarget, hostTargetProblem } from '#kinds/host-target.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import { type SslOptions, sslOptions } from './ssl-options.ts'
import type { ReadStaple } from './stapled-ocsp.ts'
import { weaknessesOf } from './weak-parameters.ts'

const usualPort = 443

/** What of a server is looked at only where an option asks for it; null where none does. */
type Further = {
  /** The newest version of TLS that it agreed to among those that are too old; null where it agreed to none. */
  older: { agreed: string | null } | { unknown: string } | null
  staple: ReadStaple | 'none' | null
}

export type SslObservation = { outcome: TlsProbeOutcome; host: string; now: Date } & Further

/** The certificate that a server shows: trusted, for this host and further from its end than `warn_days`. */
export const ssl = defineKind<SslOptions, SslObservation>({
  name: 'ssl',
  options: sslOptions,
  secretOptions: [],
  targetProblem: hostTargetProblem,
  observe,
  judge: judgeSsl,
})

async function observe(check: Check<SslOptions>, net: Net, signal: AbortSignal): Promise<SslObservation> {
  const { host, port } = hostTarget(check.url, usualPort)
  const { timeoutMs, options } = check
  const { min_protocol: least, stapled_ocsp: stapling } = options
  const target = { host, port, timeoutMs }
  const outcome = await net.tls({ ...target, asksStaple: stapling !== undefined }, signal)
  const now = new Date()
  const hasTrusted = outcome.ok && outcome.sight.problem === null
  const older = least === undefined || !hasTrusted ? null : await askOlder(net, { ...target, least }, signal)
  const staple = stapling === undefined || !outcome.ok ? null : await stapleOf(outcome.sight, now)
  return { outcome, host, now, older, staple }
}

/** What OpenSSL may speak beneath each version. */
const tooOld = { 'TLSv1.2': 'TLSv1.1', 'TLSv1.3': 'TLSv1.2' } as const

type Older = { host: string; port: number; timeoutMs: number; least: NonNullable<SslOptions['min_protocol']> }

/** A second handshake, in which only versions are offered that are too old. */
async function askOlder(net: Net, { least, ...target }: Older, signal: AbortSignal): Promise<Further['older']> {
  const outcome = await net.tls({ ...target, offers: { oldest: 'TLSv1', newest: tooOld[least] } }, signal)
  if (outcome.ok) return { agreed: outcome.sight.session.protocol }
  const { phase, code, message } = outcome.failure
  return phase === 'tls' && code !== 'timed_out' ? { agreed: null } : { unknown: message }
}

async function stapleOf({ staple, chain }: TlsSight, now: Date): Promise<Further['staple']> {
  if (staple === null) return 'none'
  const { readStaple } = await import('./stapled-ocsp.ts')
  return readStaple(staple, chain, now)
}

export function judgeSsl({ outcome, host, now, older, staple }: SslObservation, check: Check<SslOptions>): Verdict {
  const { phases, latencyMs } = outcome
  const base = { statusCode: null, phases }
  if (!outcome.ok) return { ...base, status: 'down', latencyMs: null, error: outcome.failure.message, details: {} }
  const { sight } = outcome
  const found = { sight, host, now, older, staple }
  const error = problemOf(sight, { host, now, warnDays: check.options.warn_days }) ?? faultOf(found, check.options)
  const warning = error === null ? warningOf(found, check.options) : null
  const { certificate } = sight.session
  const expiry = certificate === null ? {} : { expiry: { certificate: certificateEnd(certificate, host) } }
  const status = error !== null ? 'down' : warning !== null ? 'degraded' : 'up'
  const details = { ...detailsOf(sight, now), ...furtherDetails({ older, staple }) }
  return { ...base, status, latencyMs, error: error ?? warning, details, ...expiry }
}

type Found = { sight: TlsSight; host: string; now: Date } & Further

function faultOf({ sight, host, older, staple }: Found, options: SslOptions): string | null {
  if (staple === 'none') {
    if (options.stapled_ocsp === 'required') return `${host} sends no stapled OCSP response`
  } else if (staple !== null) {
    if (staple.problem !== null) return staple.problem
    const { status, revoked_at: revokedAt } = staple.word
    if (status === 'revoked')
      return `The certificate of ${host} was revoked by its issuer on ${(revokedAt ?? '').slice(0, 10)} (OCSP)`
    if (status === 'unknown') return `The issuer of the certificate of ${host} does not know it (OCSP)`
  }
  if (older !== null && 'agreed' in older && older.agreed !== null)
    return `${host} agrees to ${older.agreed}, which is older than ${options.min_protocol}`
  return options.weak_parameters === 'down' ? weaknessOf(sight) : null
}

function warningOf({ sight, now }: Found, options: SslOptions): string | null {
  const weakness = options.weak_parameters === 'degraded' ? weaknessOf(sight) : null
  if (weakness !== null || options.chain_warn_days === undefined) return weakness
  for (const link of sight.chain.slice(1)) {
    const notAfter = new Date(link.notAfter)
    if (!link.isSelfIssued && isWithinDays(notAfter, options.chain_warn_days, now))
      return `The issuing certificate ${link.subject} expires ${inDaysOn(notAfter, now)}`
  }
  return null
}

const weaknessesTold = 3

function weaknessOf(sight: TlsSight): string | null {
  const found = weaknessesOf(sight)
  if (found.length === 0) return null
  const more = found.length - weaknessesTold
  return `Weak: ${found.slice(0, weaknessesTold).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

/**
 * Without an option only the server's own certificate is watched for its end: an issuing one that ends sooner is either refused by the
 * check of the chain or an old cross-signed one that no chain needs any more.
 */
function problemOf(
  { problem, session: { certificate } }: TlsSight,
  { host, now, warnDays }: { host: string; now: Date; warnDays: number | undefined },
): string | null {
  if (problem !== null) return problem.message
  if (certificate === null) return `The certificate of ${host} cannot be read`
  const notAfter = new Date(certificate.notAfter)
  if (!isWithinDays(notAfter, warnDays ?? usualWarnDays(certificate), now)) return null
  return `The certificate of ${host} expires ${inDaysOn(notAfter, now)}`
}

const maxUsualWarnDays = 14

/**
 * A sixth of the lifetime: renewal has usually happened by then (docs/decisions/alerts-and-contacts.md, "When a
 * certificate alerts").
 */
function usualWarnDays({ notBefore, notAfter }: PeerCertificate): number {
  const lifetimeDays = (Date.parse(notAfter) - Date.parse(notBefore)) / dayMs
  return Math.min(maxUsualWarnDays, lifetimeDays / 6)
}

const namesShown = 20
const chainShown = 10

function furtherDetails({ older, staple }: Further): Record<string, unknown> {
  return {
    ...(older === null ? {} : { older_protocol: 'agreed' in older ? older.agreed : 'unknown' }),
    ...(staple === null ? {} : { ocsp: staple === 'none' ? 'none' : (staple.word ?? 'not valid') }),
  }
}

function detailsOf(
  { session: { protocol, cipher, certificate }, chain, agreement }: TlsSight,
  now: Date,
): Record<string, unknown> {
  if (certificate === null) return { protocol }
  const { issuer, subject, names, notBefore, notAfter, fingerprint256 } = certificate
  return {
    issuer,
    subject,
    names: names.slice(0, namesShown),
    not_before: notBefore,
    not_after: notAfter,
    days_left: daysLeft(new Date(notAfter), now),
    fingerprint_sha256: fingerprint256,
    protocol,
    cipher,
    key_exchange: agreement?.name ?? null,
    chain: chain.slice(0, chainShown).map((link) => ({
      subject: link.subject,
      issuer: link.issuer,
      not_after: link.notAfter,
      days_left: daysLeft(new Date(link.notAfter), now),
      key: link.keyType === null ? null : [link.keyType, link.keyBits ?? ''].join(' ').trim(),
      signature: link.signature,
    })),
  }
}
