import type { Alert } from '#core/contacts/alerting.ts'
import type { RetrySchedule } from '#core/contacts/delivery-retry.ts'
import type { Net } from '#net/net.ts'

export type MailMessage = {
  via: 'mail'
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

export type HttpMessage = { via: 'http'; url: string; headers: Record<string, string>; body: string }

/** A message that is ready to leave, built without I/O. */
export type Message = MailMessage | HttpMessage

export type MessageContext = {
  /** The same on every try: the delivery's id. */
  deliveryId: string
  sentAt: Date
  destination: string
  /** `whsec_...` keys whose signatures the message carries, the newest first; empty for kinds that do not sign. */
  signingSecrets: readonly string[]
  /** Root of the service's own pages, without a final slash. */
  publicUrl: string
  /** Link that ends alerts to this contact in one click. */
  unsubscribeUrl: string
}

/** What came of one attempt. */
export type Attempt = {
  isDelivered: boolean
  statusCode: number | null
  /** Null when delivered; else a sentence. */
  error: string | null
  retryAfterSeconds: number | null
  /** The destination will never accept again: switch the contact off (decisions.md B19). */
  isGone: boolean
  /** Another try of this message cannot help: the mail server refused the address or the message for good. */
  isPermanent?: boolean
}

/** How messages leave. An attempt never rejects for what the other side does, and ends by `signal`. */
export type Carriers = { net: Net; sendMail: (message: MailMessage, signal: AbortSignal) => Promise<Attempt> }

/** Whether a host is a literal address that this installation may not dial; names are judged when they are dialled. */
export type ForbiddenAddress = (host: string) => boolean

/** One kind of notification contact: what a destination is, and what is said. `sendMessage` lets it leave. */
export type ContactKind = {
  kind: string
  /** Null when the text is a destination of this kind, else what is wrong with it, for `fields.destination`. */
  destinationProblem: (destination: string, isForbidden: ForbiddenAddress) => string | null
  /** An email contact alerts only after its link was opened; the others start confirmed (decisions.md B13). */
  needsConfirmation: boolean
  isSigned: boolean
  retry: RetrySchedule
  message: (alert: Alert, context: MessageContext) => Message
}
