import { daysLeft, daysText } from '#core/expiry.ts'
import type { KindName } from '#core/monitors/kind-traits.ts'
import type { Phases, Verdict } from '#core/results/result.ts'
import type { Redirect } from '#net/http/http-request.ts'
import type { TlsSession } from '#net/tls/tls.ts'
import type { PeerCertificate } from '#net/tls/certificate.ts'
import { type Paint, styleOf } from './terminal/paint.ts'

/** What was seen of the connection, beside the verdict. */
export type Seen = { address: string | null; redirects: Redirect[]; tls: TlsSession | null }

export type Report = { target: string; kind: KindName; verdict: Verdict; seen: Seen }

/** Without a paint it has no colours. */
export function reportInWords(report: Report, now: Date, paint: Paint = (_, text) => text): string {
  const { verdict, seen } = report
  const blocks = [
    [
      `${report.target} (${report.kind})`,
      `  ${paint(styleOf(verdict.status), verdict.status)}${headline(verdict, seen)}`,
      ...(verdict.error === null ? [] : [`  ${verdict.error}`]),
    ],
    phaseLines(verdict.phases),
    seen.redirects.map(({ status, url }) => `  ${status} to ${url}`),
    seen.tls === null ? [] : tlsLines(seen.tls, now),
  ]
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

export function reportInJson({ target, kind, verdict, seen }: Report): Record<string, unknown> {
  const { phases, details, status, error } = verdict
  const certificate = seen.tls?.certificate
  return {
    target,
    kind,
    status,
    status_code: verdict.statusCode,
    latency_ms: verdict.latencyMs,
    error,
    phases: {
      dns_ms: phases.dnsMs,
      connect_ms: phases.connectMs,
      tls_ms: phases.tlsMs,
      ttfb_ms: phases.ttfbMs,
      transfer_ms: phases.transferMs,
    },
    details,
    address: seen.address,
    redirects: seen.redirects,
    tls: seen.tls === null ? null : { protocol: seen.tls.protocol, cipher: seen.tls.cipher },
    certificate:
      certificate === undefined || certificate === null
        ? null
        : {
            subject: certificate.subject,
            issuer: certificate.issuer,
            names: certificate.names,
            not_before: certificate.notBefore,
            not_after: certificate.notAfter,
            serial: certificate.serial,
            fingerprint_sha256: certificate.fingerprint256,
          },
  }
}

/** What follows the state. */
function headline({ statusCode, latencyMs }: Verdict, { address }: Seen): string {
  const parts = [
    ...(statusCode === null ? [] : [`HTTP status ${statusCode}`]),
    ...(latencyMs === null ? [] : [`${latencyMs} ms`]),
    ...(address === null ? [] : [address]),
  ]
  return parts.map((part) => `, ${part}`).join('')
}

const phaseNames = [
  ['dnsMs', 'name look-up'],
  ['connectMs', 'connection'],
  ['tlsMs', 'TLS handshake'],
  ['ttfbMs', 'first answer'],
  ['transferMs', 'transfer'],
] as const

function phaseLines(phases: Phases): string[] {
  return phaseNames.flatMap(([phase, name]) => {
    const ms = phases[phase]
    return ms === null ? [] : [`  ${name.padEnd(14)}${String(ms).padStart(6)} ms`]
  })
}

function tlsLines({ protocol, cipher, certificate }: TlsSession, now: Date): string[] {
  const first = `  ${protocol}, ${cipher}`
  return certificate === null ? [first] : [first, ...certificateLines(certificate, now)]
}

const namesShown = 10

function certificateLines({ subject, issuer, names, notAfter }: PeerCertificate, now: Date): string[] {
  const left = daysText(daysLeft(new Date(notAfter), now))
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : ''
  return [
    `  certificate of ${subject}, issued by ${issuer}`,
    `  valid until ${notAfter.slice(0, 10)} (${left} left)`,
    ...(names.length > 0 ? [`  for ${names.slice(0, namesShown).join(', ')}${more}`] : []),
  ]
}
