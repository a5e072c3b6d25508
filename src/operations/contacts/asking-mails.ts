import { mailboxOf } from '#contacts/email.ts'
import { fail } from '#core/language/error.ts'
import { forgetConfirmationMails, mailLimitOf, takeConfirmationMail } from '#store/contacts/confirmation-mails.ts'
import type { Transaction } from '#store/database/database.ts'

/** Any caller can name a stranger's address, whose owner may be asked a few times and not again and again. */
export async function takeMail(
  tx: Transaction,
  { workspaceId, destination }: { workspaceId: string; destination: string },
  now: Date,
): Promise<void> {
  for (const [subject, who] of [
    [{ workspaceId }, 'This workspace had'],
    [{ mailbox: mailboxOf(destination) }, 'This address was sent'],
  ] as const) {
    const nextAt = await takeConfirmationMail(tx, { subject, now })
    if (nextAt === null) continue
    const message = `${who} ${mailLimitOf(subject)} confirmation mails within a day. The next can be sent at ${nextAt.toISOString()}.`
    throw fail('rate_limited', message, { retryAfterSeconds: Math.ceil((nextAt.getTime() - now.getTime()) / 1000) })
  }
  // The old rows go last, so that no other transaction waits for them while this one waits for others.
  await forgetConfirmationMails(tx, now)
}
