/**
 * Every field of a monitor, once, in the order of the API. What has to know the fields is derived from this table: the
 * schemas of the API (monitor.ts), what a create and a change leave out (monitor-input.ts), the columns, their reader
 * and writer (store/monitors), the rows of the console's list (core/overview.ts), the example in the API's description.
 *
 * A new field that callers set is an entry here, a column of the same name (a migration, then `npm run schema`), and a
 * line each in monitor.test.ts for what it accepts and refuses. To be found by in the console's list it also stands in
 * `listedFields`. What else has to be decided about it the compiler asks for.
 */
import { z } from 'zod'
import { monitorRulesSchema } from '#core/contacts/alert-rules.ts'
import { text } from '#core/language/text.ts'
import { webLink } from '#core/language/web-link.ts'
import { tagsSchema } from '#core/tags.ts'
import { statusList, usualStatuses } from './expected-statuses.ts'
import { byRule, fact, setting } from './field-entry.ts'
import { kindNames } from './kind-traits.ts'
import { maxParents } from './parents.ts'
import { requestHeaders } from './request-headers.ts'

export const maxNotesLength = 4000

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const severities = ['low', 'medium', 'high', 'critical'] as const
const chartChoices = ['both', 'uptime', 'response'] as const
const billingPeriods = ['monthly', 'lifetime'] as const
const billings = ['plan', 'paid'] as const
const billingStates = ['active', 'overdue'] as const
export const monitorStatuses = ['enabled', 'paused'] as const
export const currentStatuses = ['pending', 'up', 'down', 'degraded'] as const

export const statusBound = z.int().min(100).max(599)

const options = z.record(z.string(), z.unknown())
const time = z.iso.datetime().nullable()

export const monitorFields = {
  id: fact(z.uuid(), '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10'),
  name: setting({
    input: text({ min: 1, max: 160 }).describe('Shown in alerts and on status pages.'),
    shown: z.string(),
    initial: byRule,
    onChange: 'none',
    example: 'Example site',
  }),
  kind: setting({
    input: z.enum(kindNames).describe('What is checked, which decides what `check_options` are. Default `http`.'),
    shown: z.enum(kindNames),
    initial: byRule,
    onChange: 'target',
    example: 'http',
  }),
  url: setting({
    input: text({ max: 2048 })
      .nullable()
      .describe('A URL, or host[:port] for network checks. Null, or left out, where a kind has no target.'),
    shown: z.string().nullable(),
    initial: byRule,
    onChange: 'target',
    example: 'https://example.com',
  }),
  method: setting({
    input: z.enum(methods).describe('Default GET.'),
    shown: z.enum(methods),
    initial: 'GET',
    onChange: 'settings',
    example: 'GET',
  }),
  interval_seconds: setting({
    input: z
      .int()
      .min(10)
      .max(86_400)
      .describe('Default 300. In a plan slot at least 300 on the free plan, 10 on pro.'),
    shown: z.int(),
    initial: byRule,
    onChange: 'settings',
    example: 60,
  }),
  timeout_ms: setting({
    input: z.int().min(500).max(60_000).describe('Default 10000.'),
    shown: z.int(),
    initial: 10_000,
    onChange: 'settings',
    example: 10_000,
  }),
  locations: setting({
    input: z
      .array(z.string())
      .min(1)
      .max(10)
      .describe(
        'Codes of locations; one for heartbeat, webhook, push_metric, group and repository. Default: the first.',
      ),
    shown: z.array(z.string()),
    initial: byRule,
    onChange: 'settings',
    example: ['local'],
  }),
  expected_status_min: setting({
    input: statusBound.describe('Default 200.'),
    shown: z.int(),
    initial: usualStatuses.expected_status_min,
    onChange: 'settings',
    example: 200,
  }),
  expected_status_max: setting({
    input: statusBound.describe('Default 399.'),
    shown: z.int(),
    initial: usualStatuses.expected_status_max,
    onChange: 'settings',
    example: 399,
  }),
  expected_statuses: setting({
    input: statusList.nullable().describe('In place of min and max, such as `200-299`, `401`.'),
    shown: z.array(z.string()).nullable(),
    initial: usualStatuses.expected_statuses,
    onChange: 'settings',
    example: null,
  }),
  keyword: setting({
    input: text({ max: 2000 }).nullable().describe('Text that the body of the answer must contain; null for none.'),
    shown: z.string().nullable(),
    initial: byRule,
    onChange: 'settings',
    example: 'Example Domain',
  }),
  // A secret, encrypted at rest: it is never shown.
  request_headers: {
    input: requestHeaders
      .nullable()
      .describe(
        'Sent with each check; kept encrypted and never returned. Left out of a change they stay, null clears them.',
      ),
    kept: z.record(z.string(), z.string()),
    initial: byRule,
    onChange: 'settings',
  },
  request_body: setting({
    input: text({ max: 65_536 }).nullable().describe('Sent with each check; null for none. Kept encrypted.'),
    shown: z.string().nullable(),
    initial: null,
    onChange: 'settings',
    example: null,
  }),
  check_options: setting({
    input: options.describe(
      'Settings of the kind, such as `SslOptions` for `ssl`. Unknown ones are refused. At most 64 kB of JSON, the bodies of steps aside. Default {}.',
    ),
    shown: options.describe('Of the `kind`, as `SslOptions` for `ssl`, without the secret ones (`writeOnly` there).'),
    initial: byRule,
    onChange: 'settings',
    example: { max_latency_ms: 2000 },
  }),
  // Members of `check_options` that are encrypted at rest and never shown.
  secret_options: { kept: options, initial: byRule, onChange: 'settings' },
  allow_private_target: setting({
    input: z
      .boolean()
      .describe(
        'Whether checks may reach private addresses. Only an owner who is signed in sets it; a new target by anybody ' +
          'else ends it. Default false.',
      ),
    shown: z.boolean(),
    initial: byRule,
    onChange: 'settings',
    example: false,
  }),
  failure_threshold: setting({
    input: z.int().min(1).max(10).describe('Failed rounds in a row before an incident opens. Default 1.'),
    shown: z.int(),
    initial: 1,
    onChange: 'settings',
    example: 2,
  }),
  retry_interval_seconds: setting({
    input: z
      .int()
      .min(10)
      .max(86_400)
      .nullable()
      .describe(
        'The next round after a failed one begins so soon, until an incident opens. Default null: the interval.',
      ),
    shown: z.int().nullable(),
    initial: null,
    onChange: 'settings',
    example: null,
  }),
  recovery_threshold: setting({
    input: z.int().min(1).max(10).describe('Rounds in a row that did not fail before it resolves. Default 2.'),
    shown: z.int(),
    initial: 2,
    onChange: 'settings',
    example: 2,
  }),
  confirmation_threshold: setting({
    input: z
      .int()
      .min(1)
      .max(10)
      .describe('Locations that must agree that a check failed, on as many machines if as many take part. Default 1.'),
    shown: z.int(),
    initial: 1,
    onChange: 'settings',
    example: 1,
  }),
  alert_degraded_rounds: setting({
    input: z
      .int()
      .min(1)
      .max(100)
      .nullable()
      .describe('Degraded rounds in a row that alert, although the monitor is up; null, the default, for no alert.'),
    shown: z.int().nullable(),
    initial: null,
    onChange: 'settings',
    example: null,
  }),
  alert_slow_factor: setting({
    input: z
      .int()
      .min(2)
      .max(20)
      .nullable()
      .describe(
        'How many times the usual response time alerts; null, the default, for no alert. Usual is what 95 % of the ' +
          'checks took at most at this time of day, in the last 28 days.',
      ),
    shown: z.int().nullable(),
    initial: null,
    onChange: 'settings',
    example: null,
  }),
  alert_slow_rounds: setting({
    input: z.int().min(1).max(100).describe('Slow rounds in a row that alert. Default 5.'),
    shown: z.int(),
    initial: 5,
    onChange: 'settings',
    example: 5,
  }),
  heartbeat_grace_seconds: setting({
    input: z
      .int()
      .min(0)
      .max(86_400)
      .nullable()
      .describe('For `heartbeat`, `webhook` and `push_metric`. Null is none for other kinds. Default 300.'),
    shown: z.int().nullable(),
    initial: byRule,
    onChange: 'settings',
    example: null,
  }),
  expiry_alerts: setting({
    input: z.boolean().describe('Alerts before the domain and the certificate expire; `http` and `api`. Default true.'),
    shown: z.boolean(),
    initial: true,
    onChange: 'none',
    example: true,
  }),
  vulnerability_alerts: setting({
    input: z.boolean().describe('Paid plans; `http` and `api`. Default false.'),
    shown: z.boolean(),
    initial: byRule,
    onChange: 'none',
    example: false,
  }),
  vulnerability_severity: setting({
    input: z.enum(severities).describe('The lowest severity that alerts. Default low.'),
    shown: z.enum(severities),
    initial: 'low',
    onChange: 'none',
    example: 'low',
  }),
  charts: setting({
    input: z.enum(chartChoices).describe('What public status pages show. Default both.'),
    shown: z.enum(chartChoices),
    initial: 'both',
    onChange: 'none',
    example: 'both',
  }),
  keep_evidence: setting({
    input: z
      .boolean()
      .describe(
        'Whether locations keep what they saw when a check fails: headers, addresses, certificates, and the start of the ' +
          'body where no secrets are sent. Default false.',
      ),
    shown: z.boolean(),
    initial: false,
    onChange: 'settings',
    example: false,
  }),
  // Before the contacts by id, whose present ones are shown only where there are no tags.
  alert_channel_tags: setting({
    input: tagsSchema.describe(
      'Contacts with one of these tags are alerted too, while they have it. Without `alert_channel_ids` they alone are. Default [].',
    ),
    shown: z.array(z.string()),
    initial: [],
    onChange: 'none',
    example: [],
  }),
  // Kept as null for every contact that the workspace has at the time, which are shown.
  alert_channel_ids: {
    input: z
      .array(z.uuid().toLowerCase())
      .max(100)
      .nullable()
      .describe('Contacts to alert; null, the default, for all of the workspace, [] for nobody.'),
    kept: z.array(z.uuid()).nullable(),
    shown: z.array(z.uuid()),
    initial: byRule,
    onChange: 'none',
    example: ['c2b1a0f9-8e7d-4c6b-a5f4-e3d2c1b0a9f8'],
  },
  alert_rules: setting({
    input: monitorRulesSchema
      .nullable()
      .describe('Which of its alerts are sent, and when; replaced whole. Default null: all of them, at once.'),
    shown: monitorRulesSchema.nullable(),
    initial: null,
    onChange: 'none',
    example: { after_minutes: 5, critical: true },
  }),
  escalation_policy_id: setting({
    input: z
      .uuid()
      .toLowerCase()
      .nullable()
      .describe('The policy by which its outages are told; null, the default, for that of the workspace.'),
    shown: z.uuid().nullable(),
    initial: null,
    onChange: 'none',
    example: null,
  }),
  tags: setting({
    input: tagsSchema.describe('Words by which monitors are found and chosen. Default [].'),
    shown: z.array(z.string()),
    initial: [],
    onChange: 'none',
    example: ['production'],
  }),
  notes: setting({
    input: text({ max: maxNotesLength }).nullable().describe('Markdown, also in alerts.'),
    shown: z.string().nullable(),
    initial: null,
    onChange: 'none',
    example: null,
  }),
  runbook_url: setting({
    input: webLink.nullable().describe('Alerts link it.'),
    shown: z.string().nullable(),
    initial: null,
    onChange: 'none',
    example: null,
  }),
  // Kept also where a parent is gone, since a delete locks no other monitors; shown without it.
  depends_on: setting({
    input: z
      .array(z.uuid().toLowerCase())
      .max(maxParents)
      .describe('Such as its router: who was told of an outage there is not told of this one.'),
    shown: z.array(z.uuid()),
    initial: [],
    onChange: 'settings',
    example: [],
  }),
  // Chosen at create and paid for, so that it is no setting: a change may only repeat it.
  billing_period: {
    input: z.enum(billingPeriods).nullable().describe('For paid monitors. Default monthly.'),
    ...fact(z.enum(billingPeriods).nullable(), null),
  },
  status: fact(z.enum(monitorStatuses), 'enabled'),
  current_status: fact(z.enum(currentStatuses), 'up'),
  consecutive_failures: fact(z.int(), 0),
  last_checked_at: fact(time, '2026-01-31T12:00:00.000Z'),
  next_check_at: fact(time, '2026-01-31T12:01:00.000Z'),
  unknown_since: fact(
    time.describe(
      'Since when nobody can tell how the monitor is: its locations lost their own network or are away, or what they found could not be stored. `current_status` stays what was known last. Null while it is known, of paused monitors, and of kinds that no location checks.',
    ),
    null,
  ),
  billing: fact(z.enum(billings), 'plan'),
  paid_locations: fact(z.int(), 0),
  paid_until: fact(time, null),
  billing_state: fact(z.enum(billingStates), 'active'),
  domain_name: fact(
    z.string().nullable().describe('The registered domain of the target; null until it was looked up.'),
    null,
  ),
  domain_expires_at: fact(time.describe('Null also where its registry publishes no end.'), null),
  cert_issuer: fact(
    z.string().nullable().describe('Of the certificate that checks see; null until they saw one.'),
    null,
  ),
  cert_expires_at: fact(time, null),
} as const

/**
 * What the console's list has of each monitor, beside its state and its past: to show it, to find and to group by it.
 * Rows travel as lists in this order. web/src/pages/monitors/monitors-columns.ts says what each is found by.
 */
export const listedFields = [
  'id',
  'name',
  'kind',
  'url',
  'tags',
  'locations',
] as const satisfies readonly (keyof typeof monitorFields)[]
export type ListedField = (typeof listedFields)[number]
