import { nextDueAt } from '#core/monitors/schedule.ts'
import { kindNames, kindTraits } from '#core/monitors/kind-traits.ts'
import { chartChoices, currentStatuses, methods, monitorStatuses, severities } from '#core/monitors/monitor-fields.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { type Database, type Transaction, preparedOn } from '#store/database/database.ts'
import { type ReportBounds, pastColumns, pastSources } from './report-bounds.ts'
import { type RowValues, choicesOf, rowValues } from '#store/database/row-text.ts'

export type MonitorScope = { workspaceId: string; monitorId: string }

/** All of a workspace, oldest first; slots and the cap on paid monitors bound their number. */
export async function listMonitors(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<MonitorRecord[]> {
  // Not a named statement: how a workspace is read best depends on how many monitors it has.
  const [found, channels] = await Promise.all([
    pool.query<{ record: string }>(listStatement, [workspaceId]),
    pool.query<{ ids: string[] }>({ name: 'channel_ids', text: `select ${channelIds} as ids`, values: [workspaceId] }),
  ])
  const channelIdsOfAll = channels.rows[0]?.ids ?? []
  return found.rows.map(({ record }) => readRecord(record, { now, channelIds: channelIdsOfAll }))
}

export async function findMonitor(
  source: Database | Transaction,
  { workspaceId, monitorId, now }: MonitorScope & { now: Date },
): Promise<MonitorRecord | undefined> {
  const found = await preparedOn(source).query<FoundRow>({
    name: 'find_monitor',
    text: findStatement,
    values: [workspaceId, monitorId],
  })
  const [row] = found.rows
  return row === undefined ? undefined : readRecord(row.record, { now, channelIds: row.channelIds })
}

/** Those of these monitors that the workspace has, in no order. */
export async function findMonitors(
  { client }: Transaction,
  { workspaceId, monitorIds, now }: { workspaceId: string; monitorIds: readonly string[]; now: Date },
): Promise<MonitorRecord[]> {
  const found = await client.query<FoundRow>(findManyStatement, [workspaceId, monitorIds])
  return found.rows.map(({ record, channelIds: ids }) => readRecord(record, { now, channelIds: ids }))
}

export type KnownMonitor = { record: MonitorRecord; past: ReportBounds }

/** The same with what its reports have to know beforehand. */
export async function findKnownMonitor(
  { planned }: Pick<Database, 'planned'>,
  { workspaceId, monitorId, today, now }: MonitorScope & { today: string; now: Date },
): Promise<KnownMonitor | undefined> {
  const found = await planned.query<FoundRow & ReportBounds>({
    name: 'find_known_monitor',
    text: findKnownStatement,
    values: [workspaceId, monitorId, today],
  })
  const [row] = found.rows
  if (row === undefined) return undefined
  const { record, channelIds: ids, ...past } = row
  return { record: readRecord(record, { now, channelIds: ids }), past }
}

type FoundRow = { record: string; channelIds: string[] }

const choices = {
  kind: choicesOf(kindNames),
  method: choicesOf(methods),
  severity: choicesOf(severities),
  charts: choicesOf(chartChoices),
  billingPeriod: choicesOf(['monthly', 'lifetime']),
  status: choicesOf(monitorStatuses),
  currentStatus: choicesOf(currentStatuses),
  billing: choicesOf(['plan', 'paid']),
  billingState: choicesOf(['active', 'overdue']),
}

/** In the order in which `readRecord` takes them. */
const recordRow = `
row(
  m.id, m.name, m.kind, m.url, m.method, m.interval_seconds, m.timeout_ms, m.locations, m.expected_status_min,
  m.expected_status_max, m.keyword, m.request_body, m.check_options, m.failure_threshold, m.recovery_threshold,
  m.confirmation_threshold, m.heartbeat_grace_seconds, m.expiry_alerts, m.vulnerability_alerts,
  m.vulnerability_severity, m.charts, m.alert_channel_ids, m.billing_period, m.status, s.current_status,
  s.consecutive_failures, s.last_checked_at, s.deadline_at, m.billing, m.paid_locations, m.paid_until,
  m.billing_state, registration.name, registration.expires_at, certificate.issuer, certificate.expires_at
)::text as record`

/** `channelIds` are all contacts of the workspace: whom a monitor alerts that names nobody (decisions.md C25). */
type Moment = { now: Date; channelIds: readonly string[] }

function readRecord(row: string, { now, channelIds: all }: Moment): MonitorRecord {
  const next = rowValues(row)
  const settings = {
    id: next.text(),
    name: next.text(),
    kind: next.oneOf(choices.kind),
    url: next.textOrNull(),
    method: next.oneOf(choices.method),
    interval_seconds: next.integer(),
    timeout_ms: next.integer(),
    locations: next.textsOrNull() ?? [],
    expected_status_min: next.integer(),
    expected_status_max: next.integer(),
    keyword: next.textOrNull(),
    request_body: next.textOrNull(),
    check_options: next.json(),
    failure_threshold: next.integer(),
    recovery_threshold: next.integer(),
    confirmation_threshold: next.integer(),
    heartbeat_grace_seconds: next.integerOrNull(),
    expiry_alerts: next.boolean(),
    vulnerability_alerts: next.boolean(),
    vulnerability_severity: next.oneOf(choices.severity),
    charts: next.oneOf(choices.charts),
    alert_channel_ids: next.textsOrNull() ?? [...all],
    billing_period: next.oneOfOrNull(choices.billingPeriod),
    status: next.oneOf(choices.status),
  }
  return { ...settings, ...readState(next, settings, now), ...readPayment(next), ...readExpiries(next) }
}

type Schedule = Pick<MonitorRecord, 'id' | 'kind' | 'status' | 'interval_seconds'>
type State = Pick<MonitorRecord, 'current_status' | 'consecutive_failures' | 'last_checked_at' | 'next_check_at'>

function readState(next: RowValues, schedule: Schedule, now: Date): State {
  return {
    current_status: next.oneOf(choices.currentStatus),
    consecutive_failures: next.integer(),
    last_checked_at: timeText(next.timeOrNull()),
    next_check_at: timeText(nextCheckAt(schedule, { deadline: next.timeOrNull(), now })),
  }
}

/** For a monitor that waits to be called: when the next call is missed. */
function nextCheckAt(
  { id, kind, status, interval_seconds: interval }: Schedule,
  { deadline, now }: { deadline: Date | null; now: Date },
): Date | null {
  if (status === 'paused') return null
  return kindTraits[kind].source === 'called' ? deadline : nextDueAt(id, interval, now)
}

function readPayment(
  next: RowValues,
): Pick<MonitorRecord, 'billing' | 'paid_locations' | 'paid_until' | 'billing_state'> {
  return {
    billing: next.oneOf(choices.billing),
    paid_locations: next.integer(),
    paid_until: timeText(next.timeOrNull()),
    billing_state: next.oneOf(choices.billingState),
  }
}

function readExpiries(
  next: RowValues,
): Pick<MonitorRecord, 'domain_name' | 'domain_expires_at' | 'cert_issuer' | 'cert_expires_at'> {
  return {
    domain_name: next.textOrNull(),
    domain_expires_at: timeText(next.timeOrNull()),
    cert_issuer: next.textOrNull(),
    cert_expires_at: timeText(next.timeOrNull()),
  }
}

function timeText(time: Date | null): string | null {
  return time?.toISOString() ?? null
}

// What was seen of an earlier target counts for nothing.
const recordSources = `
monitors m
join monitor_state s on s.monitor_key = m.key
left join monitor_expiries registration
  on registration.monitor_key = m.key
  and registration.target_version = m.target_version
  and registration.subject = 'domain'
left join monitor_expiries certificate
  on certificate.monitor_key = m.key
  and certificate.target_version = m.target_version
  and certificate.subject = 'certificate'`

const channelIds = 'array(select id from alert_channels where workspace_id = $1 order by created_at, id)'

const listStatement = `
select ${recordRow}
from ${recordSources}
where m.workspace_id = $1
order by m.created_at, m.id`

const findStatement = `
select ${recordRow}, ${channelIds} as "channelIds"
from ${recordSources}
where m.workspace_id = $1
  and m.id = $2`

const findManyStatement = `
select ${recordRow}, ${channelIds} as "channelIds"
from ${recordSources}
where m.workspace_id = $1
  and m.id = any($2)`

const findKnownStatement = `
select ${recordRow}, ${channelIds} as "channelIds", ${pastColumns}
from ${recordSources}
${pastSources}
where m.workspace_id = $1
  and m.id = $2`
