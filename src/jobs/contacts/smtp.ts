import { type NodemailerError, createTransport } from 'nodemailer'
import type { Attempt, MailMessage } from '#contacts/contact.ts'
import { oneLine } from '#core/contacts/alerting.ts'
import type { MailTransport } from './mail-transport.ts'

const connections = 4
const connectTimeoutMs = 10_000
const silenceTimeoutMs = 15_000
const idleTimeoutMs = 30_000
const maxReasonLength = 300

/** Mail through a server of the operator's, over a few connections that are kept a while. */
export function createSmtp({ url, from }: { url: string; from: string }): MailTransport {
  const transporter = createTransport({
    url,
    pool: true,
    maxConnections: connections,
    // A message whose connection broke is tried again by its delivery, with the delay that belongs to it.
    maxRequeues: 0,
    idleTimeout: idleTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, subject, text, html, headers }: MailMessage, signal) => {
      try {
        const sent = await transporter.sendMail({ from, to, subject, text, html, headers, signal })
        return {
          isDelivered: true,
          statusCode: replyCode(sent.response),
          error: null,
          retryAfterSeconds: null,
          isGone: false,
        }
      } catch (error) {
        return toAttempt(error)
      }
    },
    close: () => transporter.close(),
  }
}

/** 5xx for the recipient or the message is final; 5xx for us (log-in, sender) and 4xx may be mended (RFC 5321 4.2.1). */
export function toAttempt(thrown: unknown): Attempt {
  const error: NodemailerError = thrown instanceof Error ? thrown : new Error(String(thrown))
  const isAboutMessage = error.command === 'RCPT TO' || error.command === 'DATA'
  return {
    isDelivered: false,
    statusCode: error.responseCode ?? null,
    error: reasonOf(error),
    retryAfterSeconds: null,
    isGone: false,
    isPermanent: isAboutMessage && error.permanent === true,
  }
}

function reasonOf(error: NodemailerError): string {
  const answer = error.response === undefined ? null : oneLine(error.response).slice(0, maxReasonLength)
  if (error.code === 'EABORT') return 'The mail server did not answer in time.'
  if (answer === null) return `The mail server could not be used: ${oneLine(error.message).slice(0, maxReasonLength)}`
  if (error.command === 'RCPT TO') return `The mail server refused the address: ${answer}`
  return `The mail server refused the message: ${answer}`
}

function replyCode(response: string): number | null {
  const [code] = /^\d{3}/.exec(response) ?? []
  return code === undefined ? null : Number(code)
}
