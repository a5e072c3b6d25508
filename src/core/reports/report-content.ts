// What a report says of a period.
import { z } from 'zod'
import { severities } from '#core/monitors/monitor-fields.ts'
import { periodTypes } from './report-period.ts'

/** So many incidents, slow monitors, expiries and new findings are named; the numbers are of all. */
export const most = { monitors: 500, incidents: 20, slowest: 10, expiring: 50, findings: 10 }
/** What ends within so many days is told. */
export const expiryDays = 30

const percent = z.number().min(0).max(100).nullable()
const ms = z.int().nullable()
const time = z.iso.datetime()

const totalsSchema = z.strictObject({
  uptime: percent.describe('The mean of the monitors; null where none was checked.'),
  downtime_seconds: z.int().describe('Length of the incidents, without maintenance that uptime leaves out.'),
  incidents: z.int().describe('Incidents that were ongoing in the period, whenever they began.'),
})
export type ReportTotals = z.infer<typeof totalsSchema>

const monitorSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  uptime: percent.describe('Null without checks in the period.'),
  met: z.boolean().nullable().describe('Whether `uptime` reaches the objective.'),
  previous_uptime: percent,
  downtime_seconds: z.int(),
  incidents: z.int(),
  measured_since: time.nullable().describe('Only if later than the start of the period.'),
})
export type ReportedMonitor = z.infer<typeof monitorSchema>

const incidentSchema = z.strictObject({
  id: z.uuid(),
  monitor_id: z.uuid(),
  monitor_name: z.string(),
  cause: z.string().nullable(),
  started_at: time,
  resolved_at: time.nullable(),
  downtime_seconds: z.int().describe('Downtime within the period.'),
})

const slowSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  latency_ms: z.int().describe('Mean of the checks that were not down.'),
  p95_ms: ms.describe('The 95th percentile over the UTC days of the period.'),
  previous_latency_ms: ms,
  previous_p95_ms: ms,
})

const expirySchema = z.strictObject({
  monitor_id: z.uuid(),
  monitor_name: z.string(),
  subject: z.enum(['certificate', 'domain']),
  name: z.string(),
  expires_at: time,
})

const findingSchema = z.strictObject({
  monitor_id: z.uuid(),
  monitor_name: z.string(),
  vuln_id: z.string(),
  severity: z.enum(severities).nullable(),
  software: z.string(),
  version: z.string().nullable(),
})

export const reportContentSchema = z.strictObject({
  report: z.strictObject({ id: z.uuid(), name: z.string() }),
  workspace: z.string(),
  period: z.strictObject({
    key: z.string(),
    type: z.enum(periodTypes),
    time_zone: z.string(),
    first_day: z.iso.date(),
    last_day: z.iso.date(),
    starts_at: time,
    ends_at: time,
    previous_key: z.string(),
    next_key: z.string().nullable().describe('Null until the next period has ended.'),
  }),
  generated_at: time.describe('Expiries and findings are those of this time.'),
  objective: z.number(),
  totals: totalsSchema.extend({ met: z.boolean().nullable() }),
  previous: totalsSchema.describe('The totals of the previous period.'),
  monitor_count: z.int(),
  missed_count: z.int().describe('Monitors that missed the objective.'),
  monitors: z.array(monitorSchema).describe(`Worst first, at most ${most.monitors}.`),
  acknowledged_count: z.int().describe('How many incidents that began in the period were acknowledged.'),
  mean_seconds_to_acknowledge: z.int().nullable(),
  mean_seconds_to_recover: z.int().nullable().describe('The mean over the incidents that ended in the period.'),
  incidents: z.array(incidentSchema).describe(`Longest first, at most ${most.incidents}.`),
  slowest: z.array(slowSchema).describe(`Slowest mean first, at most ${most.slowest}.`),
  expiring_count: z.int(),
  expiring: z
    .array(expirySchema)
    .describe(`What expires within ${expiryDays} days, soonest first, at most ${most.expiring}.`),
  findings: z.strictObject({
    open: z.int(),
    exploited: z.int(),
    critical: z.int(),
    high: z.int(),
    medium: z.int(),
    low: z.int(),
    unrated: z.int(),
    new: z.int().describe('Found in the period and still open.'),
    newest: z.array(findingSchema).describe(`New findings, most severe first, at most ${most.findings}.`),
  }),
  exposures: z
    .strictObject({
      open: z.int().describe('Open now.'),
      closed: z.int().describe('Ended in the period.'),
      proved: z.int().describe('Of these, by scans from several locations.'),
      median_seconds: z.int().nullable().describe('The median time that those which ended in the period were open.'),
    })
    .describe('Software with vulnerabilities that are known to be exploited.'),
  notes: z.array(z.string()).describe('Sentences about what is not known of the period.'),
})
export type ReportContent = z.infer<typeof reportContentSchema>
