import type { Judgement } from '#core/contacts/delivery-retry.ts'
import type { PushKeys } from '#core/contacts/push-keys.ts'
import type { Net } from '#net/net.ts'
import { judgeHttp, judgeMail } from './judge.ts'
import type { BytesMessage, HttpAnswer, HttpMessage, MailAnswer, MailMessage, MailOutcome, Message } from './message.ts'

/** Longest time one attempt may take: a receiver that needs longer is tried again (docs/decisions/alerts-and-contacts.md). */
export const attemptTimeoutMs = 15_000
const maxWireBytes = 64 * 1024
const maxBodyBytes = 16 * 1024
/** The status decides mostly, so that a receiver that does not end its answer costs no more than this. */
const bodyPatienceMs = 1000

/** What one attempt came to, with the code that the other side answered; null where it answered none. */
export type Attempt = Judgement & { statusCode: number | null }

/** How messages leave. */
export type Carriers = {
  net: Net
  sendMail: (message: MailMessage, signal: AbortSignal) => Promise<MailOutcome>
  /** By which push services of browsers know this installation. */
  pushKeys?: PushKeys
}

/** What an attempt needs beside its message; it ends by `signal`. */
export type Way = { carriers: Carriers; signal: AbortSignal }

/** One attempt of a message that belongs to no contact, judged as plain mail or a plain webhook. */
export function sendMessage(message: Message, way: Way): Promise<Attempt> {
  switch (message.via) {
    case 'mail':
      return sendMail(message, judgeMail, way)
    case 'http':
      return postMessage(message, judgeHttp, way)
  }
}

export async function sendMail(
  message: MailMessage,
  judge: (answer: MailAnswer) => Judgement,
  { carriers, signal }: Way,
): Promise<Attempt> {
  const outcome = await carriers.sendMail(message, signal)
  return outcome.ok ? { ...judge(outcome.answer), statusCode: outcome.answer.code } : unanswered(outcome.failure)
}

export async function postMessage(
  message: HttpMessage | BytesMessage,
  judge: (answer: HttpAnswer) => Judgement,
  { carriers, signal }: Way,
): Promise<Attempt> {
  const outcome = await carriers.net.http(
    {
      url: new URL(message.url),
      method: message.method ?? 'POST',
      headers: message.headers,
      body: message.body,
      maxRedirects: 0,
      headersOnly: false,
      maxBodyBytes,
      maxWireBytes,
      bodyPatienceMs,
      timeoutMs: attemptTimeoutMs,
    },
    signal,
  )
  if (!outcome.ok) return unanswered(outcome.failure.message)
  const { status, headers, body } = outcome.answer
  const judgement = judge({ status, headers, body: new TextDecoder().decode(body), at: new Date() })
  return { ...judgement, statusCode: status }
}

/** Whatever kept the answer away may be gone at the next try. */
function unanswered(error: string): Attempt {
  return { outcome: 'try_again', error, afterSeconds: null, statusCode: null }
}

/** Null when it was delivered. */
export function errorOf(attempt: Attempt): string | null {
  return attempt.outcome === 'delivered' ? null : attempt.error
}
