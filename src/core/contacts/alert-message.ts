// What a webhook gets, as the API's document describes it.
import { z } from 'zod'
import { incidentStatuses } from '#core/incidents/incident.ts'
import { currentStatuses } from '#core/monitors/monitor-fields.ts'
import { kindNames } from '#core/monitors/kind-traits.ts'
import { resultStatuses } from '#core/results/result.ts'
import { comparisonShape } from '#core/software/comparison.ts'
import { exposureSchema } from '#core/software/exposure.ts'
import { findingSchema } from '#core/software/vulnerability.ts'
import { bundleType } from './alerting.ts'

const monitorSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(kindNames),
  url: z.string().nullable().describe('The target without user, password, query and fragment.'),
  current_status: z.enum(currentStatuses),
  notes: z
    .string()
    .optional()
    .describe('The beginning of its notes, if it has any; not in alerts that something has ended.'),
  runbook_url: z.string().optional().describe('Its runbook, if it has one; not in alerts that something has ended.'),
})

const incidentSchema = z.strictObject({
  id: z.uuid(),
  status: z.enum(incidentStatuses),
  title: z.string(),
  cause: z.string().nullable(),
  started_at: z.iso.datetime(),
  resolved_at: z.iso.datetime().nullable(),
  by_hand: z.literal(true).optional().describe('Present if a person or a program created it.'),
})

const resultSchema = z.strictObject({
  status: z.enum(resultStatuses),
  status_code: z.int().nullable(),
  latency_ms: z.number().nullable(),
  location_code: z.string(),
  error: z.string().nullable(),
})

const episodeSchema = z.strictObject({
  id: z.uuid(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable().describe('Null in the alert of its beginning.'),
})

const namesSchema = z.strictObject({
  total: z.int(),
  names: z.array(z.string()).describe('The names of the first 20.'),
})

const sloSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  objective: z.number().describe('In percent.'),
  window_days: z.int(),
  reason: z.enum(['burning', 'used_up']).nullable().describe('Null once it has recovered.'),
  attained: z.number().nullable().describe('In percent.'),
  budget_left_seconds: z.number(),
  budget_left_percent: z.number(),
  burn_rate: z.number().nullable(),
  burn_seconds: z.number().nullable(),
  ends_at: z.iso.datetime().nullable().describe('When the budget is used up at the rate of the last 24 hours.'),
})

const maintenanceSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  monitors: namesSchema.describe('The monitors that it covers and that alert the contact.'),
})

const acknowledgeUrl = z.url().optional().describe('Present if the contact has acknowledge links switched on.')
const closed = z.string().optional().describe('Why it ended without recovering.')

const ofMonitor = { monitor: monitorSchema, incident: z.null(), result: z.null(), acknowledge_url: acknowledgeUrl }
const ofNoMonitor = { ...ofMonitor, monitor: z.null() }
const ofEpisode = { ...ofMonitor, result: resultSchema, episode: episodeSchema, closed }
const ofEnd = { ...ofMonitor, expires_at: z.iso.datetime(), days_left: z.int(), seen_at: z.iso.datetime() }

const exposureMembers = {
  id: true,
  vuln_id: true,
  severity: true,
  software_name: true,
  version: true,
  fix_version: true,
  opened_at: true,
  closed_at: true,
  outcome: true,
  last_version: true,
} as const

function message<const Type extends string, Data extends z.ZodRawShape>(types: readonly Type[], shape: Data) {
  return z.strictObject({ type: z.enum(types), timestamp: z.iso.datetime(), data: z.strictObject(shape) })
}

const single = {
  StatusAlert: message(['monitor.down', 'monitor.up', 'monitor.reminder'], {
    ...ofMonitor,
    incident: incidentSchema,
    result: resultSchema.nullable().describe('Null for an incident that was created by hand.'),
    children: namesSchema.optional().describe('Monitors that depend on the one that is down.'),
    closed,
  }),
  DegradedAlert: message(['monitor.degraded', 'monitor.degraded_ended'], ofEpisode),
  SlowAlert: message(['monitor.slow', 'monitor.slow_ended'], {
    ...ofEpisode,
    response_time: z.strictObject({ measured_ms: z.number(), usual_ms: z.number(), slow_from_ms: z.number() }),
  }),
  UnstableAlert: message(['monitor.unstable', 'monitor.unstable_ended'], {
    ...ofMonitor,
    episode: episodeSchema,
    changes: z.int().describe('How often outages began or ended within `within_minutes`.'),
    within_minutes: z.int(),
    closed,
  }),
  DomainAlert: message(['domain.expiring'], { ...ofEnd, domain_name: z.string() }),
  CertificateAlert: message(['certificate.expiring'], {
    ...ofEnd,
    cert_host: z.string(),
    cert_issuer: z.string().nullable(),
  }),
  FindingAlert: message(['vulnerability.found', 'end_of_life.reached'], {
    ...ofMonitor,
    findings: z.array(findingSchema).describe('The most severe of `total` new ones.'),
    total: z.int(),
    comparison: comparisonShape.comparison.optional(),
    compared: comparisonShape.compared.optional(),
    entries_to_compare: comparisonShape.entries_to_compare.optional(),
  }),
  ExposureAlert: message(['exposure.reminder', 'exposure.ended'], {
    ...ofMonitor,
    exposures: z.array(exposureSchema.pick(exposureMembers)).describe('The oldest of `total`.'),
    total: z.int(),
  }),
  SloAlert: message(['slo.burning', 'slo.recovered'], { ...ofNoMonitor, slo: sloSchema, episode: episodeSchema }),
  MaintenanceAlert: message(['maintenance.started', 'maintenance.ended'], {
    ...ofNoMonitor,
    maintenance: maintenanceSchema,
    episode: episodeSchema,
  }),
  TestAlert: message(['test'], ofNoMonitor),
}

const singleSchema = z.discriminatedUnion('type', [
  single.StatusAlert,
  single.DegradedAlert,
  single.SlowAlert,
  single.UnstableAlert,
  single.DomainAlert,
  single.CertificateAlert,
  single.FindingAlert,
  single.ExposureAlert,
  single.SloAlert,
  single.MaintenanceAlert,
  single.TestAlert,
])

const bundleSchema = message([bundleType], {
  ...ofNoMonitor,
  total: z.int(),
  down: z.int().describe('How many outages are ongoing.'),
  up: z.int().describe('How many outages have ended.'),
  alerts: z.array(singleSchema).describe('The alerts that fit, of `total`.'),
})

/** An alert as its webhook gets it. */
export const alertMessageSchema = z.discriminatedUnion('type', [...singleSchema.options, bundleSchema])
export type AlertMessage = z.infer<typeof alertMessageSchema>

/** By their names in the API's document. */
export const alertMessages: Readonly<Record<string, z.ZodType>> = {
  AlertMessage: alertMessageSchema,
  SingleAlert: singleSchema,
  ...single,
  BundleAlert: bundleSchema,
}
