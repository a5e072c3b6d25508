import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  type ContactKindName,
  contactKindNames,
  contactTraitsOf,
  isContactKindName,
} from '#core/contacts/contact-kinds.ts'
import type { ContactRecord, ContactStateRecord, DeliveryFilter, DeliveryRecord } from '../../api/contacts.ts'

/** A contact, and how it does. */
export type Contact = {
  contact: ContactRecord
  state: ContactStateRecord
  /** Whether its mails stay in the outbox, because this installation sends none. */
  isMailKept: boolean
}

type Words = {
  title: MessageDescriptor
  help: MessageDescriptor
  /** The help where this installation sends no mail, if that makes a difference. */
  helpWithoutMail?: MessageDescriptor
  /** An example of one is the same in all languages. */
  destination: { label: MessageDescriptor; placeholder: string; hint: MessageDescriptor }
}

const words: Readonly<Record<ContactKindName, Words>> = {
  email: {
    title: msg`Email`,
    help: msg`Its reader confirms once, with a link in a mail, and can unsubscribe with one click.`,
    helpWithoutMail: msg`This installation sends no mail yet, so alerts reach no one. Its reader confirms once, with a link that you pass on.`,
    destination: {
      label: msg`Address`,
      placeholder: 'on-call@example.com',
      hint: msg`One address. A mailing list has to confirm, too.`,
    },
  },
  webhook: {
    title: msg`Webhook`,
    help: msg`Your program gets each alert as signed JSON.`,
    destination: {
      label: msg`URL`,
      placeholder: 'https://alerts.example.com/in',
      hint: msg`It gets a POST request and has to answer 2xx within 15 seconds.`,
    },
  },
  slack: {
    title: msg`Slack`,
    help: msg`A Slack channel, or one in a chat that accepts the same format, such as Rocket.Chat.`,
    destination: {
      label: msg`URL`,
      placeholder: 'https://hooks.slack.com/services/…',
      hint: msg`The URL of an incoming webhook, which the chat creates for one channel. Anyone who has it can write there.`,
    },
  },
  ntfy: {
    title: msg({ message: 'ntfy', comment: 'A service of this name' }),
    help: msg`Phones and browsers that subscribe to a topic on ntfy.sh or on your own server.`,
    destination: {
      label: msg`Topic`,
      placeholder: '',
      hint: msg`Letters, digits, hyphens and underscores. Without a token, anyone who knows it can read and write there.`,
    },
  },
  gotify: {
    title: msg({ message: 'Gotify', comment: 'A service of this name' }),
    help: msg`Phones and browsers of one user on your own Gotify server.`,
    destination: {
      label: msg`Shown as`,
      placeholder: '',
      hint: msg`A name that people recognise, such as the name of the application in Gotify.`,
    },
  },
  google_chat: {
    title: msg({ message: 'Google Chat', comment: 'A service of this name' }),
    help: msg`A Google Chat space. A recovery replies to the message of its outage.`,
    destination: {
      label: msg`Shown as`,
      placeholder: '',
      hint: msg`A name that people recognise, such as the name of the space.`,
    },
  },
  teams: {
    title: msg({ message: 'Microsoft Teams', comment: 'A service of this name' }),
    help: msg`A channel or chat in Teams, through a workflow that posts webhook alerts there.`,
    destination: {
      label: msg`Shown as`,
      placeholder: '',
      hint: msg`A name that people recognise, such as the name of the channel.`,
    },
  },
  telegram: {
    title: msg({ message: 'Telegram', comment: 'A service of this name' }),
    help: msg`A person, group or channel on Telegram that your bot writes to.`,
    destination: {
      label: msg`Chat`,
      placeholder: '-1001234567890',
      hint: msg`Its id, or @ and the name of a public channel or group. The bot has to be in it.`,
    },
  },
  discord: {
    title: msg({ message: 'Discord', comment: 'A service of this name' }),
    help: msg`A Discord channel, through a webhook of the channel.`,
    destination: {
      label: msg`Shown as`,
      placeholder: '',
      hint: msg`A name that people recognise, such as the name of the channel.`,
    },
  },
  pagerduty: {
    title: msg({ message: 'PagerDuty', comment: 'A service of this name' }),
    help: msg`The person on call for a PagerDuty service. A recovery resolves its incident there.`,
    destination: {
      label: msg`Shown as`,
      placeholder: '',
      hint: msg`A name that people recognise, such as the name of the service.`,
    },
  },
  mattermost: {
    title: msg({ message: 'Mattermost', comment: 'A service of this name' }),
    help: msg`A channel or a person on a Mattermost server.`,
    destination: {
      label: msg`Channel`,
      placeholder: '',
      hint: msg`The name in its address, such as town-square, or @ and the name of a user.`,
    },
  },
  matrix: {
    title: msg({ message: 'Matrix', comment: 'A service of this name' }),
    help: msg`A Matrix room that one of your accounts writes to.`,
    destination: {
      label: msg`Room`,
      placeholder: '!AbCdEf:example.com',
      hint: msg`Its internal id, not its #address: Element shows it in the settings of the room, under Advanced.`,
    },
  },
  pushover: {
    title: msg({ message: 'Pushover', comment: 'A service of this name' }),
    help: msg`Phones and desktops of a Pushover user or group.`,
    destination: {
      label: msg`Shown as`,
      placeholder: '',
      hint: msg`A name that people recognise, such as the name of the user or the group.`,
    },
  },
  twilio_sms: {
    title: msg({ message: 'SMS by Twilio', comment: 'Twilio is a service of this name' }),
    help: msg`A phone without internet, through your own Twilio account. Twilio charges you for each message.`,
    destination: {
      label: msg`Number`,
      placeholder: '+491701234567',
      hint: msg`With + and the country code, without spaces.`,
    },
  },
  alertmanager: {
    title: msg({ message: 'Alertmanager', comment: 'A program of this name' }),
    help: msg`A Prometheus Alertmanager, whose routes decide who is notified. A recovery resolves its alert there.`,
    destination: {
      label: msg`Label`,
      placeholder: '',
      hint: msg`The value of the label “contact” of each alert, such as the name of the receiver, for routes to match.`,
    },
  },
  apprise: {
    title: msg({ message: 'Apprise', comment: 'A program of this name' }),
    help: msg`Everything that Apprise can write to: more than a hundred services, through your own Apprise API server.`,
    destination: {
      label: msg`Shown as`,
      placeholder: '',
      hint: msg`A name that people recognise, such as the name of the configuration.`,
    },
  },
  web_push: {
    title: msg`Browser`,
    help: msg`A browser that shows alerts as notifications.`,
    destination: {
      label: msg`Shown as`,
      placeholder: '',
      hint: msg`A name that people recognise, such as “Firefox on Linux”.`,
    },
  },
}

export type KindWords = Words & { kind: ContactKindName }

/** What a form can make: a browser subscribes itself. */
export const kinds: readonly KindWords[] = contactKindNames.filter((name) => name !== 'web_push').map(wordsOf)

/** The kind that is offered first: one that reaches somebody. */
export function usualKind(sendsMail: boolean): KindWords {
  return wordsOf(sendsMail ? 'email' : 'webhook')
}

/** Of a kind of another release, what is known of it. */
export function kindWordsOf(kind: string): KindWords | null {
  return isContactKindName(kind) ? wordsOf(kind) : null
}

function wordsOf(kind: ContactKindName): KindWords {
  return { kind, ...words[kind] }
}

export function kindTitle(kind: string): string {
  return isContactKindName(kind) ? i18n._(words[kind].title) : kind
}

const alertTitles: Readonly<Record<string, MessageDescriptor>> = {
  'monitor.down': msg({ message: 'Down', context: 'alert' }),
  'monitor.reminder': msg({ message: 'Still down', context: 'alert' }),
  'monitor.up': msg({ message: 'Recovery', context: 'alert' }),
  'monitor.degraded': msg({ message: 'Degraded', context: 'alert' }),
  'monitor.degraded_ended': msg({ message: 'No longer degraded', context: 'alert' }),
  'monitor.slow': msg({ message: 'Slow', context: 'alert' }),
  'monitor.slow_ended': msg({ message: 'As fast as usual', context: 'alert' }),
  'monitor.unstable': msg({ message: 'Unstable', context: 'alert' }),
  'monitor.unstable_ended': msg({ message: 'Stable again', context: 'alert' }),
  'domain.expiring': msg`Domain expires`,
  'certificate.expiring': msg`Certificate expires`,
  'vulnerability.found': msg`Vulnerabilities`,
  'end_of_life.reached': msg`End of support`,
  'exposure.reminder': msg`Still exposed`,
  'exposure.ended': msg`Exposure ended`,
  'slo.burning': msg`Error budget burns`,
  'slo.recovered': msg({ message: 'Within its budget again', context: 'alert' }),
  'maintenance.started': msg`Maintenance started`,
  'maintenance.ended': msg`Maintenance ended`,
  'alerts.bundle': msg`Several alerts as one message`,
}

export function alertTitle({ type }: DeliveryRecord): string {
  const title = alertTitles[type]
  return title === undefined ? type : i18n._(title)
}

/** Whether the rules of the contact, or of the monitor, keep it back for now. */
export function isHeld({
  attempts,
  next_attempt_at: next,
}: Pick<DeliveryRecord, 'attempts' | 'next_attempt_at'>): boolean {
  return attempts === 0 && next !== null && Date.parse(next) > Date.now() + soonMs
}

const soonMs = 10_000

type FilterWords = { value: DeliveryFilter; label: MessageDescriptor; none: MessageDescriptor }

export const deliveryFilters: readonly FilterWords[] = [
  {
    value: 'all',
    label: msg({ message: 'All', context: 'alerts' }),
    none: msg`Nothing was sent in the last 90 days. Test alerts are not listed.`,
  },
  {
    value: 'delivered',
    label: msg({ message: 'Delivered', context: 'alerts' }),
    none: msg`Nothing was delivered in the last 90 days.`,
  },
  {
    value: 'failed',
    label: msg({ message: 'Failed', context: 'alerts' }),
    none: msg`Nothing failed in the last 90 days.`,
  },
  { value: 'pending', label: msg({ message: 'On their way', context: 'alerts' }), none: msg`Nothing is on its way.` },
]

export type ContactStanding = 'works' | 'untested' | 'waiting' | 'expired' | 'failing' | 'kept' | 'off'

/** The first thing that keeps alerts from it, or from knowing that they arrive. */
export function standingOf({ contact, state, isMailKept }: Contact): ContactStanding {
  if (!contact.enabled) return 'off'
  if (isMailKept) return 'kept'
  if (!contact.confirmed) return isLinkOver(state) ? 'expired' : 'waiting'
  if (state.failing_since !== null) return 'failing'
  return state.worked_at === null ? 'untested' : 'works'
}

/** Whether a test can show that alerts arrive. */
export function mayBeTested({ contact, isMailKept }: Contact): boolean {
  return contact.enabled && contact.confirmed && !isMailKept
}

/** Whether its reader can confirm it no more. */
export function isLinkOver({ confirmation_expires_at: end }: ContactStateRecord): boolean {
  return isPast(end)
}

export function isMailbox(kind: string): boolean {
  return contactTraitsOf(kind)?.via === 'mail'
}

/** Whether a delivered alert is a mail that no server was asked to take. */
export function isKept(kind: string, delivery: { state: string; status_code: number | null }): boolean {
  return isMailbox(kind) && delivery.state === 'delivered' && delivery.status_code === null
}

function isPast(time: string | null): boolean {
  return time !== null && Date.parse(time) <= Date.now()
}

/** Whether switching it on asks its reader first: only a reader's own leave begins mails. */
export function isReaderAsked({ contact, state }: Contact): boolean {
  const by = state.switched_off_by
  const { needsConfirmation = false } = contactTraitsOf(contact.kind) ?? {}
  return needsConfirmation && !(contact.confirmed && (by === 'people' || by === 'service'))
}
