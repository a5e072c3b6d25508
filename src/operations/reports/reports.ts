import { z } from 'zod'
import { type Fields, invalidFields } from '#core/language/error.ts'
import {
  type ReportChange,
  type ReportInput,
  type ReportRecord,
  aboutNone,
  isAboutSome,
  maxReports,
  reportChangeSchema,
  reportInputSchema,
  reportSchema,
} from '#core/reports/report.ts'
import { nextSending } from '#core/reports/report-period.ts'
import type { Transaction } from '#store/database/database.ts'
import {
  deleteReport,
  findReport,
  holdReport,
  insertReport,
  listReports,
  setRecipients,
  setReportMonitors,
  updateReport,
} from '#store/reports/reports.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { findReportOf, reportGone, sendingTimesOf, toReportRecord } from './report-records.ts'

const shared = { tag: 'Account', subject: 'report' } as const
const one = z.strictObject({ data: reportSchema })

const list = defineOperation({
  ...shared,
  name: 'list_reports',
  method: 'GET',
  path: '/reports',
  scope: 'read',
  summary: 'List the reports of the workspace, oldest first',
  errors: [401],
  success: { status: 200, description: 'Reports.', schema: z.strictObject({ data: z.array(reportSchema) }) },
  run: async ({ caller: { workspaceId }, services }) => {
    const reports = await listReports(services.database, { workspaceId })
    return { status: 200, body: { data: reports.map(toReportRecord) } }
  },
})

const create = defineOperation({
  ...shared,
  name: 'create_report',
  method: 'POST',
  path: '/reports',
  scope: 'write',
  summary: 'Create a report that is mailed every week or month',
  description: `A workspace has at most ${maxReports}.`,
  body: { schema: reportInputSchema, isRequired: true, schemaName: 'ReportInput' },
  makes: 'reports',
  errors: [401, 403, 422],
  success: { status: 201, description: 'The report.', schema: one },
  run: async ({ caller: { workspaceId }, services, now, noteChange }, { body: input }) => {
    const made = await services.database.transaction(async (tx) => {
      const id = await insertReport(tx, { workspaceId, input, dueAt: dueAt(input, { now, sent: null }) })
      await takeMembers(tx, { workspaceId, id, input })
      noteChange({ id, name: input.name })
      return (await findReport(tx, { workspaceId, id })) ?? reportGone()
    })
    return { status: 201, body: { data: toReportRecord(made) } }
  },
})

const update = defineOperation({
  ...shared,
  name: 'update_report',
  method: 'PATCH',
  path: '/reports/{id}',
  scope: 'write',
  summary: 'Change a report',
  description: 'A period that was already sent is not sent again.',
  body: { schema: reportChangeSchema, isRequired: true, schemaName: 'ReportChange' },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The report.', schema: one },
  find: findReportOf,
  run: async ({ caller: { workspaceId }, services, now }, { body: change, target: { id } }) => {
    const changed = await services.database.transaction(async (tx) => {
      const held = (await holdReport(tx, { workspaceId, id })) ?? reportGone()
      const settings = changedBy(toReportRecord(held), change)
      const isChoosing = change.monitor_ids !== undefined || change.tags !== undefined
      if (isChoosing && !isAboutSome(settings)) throw invalidFields({ monitor_ids: [aboutNone] })
      // One that is due already leaves with the next run of the job, whatever is changed meanwhile.
      const isDue = settings.enabled && held.dueAt !== null && held.dueAt <= now
      const due = isDue ? held.dueAt : dueAt(settings, { now, sent: held.sentPeriod })
      await updateReport(tx, { id, settings, dueAt: due })
      await takeMembers(tx, { workspaceId, id, input: change })
      return (await findReport(tx, { workspaceId, id })) ?? reportGone()
    })
    return { status: 200, body: { data: toReportRecord(changed) } }
  },
})

const remove = defineOperation({
  ...shared,
  name: 'delete_report',
  method: 'DELETE',
  path: '/reports/{id}',
  scope: 'write',
  summary: 'Delete a report',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The report was deleted.' },
  find: findReportOf,
  run: async ({ services }, { target: { id } }) => {
    await services.database.transaction(async (tx) => {
      if (!(await deleteReport(tx, id))) reportGone()
    })
    return { status: 204, body: undefined }
  },
})

export const reportOperations = [list, create, update, remove]

type Settings = Pick<ReportInput, 'period' | 'time_zone' | 'weekday' | 'hour' | 'enabled' | 'monitor_ids' | 'tags'>

function dueAt(settings: Settings, { now, sent }: { now: Date; sent: string | null }): Date | null {
  return settings.enabled ? nextSending(sendingTimesOf(settings), { after: now, sent }) : null
}

function changedBy(record: ReportRecord, change: ReportChange): Omit<ReportInput, 'recipients'> {
  return {
    name: change.name ?? record.name,
    period: change.period ?? record.period,
    time_zone: change.time_zone ?? record.time_zone,
    weekday: change.weekday ?? record.weekday,
    hour: change.hour ?? record.hour,
    monitor_ids: change.monitor_ids === undefined ? record.monitor_ids : change.monitor_ids,
    tags: change.tags ?? record.tags,
    objective: change.objective ?? record.objective,
    enabled: change.enabled ?? record.enabled,
  }
}

type Taking = {
  workspaceId: string
  id: string
  input: { monitor_ids?: readonly string[] | null | undefined; recipients?: readonly string[] | undefined }
}

/** Contacts before monitors, as every transaction takes them. */
async function takeMembers(tx: Transaction, { workspaceId, id, input }: Taking): Promise<void> {
  const { monitor_ids: monitorIds, recipients } = input
  const fields: Fields = {}
  if (recipients !== undefined) {
    const [unknown] = await setRecipients(tx, { workspaceId, id, ids: recipients })
    if (unknown !== undefined) fields['recipients'] = [`${unknown} is no confirmed email contact of this workspace.`]
  }
  if (monitorIds !== undefined) {
    const [unknown] = await setReportMonitors(tx, { workspaceId, id, ids: monitorIds ?? [] })
    if (unknown !== undefined) fields['monitor_ids'] = [`There is no monitor ${unknown} in this workspace.`]
  }
  if (Object.keys(fields).length > 0) throw invalidFields(fields)
}
