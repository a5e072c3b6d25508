import { bad, type Found, good, judged, notLookedAt, verdictOf, warning } from '#core/doctor-report.ts'
import { daysLeft, daysText } from '#core/expiry.ts'
import type { HttpOutcome } from '#net/http/http-request.ts'
import type { DoctorCheck } from './doctor-check.ts'

const timeoutMs = 6_000

export const ownAddress: DoctorCheck = {
  name: 'own address',
  look: async ({ examined, net }, signal) => {
    const { publicUrl } = examined.config
    if (examined.unread.has('PERIGEE_PUBLIC_URL'))
      return [notLookedAt('answer', 'PERIGEE_PUBLIC_URL cannot be read.', 'Correct PERIGEE_PUBLIC_URL.')]
    if (publicUrl === null)
      return [
        notLookedAt('answer', 'PERIGEE_PUBLIC_URL is not set: links lead to the address at which the process listens.'),
      ]
    const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const outcome = await net.http({ ...request, url: new URL(`${publicUrl}/healthz`) }, until)
    return judgeAddress(publicUrl, outcome, new Date())
  },
}

const request = {
  method: 'GET',
  headers: {},
  body: null,
  maxRedirects: 0,
  headersOnly: true,
  maxBodyBytes: 0,
  maxWireBytes: 65_536,
  timeoutMs,
} as const

/** Days, counted down: those of a certificate that nothing renews any more. */
const ends = { warning: -14, bad: -3 }

export function judgeAddress(url: string, outcome: HttpOutcome, now: Date): Found[] {
  if (!outcome.ok)
    return [
      bad(
        'answer',
        `${url} does not answer from here: ${outcome.failure.message}.`,
        'See the proxy or balancer in front of the service, its certificate, and whether the name leads to it.',
      ),
    ]
  const { status, tls } = outcome.answer
  return [
    status === 200
      ? good('answer', `${url} answers from here, within ${outcome.latencyMs} ms.`)
      : bad(
          'answer',
          `${url}/healthz answers with ${status}.`,
          'See the proxy in front of the service: it reaches no process of Perigee.',
        ),
    ...(tls?.certificate == null ? [] : [judgeEnd(new Date(tls.certificate.notAfter), now)]),
    ...(httpsNeeded(url)
      ? [
          warning(
            'encryption',
            `${url} is not encrypted: passwords and tokens can be read on their way.`,
            'Put a proxy with TLS in front, and set PERIGEE_PUBLIC_URL to its https:// address.',
          ),
        ]
      : []),
  ]
}

function judgeEnd(end: Date, now: Date): Found {
  const days = daysLeft(end, now)
  return judged('certificate', verdictOf(-days, ends), {
    found: `Its certificate ends in ${daysText(days)} (${end.toISOString().slice(0, 10)}).`,
    advice: 'Renew the certificate, and see why what renews it has not.',
  })
}

/** Whether an address leaves the machine in the clear. Browsers trust those of the machine itself. */
export function httpsNeeded(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol !== 'https:' && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}
