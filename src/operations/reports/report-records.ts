import { fail } from '#core/language/error.ts'
import type { ReportRecord } from '#core/reports/report.ts'
import type { SendingTimes } from '#core/reports/report-period.ts'
import { type StoredReport, findReport } from '#store/reports/reports.ts'
import type { Context } from '#operations/pipeline/operation.ts'

export async function findReportOf(
  { caller: { workspaceId }, services }: Context,
  { id = '' }: Record<string, string>,
): Promise<StoredReport> {
  return (await findReport(services.database, { workspaceId, id })) ?? reportGone()
}

export function toReportRecord(report: StoredReport): ReportRecord {
  return {
    id: report.id,
    name: report.name,
    period: report.type,
    time_zone: report.timeZone,
    weekday: report.weekday,
    hour: report.hour,
    monitor_ids: report.monitorIds,
    tags: report.tags,
    objective: report.objective,
    recipients: report.recipientIds,
    enabled: report.dueAt !== null,
    next_at: report.dueAt?.toISOString() ?? null,
    last_sent_at: report.sentAt?.toISOString() ?? null,
    last_period: report.sentPeriod,
    created_at: report.createdAt.toISOString(),
  }
}

export function sendingTimesOf(settings: {
  period: SendingTimes['type']
  time_zone: string
  weekday: number
  hour: number
}): SendingTimes {
  const { period: type, time_zone: timeZone, weekday, hour } = settings
  return { type, timeZone, weekday, hour }
}

export function reportGone(): never {
  throw fail('not_found', 'There is no such report in this workspace.')
}
