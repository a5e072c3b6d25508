import { mailboxOf } from '#contacts/email.ts'
import type { Addressee } from '#contacts/links.ts'
import { fail } from '#core/language/error.ts'
import {
  type MailSubject,
  forgetConfirmationMails,
  mailLimitOf,
  takeConfirmationMail,
} from '#store/contacts/confirmation-mails.ts'
import type { Transaction } from '#store/database/database.ts'
import { enqueueNotices } from '#store/contacts/notices.ts'
import { isOfStranger } from '#store/people/workspace-moves.ts'

/** `source`: the address that asks for the mail, as limits count addresses; absent where nobody asks over the network. */
type Asking = { workspaceId: string; destination: string; source?: string | undefined }

/** Counts the mail that asks the reader of a contact, and has it sent once the transaction has committed. */
export async function askByMail(
  tx: Transaction,
  { id, addressNumber, ...asking }: Asking & Addressee,
  now: Date,
): Promise<void> {
  await takeMail(tx, asking, now)
  const which = addressNumber === 0 ? {} : { address_number: addressNumber }
  await enqueueNotices(tx, [{ notice: 'confirm_contact', contact_id: id, ...which }])
}

/** Any caller can name a stranger's address, whose owner may be asked a few times and not again and again. */
export async function takeMail(tx: Transaction, asking: Asking, now: Date): Promise<void> {
  for (const [subject, who] of await limitsOf(tx, asking)) {
    const nextAt = await takeConfirmationMail(tx, { subject, now })
    if (nextAt === null) continue
    const message = `${who} ${mailLimitOf(subject)} confirmation mails within a day. The next can be sent at ${nextAt.toISOString()}.`
    throw fail('rate_limited', message, { retryAfterSeconds: Math.ceil((nextAt.getTime() - now.getTime()) / 1000) })
  }
  // The old rows go last, so that no other transaction waits for them while this one waits for others.
  await forgetConfirmationMails(tx, now)
}

type Limited = [subject: MailSubject, who: string]

/**
 * Who registers as an agent shows nothing of themselves, so a few mails a day leave its workspace until somebody
 * answers for it, and a few more all such workspaces that are used from one place.
 */
async function limitsOf(tx: Transaction, { workspaceId, destination, source }: Asking): Promise<Limited[]> {
  const mailbox: Limited = [{ mailbox: mailboxOf(destination) }, 'This address was sent']
  if (!(await isOfStranger(tx, workspaceId))) return [[{ workspaceId }, 'This workspace had'], mailbox]
  return [
    [{ workspaceId, isOfStranger: true }, 'This workspace, which no person has claimed and nobody paid for, had'],
    ...(source === undefined ? [] : [bySource(source)]),
    mailbox,
  ]
}

function bySource(source: string): Limited {
  return [{ source }, 'From your network, workspaces that no person has claimed and nobody paid for had']
}
