import { mailboxOf } from '#contacts/email.ts'
import { readConfirmationToken, readUnsubscribeLink } from '#contacts/links.ts'
import { forgiveConfirmationMails } from '#store/contacts/confirmation-mails.ts'
import {
  type ConfirmedContact,
  confirmContact,
  endAlertsTo,
  findLinkedContact,
  isConfirmable,
  recordContactChange,
} from '#store/contacts/contact-states.ts'
import type { Transaction } from '#store/database/database.ts'
import type { Services } from '#operations/pipeline/services.ts'

type Parts = Pick<Services, 'database' | 'secrets'>
type ConfirmingParts = Parts & Pick<Services, 'sendsMail'>

/** The state of a confirmation link. `unknown`: we did not make it, or its contact was deleted. */
export type Confirmation = { state: 'unknown' } | { state: 'expired' | 'waiting' | 'confirmed'; destination: string }

export async function readConfirmation(
  { database, secrets }: Parts,
  { token, now }: { token: string; now: Date },
): Promise<Confirmation> {
  const addressee = readConfirmationToken(token, secrets)
  const contact = addressee === null ? null : await findLinkedContact(database, addressee.id)
  // The holder of an earlier address learns nothing of the present one.
  if (contact === null || contact.addressNumber !== addressee?.addressNumber) return { state: 'unknown' }
  const { destination } = contact
  if (contact.isConfirmed) return { state: 'confirmed', destination }
  const isWaiting = await isConfirmable(database, { id: contact.id, now })
  return { state: isWaiting ? 'waiting' : 'expired', destination }
}

/** Confirms the contact, if the link still waits, and returns the link's state after that. */
export async function useConfirmation(
  parts: ConfirmingParts,
  link: { token: string; now: Date },
): Promise<Confirmation> {
  const addressee = readConfirmationToken(link.token, parts.secrets)
  if (addressee !== null)
    await parts.database.transaction((tx) => confirm(tx, { ...addressee, now: link.now, wasMailed: parts.sendsMail }))
  return readConfirmation(parts, link)
}

/** The audit log's actor: a link tells no more about the person who opened it. */
const actor = 'Link in a mail'

async function confirm(tx: Transaction, confirmed: ConfirmedContact): Promise<void> {
  const { id, now } = confirmed
  if (!(await confirmContact(tx, confirmed))) return
  await recordContactChange(tx, { id, at: now, action: 'confirm_alert_channel', actor })
  const contact = await findLinkedContact(tx, id)
  if (contact !== null) await forgiveConfirmationMails(tx, { mailbox: mailboxOf(contact.destination) })
}

export type UnsubscribeLink = { contactId: string; signature: string }

/** `unknown`: we did not make the link. A deleted contact counts as `ended`, and one that goes to another address now. */
export type Unsubscription = { state: 'unknown' | 'ended' } | { state: 'alerting'; destination: string }

export async function readUnsubscription({ database, secrets }: Parts, link: UnsubscribeLink): Promise<Unsubscription> {
  const addressee = readUnsubscribeLink(link, secrets)
  if (addressee === null) return { state: 'unknown' }
  const contact = await findLinkedContact(database, addressee.id)
  if (contact === null || !contact.isEnabled || contact.addressNumber !== addressee.addressNumber)
    return { state: 'ended' }
  return { state: 'alerting', destination: contact.destination }
}

/** Ends alerts to the contact. Calling it again changes nothing. */
export async function useUnsubscription(parts: Parts, link: UnsubscribeLink, now: Date): Promise<Unsubscription> {
  const addressee = readUnsubscribeLink(link, parts.secrets)
  if (addressee === null) return { state: 'unknown' }
  await parts.database.transaction(async (tx) => {
    if (!(await endAlertsTo(tx, addressee))) return
    await recordContactChange(tx, { id: addressee.id, at: now, action: 'unsubscribe_alert_channel', actor })
  })
  return { state: 'ended' }
}
