import type { ReportContent } from '#core/reports/report-content.ts'
import type { ReportInput, ReportRecord } from '#core/reports/report.ts'
import { api } from './console.ts'

export type { ReportContent, ReportRecord }
/** What a form says of a report; the service refuses what is wrong in it. */
export type ReportDraft = Omit<ReportInput, 'period' | 'weekday' | 'hour' | 'objective'> & {
  period: string
  weekday: number
  hour: number
  objective: number | string
}

/** Requests about the reports of a workspace. */
export type ReportsApi = {
  /** The oldest first. */
  list: () => Promise<ReportRecord[]>
  add: (report: ReportDraft) => Promise<ReportRecord>
  change: (id: string, change: Partial<ReportDraft>) => Promise<ReportRecord>
  remove: (id: string) => Promise<void>
  /** Mails the last period to all recipients. */
  send: (id: string) => Promise<{ period: string; recipients: number }>
  /** `period` such as `2026-W47`; of the last one without. */
  read: (id: string, period: string | undefined) => Promise<ReportContent>
}

export function reportsApi(workspaceId: string): ReportsApi {
  const { get, list, post, patch, remove } = api(workspaceId)
  const root = '/reports'
  return {
    list: () => list(root),
    add: (report) => post(root, report),
    change: (id, change) => patch(`${root}/${id}`, change),
    remove: (id) => remove(`${root}/${id}`),
    send: (id) => post(`${root}/${id}/send`, undefined),
    read: (id, period) =>
      get(`${root}/${id}/content${period === undefined ? '' : `?period=${encodeURIComponent(period)}`}`),
  }
}
