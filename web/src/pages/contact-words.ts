import type { AlertChannelRecord, ContactStateRecord, DeliveryFilter, DeliveryRecord } from '../api/contacts.ts'

/** A contact, and how it does. */
export type Contact = { contact: AlertChannelRecord; state: ContactStateRecord }

export type KindWords = {
  kind: string
  title: string
  help: string
  destination: { label: string; placeholder: string; hint: string }
}

export const kinds: readonly [KindWords, ...KindWords[]] = [
  {
    kind: 'email',
    title: 'Email',
    help: 'Its reader agrees once, by a link in a mail, and can end the alerts with one click.',
    destination: {
      label: 'Address',
      placeholder: 'on-call@example.com',
      hint: 'One address. A list has to agree, too.',
    },
  },
  {
    kind: 'webhook',
    title: 'Webhook',
    help: 'A program of yours gets each alert as signed JSON.',
    destination: {
      label: 'URL',
      placeholder: 'https://alerts.example.com/in',
      hint: 'It is sent a POST, and answers 2xx within 15 seconds.',
    },
  },
  {
    kind: 'slack',
    title: 'Slack',
    help: 'A channel of Slack, or of a chat that takes messages in its format, such as Mattermost or Rocket.Chat.',
    destination: {
      label: 'URL',
      placeholder: 'https://hooks.slack.com/services/…',
      hint: 'Of an incoming webhook, which the chat makes for one channel. Whoever has it can write there.',
    },
  },
]

export function kindTitle(kind: string): string {
  return kinds.find((each) => each.kind === kind)?.title ?? kind
}

const alertTitles: Readonly<Record<string, string>> = {
  'monitor.down': 'Down',
  'monitor.up': 'Recovery',
  'domain.expiring': 'Domain expires',
  'certificate.expiring': 'Certificate expires',
  'vulnerability.found': 'Vulnerabilities',
  'end_of_life.reached': 'End of support',
}

export function alertTitle({ type }: DeliveryRecord): string {
  return alertTitles[type] ?? type
}

export const deliveryFilters: readonly { value: DeliveryFilter; label: string; none: string }[] = [
  { value: 'all', label: 'All', none: 'Nothing was sent in the last 90 days. Tests are not listed.' },
  { value: 'delivered', label: 'Delivered', none: 'Nothing was delivered in the last 90 days.' },
  { value: 'failed', label: 'Failed', none: 'Nothing failed in the last 90 days.' },
  { value: 'pending', label: 'On their way', none: 'Nothing is on its way.' },
]

export type Standing = 'works' | 'waiting' | 'expired' | 'failing' | 'off'

/** The first thing that keeps alerts from it. */
export function standingOf({ contact, state }: Contact): Standing {
  if (!contact.enabled) return 'off'
  if (!contact.confirmed) return isPast(state.confirmation_expires_at) ? 'expired' : 'waiting'
  return state.failing_since === null ? 'works' : 'failing'
}

function isPast(time: string | null): boolean {
  return time !== null && Date.parse(time) <= Date.now()
}

/** Whether switching it on asks its reader first: only a reader's own leave begins mails. */
export function isReaderAsked({ contact, state }: Contact): boolean {
  const by = state.switched_off_by
  return contact.kind === 'email' && !(contact.confirmed && (by === 'people' || by === 'service'))
}
