import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import { type MessageContext, defineMailKind } from './contact.ts'
import { judgeMail } from './judge.ts'
import { mailHtml, mailText } from '#contacts/mails/mail-layout.ts'
import type { MailMessage } from './message.ts'
import { wordingOf } from '#contacts/wording/wording.ts'

export const email = defineMailKind({
  name: 'email',
  options: z.strictObject({}),
  secretOptions: [],
  destinationProblem: addressProblem,
  message: emailMessage,
  judge: judgeMail,
})

const maxAddressLength = 254
/** The addr-spec of RFC 5322 without quoting and comments, in a domain of two labels or more. */
const address =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const maxLocalPartLength = 64

export function addressProblem(destination: string): string | null {
  if (destination.length > maxAddressLength) return `Must have at most ${maxAddressLength} characters.`
  if (!address.test(destination) || destination.indexOf('@') > maxLocalPartLength) return 'Must be an email address.'
  return null
}

/** The mailbox that an address most likely leads to: tags (`me+alerts@`) and letter case lead to no other. */
export function mailboxOf(destination: string): string {
  const [local = '', domain = ''] = destination.toLowerCase().split('@')
  const [user = ''] = local.split('+')
  return `${user === '' ? local : user}@${domain}`
}

/**
 * All messages of an incident or an episode refer to one id, which lets mail programs show them as one thread. The message's own
 * id is the delivery's on every try, so that a repeated one can be told.
 */
export function emailMessage(alert: Alert, context: MessageContext): MailMessage {
  const { publicUrl, unsubscribeUrl, deliveryId } = context
  const wording = wordingOf(alert, context)
  const thread = threadOf(alert)
  const domain = new URL(publicUrl).hostname
  const content = {
    ...wording,
    footer: { text: 'No longer want these alerts?', label: 'Unsubscribe', url: unsubscribeUrl },
  }
  return {
    via: 'mail',
    to: context.destination,
    subject: wording.headline,
    text: mailText(content),
    html: mailHtml(content),
    headers: {
      'Message-ID': `<${deliveryId}@${domain}>`,
      ...(thread === null ? {} : { References: `<${thread}@${domain}>` }),
      // RFC 8058: the mail program's own button, one POST.
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      // RFC 3834 5: it is no letter that a holiday reply should answer.
      'Auto-Submitted': 'auto-generated',
    },
  }
}

function threadOf({ data }: Alert): string | null {
  if (data.incident !== null) return `incident-${data.incident.id}`
  return 'episode' in data ? `episode-${data.episode.id}` : null
}
