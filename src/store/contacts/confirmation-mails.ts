import { dayMs } from '#core/language/utc-day.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Transaction } from '#store/database/database.ts'

/**
 * What a limit counts for: a mailbox over all workspaces, a workspace over all mailboxes, or the address from which
 * strangers' workspaces are used.
 */
export type MailSubject = { mailbox: string } | { workspaceId: string; isOfStranger?: boolean } | { source: string }

/**
 * A stranger's mailbox must not be filled with our mail, nor many strangers' with one of ours each. Whoever has
 * vouched for nothing may ask a few.
 */
const mailsPerDay = { mailbox: 3, workspace: 100, strangersWorkspace: 3, source: 10 } as const
const forgottenAtOnce = 100

export function mailLimitOf(subject: MailSubject): number {
  if ('mailbox' in subject) return mailsPerDay.mailbox
  if ('source' in subject) return mailsPerDay.source
  return subject.isOfStranger === true ? mailsPerDay.strangersWorkspace : mailsPerDay.workspace
}

/** Counts a mail that this transaction sends. Null when it may, else when the next one may. Those at once take turns. */
export async function takeConfirmationMail(
  { query }: Transaction,
  { subject, now }: { subject: MailSubject; now: Date },
): Promise<Date | null> {
  const key = keyOf(subject)
  const since = new Date(now.getTime() - dayMs)
  const recent = sql`select at from unnest(mails.sent_at) as at where at > ${since} order by at`
  const taken = await sql`
    insert into confirmation_mails as mails (subject, sent_at, last_at)
    values (${key}, array[${now}::timestamptz], ${now})
    on conflict (subject) do update
    set sent_at = array(${recent}) || excluded.sent_at, last_at = excluded.last_at
    where cardinality(array(${recent})) < ${mailLimitOf(subject)}`.execute(query)
  if (taken.numAffectedRows === 1n) return null
  const oldest = await sql<{ at: Date }>`
    select min(at) as at
    from confirmation_mails as mails, unnest(mails.sent_at) as at
    where subject = ${key}
      and at > ${since}`.execute(query)
  // Requests that arrive at once are not refused in order: the refused one may have come first.
  const first = Math.min(now.getTime(), oldest.rows[0]?.at.getTime() ?? now.getTime())
  return new Date(first + dayMs)
}

/** A reader who opened the link of one mail wants these mails, so they count no more. */
export async function forgiveConfirmationMails({ query }: Transaction, subject: MailSubject): Promise<void> {
  await query.deleteFrom('confirmation_mails').where('subject', '=', keyOf(subject)).execute()
}

/** Removes counts that have expired; at most 100 a call, and none that another process holds. */
export async function forgetConfirmationMails({ query }: Transaction, now: Date): Promise<void> {
  await query
    .deleteFrom('confirmation_mails')
    .where('subject', 'in', (from) =>
      from
        .selectFrom('confirmation_mails')
        .select('subject')
        .where('last_at', '<=', new Date(now.getTime() - dayMs))
        .orderBy('last_at')
        .limit(forgottenAtOnce)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}

function keyOf(subject: MailSubject): Buffer {
  return createHash('sha256').update(nameOf(subject)).digest()
}

function nameOf(subject: MailSubject): string {
  if ('mailbox' in subject) return `mailbox ${subject.mailbox}`
  return 'source' in subject ? `source ${subject.source}` : `workspace ${subject.workspaceId}`
}
