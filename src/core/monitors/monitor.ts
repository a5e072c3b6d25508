import { z } from 'zod'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { text } from '#core/language/text.ts'
import { type KindName, kindNames } from './kind-traits.ts'

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const severities = ['low', 'medium', 'high', 'critical'] as const
export const chartChoices = ['both', 'uptime', 'response'] as const
export const monitorStatuses = ['enabled', 'paused'] as const
export const currentStatuses = ['pending', 'up', 'down', 'degraded'] as const
export type CurrentStatus = (typeof currentStatuses)[number]

const maxRequestHeaders = 100
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/, 'Is not a header name.')
const headerValue = z
  .string()
  .max(8192)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'Holds a character that a header cannot carry.')
/** Headers that a customer has sent with checks. */
export const requestHeaders = z
  .record(headerName, headerValue)
  .refine(
    (headers) => Object.keys(headers).length <= maxRequestHeaders,
    `Must have at most ${maxRequestHeaders} headers.`,
  )
  .meta({ maxProperties: maxRequestHeaders })
export const statusBound = z.int().min(100).max(599)

/** The fields of MonitorInput with the rules that need no other field. Specification, Monitor. */
const inputShape = {
  name: text({ min: 1, max: 160 }).describe('Shown in alerts and on status pages.'),
  kind: z.enum(kindNames).describe('What is checked, which decides what `check_options` are. Default `http`.'),
  url: text({ max: 2048 }).describe('A URL, or host[:port] for network checks. Not needed where a kind has no target.'),
  method: z.enum(methods).describe('Default GET.'),
  interval_seconds: z
    .int()
    .min(10)
    .max(86_400)
    .describe('Default 300. A monitor in a plan slot has a floor of its plan: 300 on the free plan, 10 on pro.'),
  timeout_ms: z.int().min(500).max(60_000).describe('Default 10000.'),
  locations: z
    .array(z.string())
    .min(1)
    .max(10)
    .describe('Codes of locations; one for heartbeat, webhook, group and repository. Default: the first location.'),
  expected_status_min: statusBound.describe('Default 200.'),
  expected_status_max: statusBound.describe('Default 399.'),
  keyword: text({ max: 2000 }).nullable().describe('Text that the body of the answer must contain; null for none.'),
  request_headers: requestHeaders
    .nullable()
    .describe(
      'Sent with each check; kept encrypted and never returned. Left out of a change they stay, null clears them.',
    ),
  request_body: text({ max: 65_536 }).nullable().describe('Sent with each check; null for none.'),
  check_options: z
    .record(z.string(), z.unknown())
    .describe('Settings of the kind, such as `SslOptions` for `ssl`. Unknown ones are refused. Default {}.'),
  failure_threshold: z.int().min(1).max(10).describe('Failed rounds in a row before an incident opens. Default 1.'),
  recovery_threshold: z
    .int()
    .min(1)
    .max(10)
    .describe('Rounds in a row that did not fail before it resolves. Default 2.'),
  confirmation_threshold: z.int().min(1).max(10).describe('Locations that must agree that a check failed. Default 1.'),
  heartbeat_grace_seconds: z.int().min(0).max(86_400).describe('For `heartbeat` and `webhook`. Default 300.'),
  expiry_alerts: z
    .boolean()
    .describe('Alerts before the domain and the certificate expire; `http` and `api`. Default true.'),
  vulnerability_alerts: z.boolean().describe('Paid plans; `http` and `api`. Default false.'),
  vulnerability_severity: z.enum(severities).describe('The lowest severity that alerts. Default low.'),
  charts: z.enum(chartChoices).describe('What public status pages show. Default both.'),
  alert_channel_ids: z
    .array(z.uuid().toLowerCase())
    .max(100)
    .nullable()
    .describe('Contacts to alert; null, the default, for all of the workspace, [] for nobody.'),
  billing_period: z.enum(['monthly', 'lifetime']).nullable().describe('For paid monitors. Default monthly.'),
}

/** `name` is required on create, change and quote, everything else may be left out (decisions.md C3). */
const fields = { ...z.strictObject(inputShape).partial().shape, name: inputShape.name }

/** MonitorInput of the specification, for what is not there yet. */
export const monitorInputSchema = z.strictObject(fields)
export type MonitorInput = z.infer<typeof monitorInputSchema>

/** The same for a change. */
export const monitorChangeSchema = z
  .strictObject(fields)
  .describe(
    'What is left out stays as it is; defaults are those of new monitors. `check_options` replace the earlier ones ' +
      'whole, but secret ones that are left out are kept.',
  )

/** Monitor of the specification, as the API shows it. `request_headers` and secret options never appear. */
export const monitorSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(kindNames),
  url: z.string().nullable(),
  method: z.enum(methods),
  interval_seconds: z.int(),
  timeout_ms: z.int(),
  locations: z.array(z.string()),
  expected_status_min: z.int(),
  expected_status_max: z.int(),
  keyword: z.string().nullable(),
  request_body: z.string().nullable(),
  check_options: z
    .record(z.string(), z.unknown())
    .describe('Of the `kind`, as `SslOptions` for `ssl`, without the secret ones (`writeOnly` there).'),
  failure_threshold: z.int(),
  recovery_threshold: z.int(),
  confirmation_threshold: z.int(),
  heartbeat_grace_seconds: z.int().nullable(),
  expiry_alerts: z.boolean(),
  vulnerability_alerts: z.boolean(),
  vulnerability_severity: z.enum(severities),
  charts: z.enum(chartChoices),
  alert_channel_ids: z.array(z.uuid()),
  billing_period: z.enum(['monthly', 'lifetime']).nullable(),
  status: z.enum(monitorStatuses),
  current_status: z.enum(currentStatuses),
  consecutive_failures: z.int(),
  last_checked_at: z.iso.datetime().nullable(),
  next_check_at: z.iso.datetime().nullable(),
  billing: z.enum(['plan', 'paid']),
  paid_locations: z.int(),
  paid_until: z.iso.datetime().nullable(),
  billing_state: z.enum(['active', 'overdue']),
  domain_name: z.string().nullable().describe('The registered domain of the target; null until it was looked up.'),
  domain_expires_at: z.iso.datetime().nullable().describe('Null also where its registry publishes no end.'),
  cert_issuer: z.string().nullable().describe('Of the certificate that checks see; null until they saw one.'),
  cert_expires_at: z.iso.datetime().nullable(),
})
export type MonitorRecord = z.infer<typeof monitorSchema>

/** What a monitor is set to, secrets in the clear: MonitorInput with every field decided. Never leaves the service. */
export type MonitorSettings = {
  name: string
  kind: KindName
  /** Null for kinds that have no target. */
  url: string | null
  method: (typeof methods)[number]
  interval_seconds: number
  timeout_ms: number
  locations: string[]
  expected_status_min: number
  expected_status_max: number
  keyword: string | null
  request_headers: Record<string, string>
  request_body: string | null
  /** Without the secret ones. */
  check_options: Record<string, unknown>
  secret_options: Record<string, unknown>
  failure_threshold: number
  recovery_threshold: number
  confirmation_threshold: number
  heartbeat_grace_seconds: number | null
  expiry_alerts: boolean
  vulnerability_alerts: boolean
  vulnerability_severity: (typeof severities)[number]
  charts: (typeof chartChoices)[number]
  /** Null for every contact the workspace has at the time (decisions.md C25). */
  alert_channel_ids: string[] | null
}

/**
 * What a change means for the checks: `none` when neither probers nor engine read it, `settings` when they do,
 * `target` when what is watched became another thing, so that its story begins anew (decisions.md A3, B10a).
 */
export type ChangeEffect = 'none' | 'settings' | 'target'

const ignoredByChecks = [
  'name',
  'expiry_alerts',
  'vulnerability_alerts',
  'vulnerability_severity',
  'charts',
  'alert_channel_ids',
] as const satisfies readonly (keyof MonitorSettings)[]

export function changeEffect(before: MonitorSettings, after: MonitorSettings): ChangeEffect {
  if (before.kind !== after.kind || before.url !== after.url) return 'target'
  return canonicalJson(readByChecks(before)) === canonicalJson(readByChecks(after)) ? 'none' : 'settings'
}

function readByChecks(settings: MonitorSettings): Record<string, unknown> {
  const ignored: readonly string[] = ignoredByChecks
  return Object.fromEntries(Object.entries(settings).filter(([field]) => !ignored.includes(field)))
}
