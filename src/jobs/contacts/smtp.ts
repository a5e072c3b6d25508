import { type NodemailerError, type Transporter, createTransport } from 'nodemailer'
import type { MailMessage, MailOutcome } from '#contacts/message.ts'
import { oneLine } from '#core/language/one-line.ts'
import { mailConnections, type MailTransport } from './mail-transport.ts'

const connectTimeoutMs = 10_000
const silenceTimeoutMs = 15_000
const idleTimeoutMs = 30_000
const maxReasonLength = 300

const tooLate = 'The mail server did not answer in time.'

const transportOptions = {
  maxConnections: mailConnections,
  // A message whose connection broke is tried again by its delivery, with the delay that belongs to it.
  maxRequeues: 0,
  idleTimeout: idleTimeoutMs,
  dnsTimeout: connectTimeoutMs,
  connectionTimeout: connectTimeoutMs,
  greetingTimeout: connectTimeoutMs,
  socketTimeout: silenceTimeoutMs,
  disableFileAccess: true,
  disableUrlAccess: true,
} as const

/** Mail through a server of the operator's, over a few connections that are kept a while. */
export function createSmtp({ url, from }: { url: string; from: string }): MailTransport {
  const transporter = createTransport({ ...transportOptions, url, pool: true })
  return {
    send: async ({ to, subject, text, html, headers }: MailMessage, signal) => {
      try {
        const sent = await transporter.sendMail({ from, to, subject, text, html, headers, signal })
        return { ok: true, answer: { isAccepted: true, code: replyCode(sent.response) } }
      } catch (error) {
        return toOutcome(error)
      }
    },
    close: () => transporter.close(),
  }
}

/**
 * Connects, secures the connection where the server offers that, and signs in; sends nothing. Null where all of it
 * worked, otherwise why not, which holds neither user nor password. `signal` ends the connection.
 */
export async function trySmtp(url: string, signal: AbortSignal): Promise<string | null> {
  const transporter = createTransport({ ...transportOptions, url, pool: true })
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const end = (): void => resolve(tooLate)
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([verified(transporter), late])
  } finally {
    signal.removeEventListener('abort', end)
    transporter.close()
  }
}

async function verified(transporter: Pick<Transporter, 'verify'>): Promise<string | null> {
  try {
    await transporter.verify()
    return null
  } catch (error) {
    return reasonOf(toOutcome(error))
  }
}

/** Why a mail did not leave, in a sentence; null where it did. */
export function reasonOf(outcome: MailOutcome): string | null {
  if (!outcome.ok) return outcome.failure
  return outcome.answer.isAccepted ? null : `The mail server refused: ${outcome.answer.text}`
}

const othersFault = /^\d{3}[ -][45]\.(?:[03-9]|1\.[78]\b)/

/** A reply of the server is an answer; without one it could not be used, or said nothing in time. */
export function toOutcome(thrown: unknown): MailOutcome {
  const error: NodemailerError = thrown instanceof Error ? thrown : new Error(String(thrown))
  if (error.code === 'EABORT') return { ok: false, failure: tooLate }
  if (error.response === undefined)
    return {
      ok: false,
      failure: `The mail server could not be used: ${oneLine(error.message).slice(0, maxReasonLength)}`,
    }
  const answer = {
    isAccepted: false,
    code: error.responseCode ?? null,
    refused: refusedBy(error.command, error.response),
    isPermanent: error.permanent === true,
    text: oneLine(error.response).slice(0, maxReasonLength),
  } as const
  return { ok: true, answer }
}

/**
 * Many servers wait for the address before they refuse a sender or a client. Their enhanced status code says then that
 * it is not the address (RFC 3463): anything but 1 (addressing) without the sender's 7 and 8, and 2 (the mailbox).
 */
function refusedBy(command: string | undefined, response: string): 'address' | 'message' | 'session' {
  if (command === 'RCPT TO') return othersFault.test(response) ? 'session' : 'address'
  return command === 'DATA' ? 'message' : 'session'
}

function replyCode(response: string): number | null {
  const [code] = /^\d{3}/.exec(response) ?? []
  return code === undefined ? null : Number(code)
}
