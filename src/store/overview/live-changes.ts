import type { IncidentRecord } from '#core/incidents/incident.ts'
import { writeBars } from '#core/results/bar-text.ts'
import { type LiveRow, shownIncidents } from '#core/overview.ts'
import { dayMs, dayOf } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { type Horizon, horizon, isNewSince } from './horizon.ts'
import { type IncidentRow, newestIncidentsOf, toIncident } from '#store/incidents/monitor-incidents.ts'
import { headColumns, latenciesOf, numberOrNull, readDayShare, readHead } from './overview-rows.ts'
import { runningIncidentsOf } from './overview.ts'
import { orNull, textColumn, textsColumn } from '#store/database/columns.ts'
import { valuesIn } from '#store/database/row-text.ts'

/** The most changes of a workspace in one reading; a watcher that is told as many reads everything anew. */
export const changesAtOnce = 1000

/** `seal` names the row's two versions: what is read again with the same seal has not changed since. */
export type ChangedMonitor = { seal: string; row: LiveRow }

export type Changes = { workspaceId: string; total: number; monitors: ChangedMonitor[]; incidents: IncidentRecord[] }

/** A workspace, and where what was read of it ended. */
export type Seen = { id: string; since: Horizon }

export type Reading = { at: number; today: string; horizon: Horizon; workspaces: Changes[] }

/** Where a reading would end now. */
export async function readHorizon({ pool }: Pick<Database, 'pool'>): Promise<Horizon> {
  const found = await pool.query<{ horizon: Horizon }>(`select ${horizon} as horizon`)
  return found.rows[0]?.horizon ?? '0'
}

/**
 * What was written to the monitors of these workspaces, at least one, and to their states, since then. The rows
 * themselves say which transaction wrote them (`xmin`), so nothing that is committed late is overlooked, and no writer
 * does more for it; what is written while an older transaction runs is read several times.
 */
export async function readChanges(
  { pool }: Pick<Database, 'pool'>,
  { workspaces, now }: { workspaces: readonly Seen[]; now: Date },
): Promise<Reading> {
  const today = dayOf(now)
  const found = await pool.query<ChangesRow>(changesStatement, [
    workspaces.map(({ id }) => id),
    workspaces.map(({ since }) => since),
    today,
    new Date(now.getTime() - dayMs),
    new Date(now.getTime() + dayMs),
  ])
  const [first] = found.rows
  return {
    at: first?.at ?? now.getTime(),
    today,
    horizon: first?.horizon ?? '0',
    workspaces: found.rows.map(({ workspaceId, total, records, incidents }) => {
      return { workspaceId, total, monitors: records.map(readChanged), incidents: incidents.map(toIncident) }
    }),
  }
}

type ChangesRow = {
  workspaceId: string
  at: number
  horizon: Horizon
  total: number
  records: string[]
  incidents: IncidentRow[]
}

const latencies = orNull(textsColumn)
const day = orNull(textColumn)

function readChanged(record: string): ChangedMonitor {
  const next = valuesIn(record)
  const seal = next(textColumn)
  const head = readHead(next)
  const latencyMs = (next(latencies) ?? []).map(numberOrNull).find((ms) => ms !== null) ?? null
  return { seal, row: [...head(latencyMs), writeBars([readDayShare(next(day) ?? '0')])] }
}

const changesStatement = `
select
  w.id as "workspaceId",
  floor(extract(epoch from statement_timestamp()) * 1000)::float8 as at,
  ${horizon} as horizon,
  (select count(*) from monitors where workspace_id = w.id)::integer as total,
  array(
    select row(
      m.xmin::text || ' ' || s.xmin::text, ${headColumns},
      ${latenciesOf({ since: '$4', until: '$5', rounds: 2 })},
      (
        select checks || ' ' || down || ' ' || restricted
        from uptime_days
        where monitor_key = m.key
          and day = $3::date
      )
    )::text
    from monitors m
    join monitor_state s on s.monitor_key = m.key
    where m.workspace_id = w.id
      and (${isNewSince('m', 'w.since')} or ${isNewSince('s', 'w.since')})
    order by s.last_checked_at desc nulls last, m.id
    limit ${changesAtOnce}
  ) as records,
  (
    with running as materialized (${runningIncidentsOf('w.id')}
    )
    select ${newestIncidentsOf({ source: 'running', limit: shownIncidents })}
  ) as incidents
from unnest($1::uuid[], $2::bigint[]) as w (id, since)`

/** A person who looks at a workspace by a session. */
export type Watch = { sessionId: string; personId: string; workspaceId: string }

/** Whether each of them still may: the session has not ended, and the person is a member of the open workspace. */
export async function areWatchesAllowed(
  { pool }: Pick<Database, 'pool'>,
  watches: readonly Watch[],
  now: Date,
): Promise<boolean[]> {
  const found = await pool.query<{ allowed: boolean[] }>({
    name: 'are_watches_allowed',
    text: watchesStatement,
    values: [
      watches.map(({ sessionId }) => sessionId),
      watches.map(({ personId }) => personId),
      watches.map(({ workspaceId }) => workspaceId),
      now,
    ],
  })
  return found.rows[0]?.allowed ?? []
}

const watchesStatement = `
select array(
  select exists (
    select
    from people.session session
    join members member on member.person_id = session."userId"
    join workspaces workspace on workspace.id = member.workspace_id
    where session.id = watch.session_id
      and session."userId" = watch.person_id
      and session."expiresAt" > $4
      and member.workspace_id = watch.workspace_id
      and workspace.closed_at is null
  )
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as watch (session_id, person_id, workspace_id, place)
  order by watch.place
) as allowed`
