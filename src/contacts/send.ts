import type { Net } from '#net/net.ts'
import type { Attempt, Carriers, HttpMessage, Message } from './contact.ts'

/** Longest time one attempt may take (decisions.md B19). */
export const attemptTimeoutMs = 15_000
const maxWireBytes = 64 * 1024

/** One attempt. The other side's failures are values; it ends by `signal`. */
export function sendMessage(message: Message, carriers: Carriers, signal: AbortSignal): Promise<Attempt> {
  switch (message.via) {
    case 'mail':
      return carriers.sendMail(message, signal)
    case 'http':
      return post(message, carriers.net, signal)
  }
}

/** Delivered means 2xx; a redirect is a failure. The answer's body is not read. */
async function post(message: HttpMessage, net: Net, signal: AbortSignal): Promise<Attempt> {
  const outcome = await net.http(
    {
      url: new URL(message.url),
      method: 'POST',
      headers: message.headers,
      body: message.body,
      maxRedirects: 0,
      headersOnly: true,
      maxBodyBytes: 0,
      maxWireBytes,
      timeoutMs: attemptTimeoutMs,
    },
    signal,
  )
  if (!outcome.ok)
    return {
      isDelivered: false,
      statusCode: null,
      error: outcome.failure.message,
      retryAfterSeconds: null,
      isGone: false,
    }
  const { status, headers } = outcome.answer
  const isDelivered = status >= 200 && status < 300
  return {
    isDelivered,
    statusCode: status,
    error: isDelivered ? null : refusal(status),
    retryAfterSeconds: isDelivered ? null : readRetryAfter(headers['retry-after'], new Date()),
    isGone: status === 410,
  }
}

function refusal(status: number): string {
  if (status >= 300 && status < 400) return `The contact answered ${status}; redirects are not followed.`
  return `The contact answered ${status}.`
}

/** Whole seconds from a Retry-After header, RFC 9110 10.2.3: seconds or a date. Null when it says neither. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000))
}
