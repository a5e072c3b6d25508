import { linkIdOf } from '#contacts/links.ts'
import type { MailMessage } from '#contacts/message.ts'
import { endReportUrl } from '#contacts/report-links.ts'
import { reportMail } from '#contacts/mails/report-mail.ts'
import type { Notice } from '#core/contacts/notice.ts'
import { duePeriod, nextSending, readPeriod } from '#core/reports/report-period.ts'
import { findLinkedContact } from '#store/contacts/contact-states.ts'
import { enqueueNotices } from '#store/contacts/notices.ts'
import type { Transaction } from '#store/database/database.ts'
import { readReportContent } from '#store/reports/report-content.ts'
import { holdDueReport, listDueReports, noteSent } from '#store/reports/report-sending.ts'
import { findReport } from '#store/reports/reports.ts'
import { eachPage } from '#jobs/runner/each-page.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const minute = 60_000
const reportsAtOnce = 500

export function reportChores(parts: JobParts): Chore[] {
  return [
    {
      name: 'send_reports',
      everyMs: minute,
      run: async (signal) => {
        const sent = await sendReports(parts, signal)
        if (sent > 0) parts.log.info('Reports were queued.', { number: sent })
      },
    },
  ]
}

/**
 * Puts the mails of the reports whose time has come into the queue; returns how many reports that were. A report that is
 * several periods late tells of the last of them alone.
 */
export async function sendReports(
  { database, log, now }: Pick<JobParts, 'database' | 'log' | 'now'>,
  signal: AbortSignal,
): Promise<number> {
  const at = now()
  let sent = 0
  await eachPage(
    {
      list: (after) => listDueReports(database, { now: at, after, limit: reportsAtOnce }),
      idOf: (id) => id,
      limit: reportsAtOnce,
      split: (ids) => ids.map((id) => [id]),
      work: async ([id = '']) => {
        if (await database.transaction((tx) => sendOne(tx, id, at))) sent += 1
      },
      onFailure: (id, error) => log.warn('A report could not be sent.', { report_id: id, error }),
    },
    signal,
  )
  return sent
}

/** The mails and the note that they are sent are one transaction, so each period is sent once, whichever process does it. */
async function sendOne(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const report = await holdDueReport(tx, id, now)
  if (report === null) return false
  const { key } = duePeriod(report, now)
  await noteSent(tx, { id, period: key, dueAt: nextSending(report, { after: now, sent: key }), now })
  if (key === report.sentPeriod) return false
  await enqueueNotices(
    tx,
    report.recipientIds.map((contactId) => ({ notice: 'report', report_id: id, contact_id: contactId, period: key })),
  )
  return true
}

/** Null when the occasion is gone: the report or its reader is, or the reader wants no more mail. */
export async function composeReport(
  notice: Extract<Notice, { notice: 'report' }>,
  { database, secrets, publicUrl, now }: JobParts,
): Promise<MailMessage | null> {
  const [report, contact] = await Promise.all([
    findReport(database, { id: notice.report_id }),
    findLinkedContact(database, notice.contact_id),
  ])
  if (report === null || contact === null || !report.recipientIds.includes(contact.id)) return null
  if (contact.kind !== 'email' || !contact.isEnabled || !contact.isConfirmed) return null
  const period = readPeriod(notice.period, report)
  if (period === null) return null
  const content = await readReportContent(database, { report, period, now: now() })
  const contactId = linkIdOf(contact)
  return reportMail(content, {
    to: contact.destination,
    publicUrl,
    unsubscribeUrl: endReportUrl(publicUrl, { reportId: report.id, contactId }, secrets),
    contactId,
    test: notice.test ?? null,
  })
}
