import type { AlertEvent } from '#core/contacts/alert-events.ts'
import type { AlertExposure, AlertMonitor } from '#core/contacts/alerting.ts'
import { statefulKindNames } from '#core/contacts/contact-kinds.ts'
import { alwaysScannedKinds, choosablyScannedKinds } from '#core/monitors/kind-traits.ts'
import { isAlerted } from '#store/contacts/deliveries.ts'
import { isChosen } from '#store/contacts/held-alerts.ts'
import type { Database, Transaction } from '#store/database/database.ts'

/** Exposures of one monitor that are told together, the oldest first, and the contacts that are told. */
export type ToldExposures = {
  workspaceId: string
  monitor: AlertMonitor
  contactIds: string[]
  exposures: AlertExposure[]
  total: number
}

/** Each call tells of so many exposures at most; what is left waits for the next one. */
const atOnce = 500

/** Whether an exposure has to be told of; asked before a transaction is begun for it. */
export async function areExposuresToTell({ pool }: Pick<Database, 'pool'>, at: Date): Promise<boolean> {
  const { rows } = await pool.query<{ are: boolean }>({
    name: 'exposures_to_tell',
    text: `select
      exists (select from exposures where told_outcome is distinct from outcome)
      or exists (${remindable('$1')}) as are`,
    values: [at],
  })
  return rows[0]?.are ?? false
}

/** Keeps the exposures from being told by two processes. False where another one is at it. */
export async function holdTelling({ client }: Transaction): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    `select pg_try_advisory_xact_lock(hashtext('telling of exposures')) as held`,
  )
  return rows[0]?.held ?? false
}

/**
 * Marks ends as told, and gives what is to be told of them: each end, and once more that it is proved where that was not
 * known. The end of what a person ignored or deleted is no news. Only under `holdTelling`.
 */
export async function takeEnds({ client }: Transaction, limit: number): Promise<ToldExposures[]> {
  const { rows } = await client.query<ToldRow>({
    name: 'take_exposure_ends',
    text: endsStatement,
    values: [atOnce, limit, alwaysScannedKinds, choosablyScannedKinds, statefulKindNames],
  })
  return rows.map(toTold)
}

/**
 * Puts off the next reminder of all open exposures of monitors that have one due, and gives them. Those of paused
 * monitors wait until they run. Only under `holdTelling`.
 */
export async function takeReminders(
  { client }: Transaction,
  { at, nextAt, limit }: { at: Date; nextAt: Date; limit: number },
): Promise<ToldExposures[]> {
  const { rows } = await client.query<ToldRow>({
    name: 'take_exposure_reminders',
    text: remindersStatement,
    values: [atOnce, limit, alwaysScannedKinds, choosablyScannedKinds, statefulKindNames, at, nextAt],
  })
  return rows.map(toTold)
}

type ToldRow = AlertMonitor & {
  workspace_id: string
  contact_ids: string[]
  exposures: AlertExposure[]
  total: number
}

function toTold({
  workspace_id: workspaceId,
  contact_ids: contactIds,
  exposures,
  total,
  ...monitor
}: ToldRow): ToldExposures {
  return { workspaceId, monitor, contactIds, exposures: exposures.map(withTimes), total }
}

/** JSON has times as PostgreSQL writes them. */
function withTimes(exposure: AlertExposure): AlertExposure {
  const { opened_at: openedAt, closed_at: closedAt } = exposure
  return {
    ...exposure,
    opened_at: new Date(openedAt).toISOString(),
    closed_at: closedAt === null ? null : new Date(closedAt).toISOString(),
  }
}

const findingEvent = `'${'findings' satisfies AlertEvent}'`

/**
 * Contacts that hear of findings of the monitor. Kinds that keep alerts of their own are left out: the alert that the
 * finding made is still open there, and one that tells its end would be one more.
 */
const contactIds = `array(
    select channel.id
    from alert_channels as channel
    where ${isAlerted}
      and ${isChosen(findingEvent)}
      and channel.kind <> all ($5::text[])
  )`

/** The rows of `taken`, by monitor. */
const byMonitor = `
select
  monitor.workspace_id, monitor.id, monitor.name, monitor.kind, monitor.url, state.current_status,
  ${contactIds} as contact_ids,
  told.exposures,
  told.total
from (
  select monitor_key, count(*)::integer as total, jsonb_agg(shown order by place) filter (where place <= $2) as exposures
  from (
    select
      monitor_key,
      row_number() over (partition by monitor_key order by opened_at, id) as place,
      jsonb_build_object(
        'id', id,
        'vuln_id', vulnerability,
        'severity', severity,
        'software_name', software_name,
        'version', version,
        'fix_version', fix_version,
        'opened_at', opened_at,
        'closed_at', closed_at,
        'outcome', outcome,
        'last_version', last_version
      ) as shown
    from taken
  ) as placed
  group by monitor_key
) as told
join monitors as monitor on monitor.key = told.monitor_key
join monitor_state as state on state.monitor_key = monitor.key
where monitor.kind = any($3::text[]) or (monitor.kind = any($4::text[]) and monitor.vulnerability_alerts)
order by monitor.key`

/** Exposures of monitors that run, of which contacts are to be reminded at this time, in SQL. */
const remindable = (at: string): string => `
  select exposure.monitor_key
  from exposures as exposure
  join monitors as monitor on monitor.key = exposure.monitor_key and monitor.status = 'enabled'
  where exposure.closed_at is null
    and exposure.remind_at <= ${at}`

const endsStatement = `
with due as (
  select
    id,
    outcome not in ('ignored', 'monitor_deleted') and (told_outcome is null or outcome = 'proved') as is_news
  from exposures
  where told_outcome is distinct from outcome
  order by closed_at
  limit $1
), marked as (
  update exposures as exposure
  set told_outcome = exposure.outcome
  from due
  where exposure.id = due.id
  returning exposure.*, due.is_news
), taken as (
  select * from marked where is_news
)
${byMonitor}`

const remindersStatement = `
with due as (
  select distinct monitor_key
  from (${remindable('$6')} order by exposure.remind_at limit $1) as exposure
), taken as (
  update exposures as exposure
  set remind_at = $7
  from due
  where exposure.monitor_key = due.monitor_key
    and exposure.closed_at is null
  returning exposure.*
)
${byMonitor}`
