import type { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import {
  type ContactKindName,
  type ContactTraits,
  type HttpKindName,
  type MailKindName,
  contactTraits,
} from '#core/contacts/contact-kinds.ts'
import { referencePattern } from '#core/contacts/delivery.ts'
import type { MessageWords } from '#core/contacts/message-templates.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import type { PushKeys } from '#core/contacts/push-keys.ts'
import { type SecretOption, splitOptions } from '#core/monitors/monitor-options.ts'
import type { BytesMessage, HttpAnswer, HttpMessage, MailAnswer, MailMessage } from './message.ts'
import { shownReason } from './shown-reason.ts'
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
  /** Of a recovery or a reminder: the message of its outage, where that reached the same address and the provider gave it an id. */
  earlier?: { reference: string } | null
  /** Of the installation; an attempt adds them. */
  pushKeys?: PushKeys
  /** What templates of the contact made of this alert, for `wordingOf`; absent where it has none. */
  words?: MessageWords
  /** Left out where there is no outage to acknowledge, or the contact's rules have no such link. */
  acknowledgeUrl?: string
}

/** Whether a host is a literal address that this installation may not dial; names are judged when they are dialled. */
export type ForbiddenAddress = (host: string) => boolean

/** A kind of contact: its options, its destinations, what it says and what an answer means. */
type ContactKind<Name extends ContactKindName, Own, Message, Answer> = {
  name: Name
  /** A strict object; defaults stand where a contact has none. */
  options: OptionsSchema<Own>
  secretOptions: readonly SecretOption[]
  /** Null when the text is a destination of this kind, else what is wrong with it, for `fields.destination`. */
  destinationProblem: (destination: string, isForbidden: ForbiddenAddress) => string | null
  /** What is wrong with options beyond their schema, by their names: addresses that may not be dialled. */
  optionProblems?: (options: Own, isForbidden: ForbiddenAddress) => OptionProblems
  /** The address to which messages go, where it is an option and not the destination. */
  addressOf?: (options: Own) => string
  /** Pure: the same alert in the same context is the same message, but for what encrypts it. */
  message: (alert: Alert, context: MessageContext & { options: Own }) => Message
  /** Pure. Whether the answer means that it was delivered, that another try may help, or that none will. */
  judge: (answer: Answer) => Judgement
}

type Options = Record<string, unknown>
type OptionsSchema<Own> = z.ZodType<Own> & { shape: Readonly<Record<string, unknown>> }
type OptionProblems = Readonly<Record<string, string>>

/** `options` as the contact keeps them, its secrets among them; the kind parses them. */
export type AlertContext = MessageContext & { options: Options }

/** A kind with its types closed over, as the registry has it. */
export type AnyContactKind = ContactTraits & {
  name: ContactKindName
  options: z.ZodType<Options>
  /** Whether a contact of this kind can have any. */
  hasOptions: boolean
  secretOptions: readonly SecretOption[]
  destinationProblem: (destination: string, isForbidden: ForbiddenAddress) => string | null
  optionProblems: (options: Options, isForbidden: ForbiddenAddress) => OptionProblems
  /** The address to which messages go, where it is an option; null where it is the destination. */
  addressOf: (options: Options) => URL | null
  /** One attempt to tell one alert. It never rejects for what the other side does, and ends by the signal. */
  attempt: (alert: Alert, context: AlertContext, way: Way) => Promise<Attempt>
}

export function defineMailKind<Own extends Options>(
  kind: ContactKind<MailKindName, Own, MailMessage, MailAnswer>,
): AnyContactKind {
  const { message, judge } = kind
  return {
    ...closed(kind),
    ...contactTraits[kind.name],
    attempt: async (alert, context, way) =>
      shown(kind, context, await sendMail(message(alert, parsed(kind, context)), judge, way)),
  }
}

export function defineHttpKind<Own extends Options>(
  kind: ContactKind<HttpKindName, Own, HttpMessage | Promise<BytesMessage>, HttpAnswer>,
): AnyContactKind {
  const { message, judge } = kind
  return {
    ...closed(kind),
    ...contactTraits[kind.name],
    attempt: async (alert, context, way) => {
      const { pushKeys } = way.carriers
      const whole = { ...parsed(kind, context), ...(pushKeys === undefined ? {} : { pushKeys }) }
      return shown(kind, context, await postMessage(await message(alert, whole), judge, way))
    },
  }
}

/** The attempt as it may be told: what the other side said may be no id, or repeat what it was sent. */
function shown(kind: Pick<AnyContactKind, 'name' | 'secretOptions'>, context: AlertContext, attempt: Attempt): Attempt {
  if (attempt.outcome === 'delivered') {
    const { reference, ...rest } = attempt
    return reference !== undefined && referencePattern.test(reference) ? attempt : rest
  }
  return { ...attempt, error: shownReason(attempt.error, secretsOf(kind, context)) }
}

function secretsOf(
  { name, secretOptions }: Pick<AnyContactKind, 'name' | 'secretOptions'>,
  { destination, signingSecrets, options, acknowledgeUrl }: AlertContext,
): string[] {
  const split = splitOptions(options, secretOptions)
  const address = contactTraits[name].isAddressSecret ? [destination] : []
  const link = acknowledgeUrl === undefined ? [] : [acknowledgeUrl]
  return [...address, ...signingSecrets, ...link, ...textsOf(split.secretOptions)]
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** What of a kind is the same however its messages leave. */
function closed<Name extends ContactKindName, Own extends Options, Message, Answer>(
  kind: ContactKind<Name, Own, Message, Answer>,
): Omit<AnyContactKind, 'attempt' | keyof ContactTraits> {
  const { name, options, secretOptions, destinationProblem, optionProblems, addressOf } = kind
  return {
    name,
    options,
    hasOptions: Object.keys(options.shape).length > 0,
    secretOptions,
    destinationProblem,
    optionProblems: (given, isForbidden) => optionProblems?.(options.parse(given), isForbidden) ?? {},
    addressOf: (given) => (addressOf === undefined ? null : new URL(addressOf(options.parse(given)))),
  }
}

function parsed<Own>(
  { options }: { options: z.ZodType<Own> },
  context: AlertContext,
): MessageContext & { options: Own } {
  return { ...context, options: options.parse(context.options) }
}
