import type { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import {
  type ContactKindName,
  type ContactTraits,
  type HttpKindName,
  type MailKindName,
  contactTraits,
} from '#core/contacts/contact-kinds.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import type { SecretOption } from '#core/monitors/monitor-options.ts'
import type { HttpAnswer, HttpMessage, MailAnswer, MailMessage } from './message.ts'
import { type Attempt, type Way, postMessage, sendMail } from './send.ts'

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

/** Whether a host is a literal address that this installation may not dial; names are judged when they are dialled. */
export type ForbiddenAddress = (host: string) => boolean

/** A kind of contact: its options, its destinations, what it says and what an answer means. */
type ContactKind<Name extends ContactKindName, Own, Message, Answer> = {
  name: Name
  /** A strict object; defaults stand where a contact has none. */
  options: z.ZodType<Own>
  secretOptions: readonly SecretOption[]
  /** Null when the text is a destination of this kind, else what is wrong with it, for `fields.destination`. */
  destinationProblem: (destination: string, isForbidden: ForbiddenAddress) => string | null
  /** Pure: the same alert in the same context is the same message. */
  message: (alert: Alert, context: MessageContext & { options: Own }) => Message
  /** Pure. Whether the answer means that it was delivered, that another try may help, or that none will. */
  judge: (answer: Answer) => Judgement
}

type Options = Record<string, unknown>

/** `options` as the contact keeps them, in the clear; the kind parses them. */
export type AlertContext = MessageContext & { options: Options }

/** A kind with its types closed over, as the registry has it. */
export type AnyContactKind = ContactTraits & {
  name: ContactKindName
  options: z.ZodType<Options>
  secretOptions: readonly SecretOption[]
  destinationProblem: (destination: string, isForbidden: ForbiddenAddress) => string | null
  /** One attempt to tell one alert. It never rejects for what the other side does, and ends by the signal. */
  attempt: (alert: Alert, context: AlertContext, way: Way) => Promise<Attempt>
}

export function defineMailKind<Own extends Options>(
  kind: ContactKind<MailKindName, Own, MailMessage, MailAnswer>,
): AnyContactKind {
  const { message, judge, ...rest } = kind
  return {
    ...rest,
    ...contactTraits[kind.name],
    attempt: (alert, context, way) => sendMail(message(alert, parsed(kind, context)), judge, way),
  }
}

export function defineHttpKind<Own extends Options>(
  kind: ContactKind<HttpKindName, Own, HttpMessage, HttpAnswer>,
): AnyContactKind {
  const { message, judge, ...rest } = kind
  return {
    ...rest,
    ...contactTraits[kind.name],
    attempt: (alert, context, way) => postMessage(message(alert, parsed(kind, context)), judge, way),
  }
}

function parsed<Own>(
  { options }: { options: z.ZodType<Own> },
  context: AlertContext,
): MessageContext & { options: Own } {
  return { ...context, options: options.parse(context.options) }
}
