import type { AlertEvent } from '#core/contacts/alert-events.ts'
import type { AlertMonitor, FindingAlert } from '#core/contacts/alerting.ts'
import { type KindName, alwaysScannedKinds, choosablyScannedKinds } from '#core/monitors/kind-traits.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { Finding } from '#core/software/vulnerability.ts'
import { isAlerted } from '#store/contacts/deliveries.ts'
import { isChosen } from '#store/contacts/held-alerts.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { type FindingRow, findingColumns, findingOrder, findingSources, toFinding } from './findings.ts'
import { isPending } from './software-reports.ts'

/** A monitor with findings that its contacts may have to be told of, held until the transaction ends. */
export type NotedMonitor = {
  key: string
  workspaceId: string
  monitor: AlertMonitor
  isRunning: boolean
  /**
   * One message tells all findings of a monitor, so it waits for software that is being compared, ten minutes at most.
   */
  isReady: boolean
}

/** The monitors that have waited longest. */
export async function holdNoted({ client }: Transaction, limit: number): Promise<NotedMonitor[]> {
  const { rows } = await client.query<NotedRow>({ name: 'hold_noted', text: holdStatement, values: [limit] })
  return rows.map((row) => ({
    key: row.key,
    workspaceId: row.workspace_id,
    isRunning: row.status === 'enabled',
    isReady: row.is_ready,
    monitor: { id: row.id, name: row.name, kind: row.kind, url: row.url, current_status: row.current_status },
  }))
}

/** The findings of one message. */
export type Told = {
  monitorKey: string
  /** The most severe ones of them. */
  findings: Finding[]
  total: number
  hasVulnerability: boolean
}

/**
 * Marks what is to be told of these monitors now as ordered, and gives it. Findings of a monitor that alerts nobody stay
 * untold: whoever is to be alerted of it later has not heard of them. Only under `holdNoted`.
 */
export async function markTold(
  { client }: Transaction,
  { keys, limit, at }: { keys: readonly string[]; limit: number; at: Date },
): Promise<Told[]> {
  const values = [keys, at, limit, alwaysScannedKinds, choosablyScannedKinds]
  const { rows } = await client.query<ToldRow>({ name: 'mark_told', text: toldStatement, values })
  return [...Map.groupBy(rows, (row) => row.monitor_key)].map(([monitorKey, ofMonitor]) => ({
    monitorKey,
    findings: ofMonitor.map(({ monitor_key: _key, total: _total, has_vulnerability: _has, ...row }) => toFinding(row)),
    total: ofMonitor[0]?.total ?? 0,
    hasVulnerability: ofMonitor[0]?.has_vulnerability ?? false,
  }))
}

/** The findings of this alert were told: it arrived at a contact. */
export async function noteTold({ client }: Transaction, { timestamp, data }: FindingAlert): Promise<void> {
  await client.query({
    name: 'note_told',
    text: `update findings
    set alerted_at = ordered_at
    where monitor_key = (select key from monitors where id = $1)
      and ordered_at = $2
      and alerted_at is distinct from ordered_at`,
    values: [data.monitor.id, timestamp],
  })
}

/** Ends the notes of monitors whose message is enqueued. Only under `holdNoted`. */
export async function endNoted({ client }: Transaction, keys: readonly string[]): Promise<void> {
  await client.query({
    name: 'end_noted',
    text: 'delete from finding_alerts where monitor_key = any($1::bigint[])',
    values: [keys],
  })
}

/** A monitor that waits for software to be compared is looked at again after so long at first. */
export const notedMs = 15_000
/** And after so long at last, or when ten minutes are over. */
const longestMs = 240_000

/** Has the monitors that wait for software looked at now, because some software was compared. */
export async function hastenNoted({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query({
    name: 'hasten_noted',
    text: `update finding_alerts
    set due_at = now()
    where monitor_key in (
      select monitor_key
      from finding_alerts
      where due_at > now()
        and due_at <= now() + $1 * interval '1 ms'
      for update skip locked
    )`,
    values: [longestMs],
  })
}

/**
 * Has them looked at again when something was compared, or else each time twice as long after they were noted: all of them
 * wait while very much is compared. Only under `holdNoted`.
 */
export async function awaitNoted({ client }: Transaction, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await client.query({
    name: 'await_noted',
    text: `update finding_alerts
    set due_at = least(
      now() + greatest(now() - since, $2 * interval '1 ms'),
      now() + $3 * interval '1 ms',
      since + interval '10 minutes'
    )
    where monitor_key = any($1::bigint[])`,
    values: [keys, notedMs, longestMs],
  })
}

/** Has them looked at again after a time. Only under `holdNoted`. */
export async function putOffNoted({ client }: Transaction, keys: readonly string[], byMs: number): Promise<void> {
  if (keys.length === 0) return
  await client.query({
    name: 'put_off_noted',
    text: `update finding_alerts set due_at = now() + $2 * interval '1 ms' where monitor_key = any($1::bigint[])`,
    values: [keys, byMs],
  })
}

type NotedRow = {
  key: string
  workspace_id: string
  id: string
  name: string
  kind: KindName
  url: string | null
  status: string
  is_ready: boolean
  current_status: CurrentStatus
}
type ToldRow = FindingRow & { monitor_key: string; total: number; has_vulnerability: boolean }

// Only some are joined: all may be due at the same time.
const holdStatement = `
select
  monitor.key, monitor.workspace_id, monitor.id, monitor.name, monitor.kind, monitor.url, monitor.status,
  state.current_status,
  noted.since < now() - interval '10 minutes' or not ${isPending('noted.monitor_key')} as is_ready
from (
  select *
  from finding_alerts
  where due_at <= now()
  order by due_at
  limit $1
  for update skip locked
) as noted
join monitors as monitor on monitor.key = noted.monitor_key
join monitor_state as state on state.monitor_key = noted.monitor_key
order by noted.due_at, noted.monitor_key
for key share of monitor skip locked`

const findingEvent = `'${'findings' satisfies AlertEvent}'`

// Told is, once, what is severe enough or was not rated, the end of support, and what is exploited; the latter once more
// where it was told before that was known. What only may apply is told while it is new.
const toldStatement = `
with wanted as materialized (
  select
    ${findingColumns},
    finding.monitor_key,
    row_number() over (
      partition by finding.monitor_key, finding.vulnerability, software.component_key
      order by finding.id
    ) as copy,
    row_number() over (partition by finding.monitor_key order by ${findingOrder}) as place
  from ${findingSources}
  join monitors as monitor on monitor.key = finding.monitor_key
  where finding.monitor_key = any($1::bigint[])
    and not software.ignored
    and (monitor.kind = any($4) or (monitor.kind = any($5) and monitor.vulnerability_alerts))
    and exists (select from alert_channels as channel where ${isAlerted} and ${isChosen(findingEvent)})
    and case
      when known.exploited_on is not null then not finding.is_told_exploited
      when coalesce(finding.ordered_at, finding.alerted_at) is not null then false
      when known.source = 'endoflife' then true
      when matched.version_known is not true and known.published_at < finding.found_at - interval '30 days' then false
      else known.severity is null
        or array_position(array['low', 'medium', 'high', 'critical'], known.severity)
          >= array_position(array['low', 'medium', 'high', 'critical'], monitor.vulnerability_severity)
    end
), marked as (
  update findings
  set ordered_at = $2, is_told_exploited = wanted.exploited_on is not null
  from wanted
  where findings.id = wanted.id
), counted as (
  select
    *,
    count(*) over (partition by monitor_key)::integer as total,
    bool_or(source <> 'endoflife') over (partition by monitor_key) as has_vulnerability,
    row_number() over (partition by monitor_key order by place) as rank
  from wanted
  where copy = 1
)
select
  id, vulnerability, aliases, product, software_name, version, version_known, summary, severity, score, fixed_in,
  fix_version, marked_fixed_version, url, source, published_at, exploited_on, $2::timestamptz as alerted_at,
  monitor_key, total, has_vulnerability
from counted
where rank <= $3
order by monitor_key, rank`
