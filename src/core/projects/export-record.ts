// Everything that the files of a project can say of a workspace, as it is set, without its secrets.
import { z } from 'zod'
import { contactSchema } from '#core/contacts/contact-record.ts'
import { policySchema } from '#core/contacts/escalation.ts'
import { onCallScheduleSchema } from '#core/contacts/on-call-schedule.ts'
import { maintenanceSchema } from '#core/maintenance.ts'
import { monitorFields, monitorStatuses } from '#core/monitors/monitor-fields.ts'
import { partsOf } from '#core/language/tables.ts'
import { sloSchema } from '#core/objectives/slo.ts'
import { reportSchema } from '#core/reports/report.ts'
import { ownershipSchema } from './ownership.ts'
import { statusPageSchema } from '#core/status-pages/status-page.ts'

const secrets = z
  .array(z.array(z.string()))
  .describe('Where secrets are set that are not shown, such as `["request_headers", "authorization"]`.')

const { request_headers: _headers, secret_options: _options, ...kept } = partsOf(monitorFields, 'kept')

const monitor = z.strictObject({
  id: z.uuid(),
  project: ownershipSchema,
  ...kept,
  alert_channel_ids: kept.alert_channel_ids.describe('As it was chosen: null for all contacts of the workspace.'),
  billing_period: monitorFields.billing_period.shown,
  status: z.enum(monitorStatuses),
  secrets,
})
export type ExportedMonitor = z.infer<typeof monitor>

const contact = z.strictObject({ ...contactSchema.shape, project: ownershipSchema, secrets })
export type ExportedContact = z.infer<typeof contact>

const page = z.strictObject({ ...statusPageSchema.shape, project: ownershipSchema, secrets })
export type ExportedPage = z.infer<typeof page>

const window = z.strictObject({ ...maintenanceSchema.shape, project: ownershipSchema })

const schedule = z.strictObject({ ...onCallScheduleSchema.shape, project: ownershipSchema })

const policy = z.strictObject({ ...policySchema.shape, project: ownershipSchema })
export type ExportedPolicy = z.infer<typeof policy>

const settings = sloSchema.omit({ monitor_count: true, alarm: true, state: true })
const objective = z.strictObject({
  ...settings.shape,
  monitor_ids: z.array(z.uuid()).nullable().describe('Null where `tags` choose; empty where all were deleted.'),
  project: ownershipSchema,
})
export type ExportedObjective = z.infer<typeof objective>

const report = z.strictObject({ ...reportSchema.shape, project: ownershipSchema })

export const exportSchema = z.strictObject({
  exported_at: z.iso.datetime(),
  contacts: z.array(contact),
  on_call_schedules: z.array(schedule).describe('Without their overrides.'),
  escalation_policies: z.array(policy),
  monitors: z.array(monitor),
  status_pages: z.array(page),
  maintenance: z.array(window),
  objectives: z.array(objective),
  reports: z.array(report),
})
export type WorkspaceExport = z.infer<typeof exportSchema>

/** The paths of all that a value holds. */
export function pathsIn(value: unknown, path: readonly string[]): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]]
  return Object.entries(value).flatMap(([name, each]) => pathsIn(each, [...path, name]))
}
