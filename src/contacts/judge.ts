import type { Judgement } from '#core/contacts/delivery-retry.ts'
import type { HttpAnswer, MailAnswer } from './message.ts'
import { providerText } from './provider-text.ts'

/**
 * Delivered means 2xx. A redirect is a failure, because following it would send the body to an address that its owner
 * never typed in; 410 says that the receiver is gone for good. `askedInBody`: the seconds that the provider asks to
 * wait where it says so in its own words; a Retry-After header counts before them.
 */
export function judgeHttp(answer: HttpAnswer, askedInBody: number | null = null): Judgement {
  const { status, headers, at } = answer
  if (status >= 200 && status < 300) return { outcome: 'delivered' }
  const error = refusal(answer)
  if (status === 410) return { outcome: 'failed', error, isGone: true }
  return { outcome: 'try_again', error, afterSeconds: readRetryAfter(headers['retry-after'], at) ?? askedInBody }
}

/** Of a provider that answers 400 to a message that it will never take, as a proxy before it does by 413. */
export function judgeStrict(answer: HttpAnswer): Judgement {
  if (answer.status === 400 || answer.status === 413)
    return { outcome: 'failed', error: refusal(answer), isGone: false }
  return judgeHttp(answer)
}

/** With the provider's own words, where it has some. */
export function refusal(answer: HttpAnswer): string {
  const { status } = answer
  if (status >= 300 && status < 400) return `The contact answered ${status}; redirects are not followed.`
  const said = providerText(answer)
  return said === null ? `The contact answered ${status}.` : `The contact answered ${status}: ${said}`
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

/** A refused address or message may be refused for good; the operator can mend the log-in and the sender. */
export function judgeMail(answer: MailAnswer): Judgement {
  if (answer.isAccepted) return { outcome: 'delivered' }
  const { refused, isPermanent, text } = answer
  const error = `The mail server refused the ${refused === 'address' ? 'address' : 'message'}: ${text}`
  if (isPermanent && refused !== 'session') return { outcome: 'failed', error, isGone: false }
  return { outcome: 'try_again', error, afterSeconds: null }
}
