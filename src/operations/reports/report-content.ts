import { z } from 'zod'
import { fail, invalidFields } from '#core/language/error.ts'
import { reportContentSchema } from '#core/reports/report-content.ts'
import { type ReportPeriod, lastEndedPeriod, periodKeySchema, readPeriod } from '#core/reports/report-period.ts'
import { testMinutes } from '#core/reports/report.ts'
import { enqueueNotices } from '#store/contacts/notices.ts'
import { readReportContent } from '#store/reports/report-content.ts'
import { noteTest } from '#store/reports/report-sending.ts'
import type { StoredReport } from '#store/reports/reports.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { randomUUID } from 'node:crypto'
import { findReportOf } from './report-records.ts'

const shared = { tag: 'Account', subject: 'report' } as const

const read = defineOperation({
  ...shared,
  name: 'get_report_content',
  method: 'GET',
  path: '/reports/{id}/content',
  scope: 'read',
  summary: 'Show what a report says of a past week or month',
  description: 'Without `period`, the last one.',
  query: { schema: z.object({ period: periodKeySchema.optional() }) },
  errors: [401, 404, 422],
  success: { status: 200, description: 'The report.', schema: z.strictObject({ data: reportContentSchema }) },
  find: findReportOf,
  run: async ({ services, now }, { target: report, query }) => {
    const period = periodOf(report, { asked: query.period, now })
    return { status: 200, body: { data: await readReportContent(services.database, { report, period, now }) } }
  },
})

const send = defineOperation({
  ...shared,
  name: 'send_report',
  method: 'POST',
  path: '/reports/{id}/send',
  scope: 'write',
  summary: 'Send a report now, as a test',
  description: `Goes to its recipients, about the last period, at most once every ${testMinutes} minutes.`,
  errors: [401, 403, 404, 422],
  success: {
    status: 202,
    description: 'The mails are on their way.',
    schema: z.strictObject({ data: z.strictObject({ period: z.string(), recipients: z.int() }) }),
  },
  find: findReportOf,
  run: async ({ services, now }, { target: report }) => {
    const { id, recipientIds } = report
    if (recipientIds.length === 0) throw invalidFields({ recipients: ['The report has no recipients left.'] })
    const { key: period } = periodOf(report, { asked: undefined, now })
    const since = new Date(now.getTime() - testMinutes * 60_000)
    await services.database.transaction(async (tx) => {
      const last = await noteTest(tx, { id, since, now })
      if (last !== null) throw tooSoon(Math.ceil((last.getTime() - since.getTime()) / 1000))
      const test = randomUUID()
      await enqueueNotices(
        tx,
        recipientIds.map((contactId) => ({ notice: 'report', report_id: id, contact_id: contactId, period, test })),
      )
    })
    return { status: 202, body: { data: { period, recipients: recipientIds.length } } }
  },
})

export const reportContentOperations = [read, send]

function periodOf(
  { type, timeZone }: StoredReport,
  { asked, now }: { asked: string | undefined; now: Date },
): ReportPeriod {
  if (asked === undefined) return lastEndedPeriod({ type, timeZone }, now)
  const period = readPeriod(asked, { type, timeZone })
  const what = type === 'weekly' ? 'week, such as 2026-W47' : 'month, such as 2026-10'
  if (period === null) throw invalidFields({ period: [`Must be a ${what}.`] })
  if (period.until > now) throw invalidFields({ period: ['Has not ended yet.'] })
  return period
}

function tooSoon(seconds: number) {
  const message = `It was sent as a test within the last ${testMinutes} minutes. Try again in ${seconds} s.`
  return fail('rate_limited', message, { retryAfterSeconds: seconds })
}
