// What the service has to know of a kind of contact without asking its code.
import { inWords } from '#core/language/in-words.ts'

export type ContactTraits = {
  /** How its messages leave; mail waits longer between tries, because a mail server keeps a queue of its own. */
  via: 'mail' | 'http'
  /**
   * Alerts begin once the link that was mailed there was opened, so that the service cannot be made to write to
   * strangers (docs/decisions/alerts-and-contacts.md, "Confirmation").
   */
  needsConfirmation: boolean
  /** Messages carry a signature by a secret of the contact's own. */
  isSigned: boolean
  /** Whoever knows the address can write there: it is sealed at rest, and shown to those who may change the contact. */
  isAddressSecret: boolean
  /** Its messages are for programs and hold the alert as it is, so that templates of words have no place in them. */
  isForPrograms?: true
  /**
   * It keeps what it was told as an alert of its own until it is told the end. So it is told also of ends that are no
   * recovery, such as the pause of a monitor that is down (docs/decisions/alerts-and-contacts.md, "One alert of another
   * program").
   */
  keepsState?: true
  /**
   * Its messages reach one person as a rule, and no channel or program. The console proposes for a new contact of such
   * a kind what is not meant for everybody in a room.
   */
  isPersonal: boolean
  /**
   * How long alerts wait to leave together after one has left, where the contact bundles them; null for kinds whose
   * receiver sorts alerts itself and has to get each one.
   */
  bundleSeconds: number | null
}

const usualBundleSeconds = 60
/** A phone that rings or a message that costs money is worth a longer wait. */
const longBundleSeconds = 120

/** Most kinds: requests that carry no signature, to a place whose name is no secret. */
const plain = {
  via: 'http',
  needsConfirmation: false,
  isSigned: false,
  isAddressSecret: false,
  bundleSeconds: usualBundleSeconds,
} as const
const toOne = { ...plain, isPersonal: true } as const
const toMany = { ...plain, isPersonal: false } as const

/** A new kind is a line here; what else it needs then fails to compile until it is there. */
export const contactTraits = {
  email: { ...toOne, via: 'mail', needsConfirmation: true },
  webhook: { ...toMany, isSigned: true, isForPrograms: true },
  slack: { ...toMany, isAddressSecret: true },
  ntfy: toOne,
  gotify: toOne,
  google_chat: toMany,
  teams: toMany,
  telegram: toMany,
  discord: toMany,
  pagerduty: { ...toMany, keepsState: true, bundleSeconds: null },
  mattermost: toMany,
  matrix: toMany,
  pushover: { ...toOne, bundleSeconds: longBundleSeconds },
  twilio_sms: { ...toOne, bundleSeconds: longBundleSeconds },
  alertmanager: { ...toMany, keepsState: true, bundleSeconds: null },
  apprise: toMany,
  web_push: toOne,
} as const satisfies Readonly<Record<string, ContactTraits>>

export type ContactKindName = keyof typeof contactTraits
export type MailKindName = NamesVia<'mail'>
export type HttpKindName = NamesVia<'http'>

type NamesVia<Via extends ContactTraits['via']> = {
  [Name in ContactKindName]: (typeof contactTraits)[Name]['via'] extends Via ? Name : never
}[ContactKindName]

export const contactKindNames: readonly ContactKindName[] = Object.keys(contactTraits).filter(isContactKindName)

/** Kinds whose destination is a mailbox. */
export const mailKindNames: readonly ContactKindName[] = contactKindNames.filter(
  (name) => contactTraits[name].via === 'mail',
)

/** Kinds that keep an alert until they are told its end. */
export const statefulKindNames: readonly ContactKindName[] = contactKindNames.filter(
  (name) => 'keepsState' in contactTraits[name],
)

export function isContactKindName(text: string): text is ContactKindName {
  return Object.hasOwn(contactTraits, text)
}

/** Null for a kind of another release. */
export function contactTraitsOf(kind: string): ContactTraits | null {
  return isContactKindName(kind) ? contactTraits[kind] : null
}

/** As a sentence names them: `email`, `webhook`, `slack` or `ntfy`. */
export const contactKindsText: string = inWords(
  contactKindNames.map((name) => `\`${name}\``),
  'or',
)
