import { z } from 'zod'
import { daysLeft } from '#core/expiry.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { Verdict } from '#core/results/result.ts'
import type { PeerCertificate } from '#net/tls/certificate.ts'
import type { TlsProbeOutcome, TlsSight } from '#net/tls/tls-probe.ts'
import { certificateEnd } from './certificate-end.ts'
import { inDaysOn, isWithinDays } from './days.ts'
import { hostTarget, hostTargetProblem } from './host-target.ts'
import { type Check, defineKind } from './kind.ts'

const usualPort = 443

const options = z
  .strictObject({
    warn_days: z
      .int()
      .min(1)
      .max(365)
      .optional()
      .describe(
        'Down this many days before the certificate expires. Default: a sixth of its lifetime, at most 14 days, by when automatic renewal should have happened.',
      ),
  })
  .describe('The certificate that a server shows: trusted, for this host and not about to expire.')
type SslOptions = z.infer<typeof options>

export type SslObservation = { outcome: TlsProbeOutcome; host: string; now: Date }

/** The certificate that a server shows: trusted, for this host and further from its end than `warn_days`. */
export const ssl = defineKind<SslOptions, SslObservation>({
  name: 'ssl',
  options,
  secretOptions: [],
  targetProblem: hostTargetProblem,
  observe: async (check, net, signal) => {
    const { host, port } = hostTarget(check.url, usualPort)
    const outcome = await net.tls({ host, port, timeoutMs: check.timeoutMs }, signal)
    return { outcome, host, now: new Date() }
  },
  judge: judgeSsl,
})

export function judgeSsl({ outcome, host, now }: SslObservation, check: Check<SslOptions>): Verdict {
  const { phases, latencyMs } = outcome
  const base = { statusCode: null, phases }
  if (!outcome.ok) return { ...base, status: 'down', latencyMs: null, error: outcome.failure.message, details: {} }
  const { sight } = outcome
  const error = problemOf(sight, { host, now, warnDays: check.options.warn_days })
  const { certificate } = sight.session
  const expiry = certificate === null ? {} : { expiry: { certificate: certificateEnd(certificate, host) } }
  const details = detailsOf(sight, now)
  return { ...base, status: error === null ? 'up' : 'down', latencyMs, error, details, ...expiry }
}

/**
 * Only the server's own certificate is watched for its end: an issuing one that ends sooner is either refused by the
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

function detailsOf({ session: { protocol, certificate }, chain }: TlsSight, now: Date): Record<string, unknown> {
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
    chain: chain.slice(0, chainShown).map((link) => ({
      subject: link.subject,
      issuer: link.issuer,
      not_after: link.notAfter,
    })),
  }
}
