// What is known of the monitors of objectives: their incidents, their gaps and their maintenance, in milliseconds
// since 1970. `docs/objectives.md` says what is made of it.
import { setImmediate as breathe } from 'node:timers/promises'
import { type KindName, kindTraits } from '#core/monitors/kind-traits.ts'
import { silenceSince } from '#core/monitors/silence.ts'
import { measure, type Measured } from '#core/objectives/attainment.ts'
import { maxSloMonitors, maxWindowDays } from '#core/objectives/slo.ts'
import { type Span, type Spans, unionOf } from '#core/objectives/spans.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { type Database, namedOn, type Transaction } from '#store/database/database.ts'
import { longestDays } from '#store/maintenance/maintenance-cover.ts'
import { knownAt } from '#store/monitors/record-columns.ts'
import { sharesTag } from '#store/tags.ts'

/** Some milliseconds of work; others have their turn in between. */
const monitorsAtOnce = 200

type Source = Pick<Database, 'pool'> | Transaction
type Asked = { workspaceId: string; sloIds: readonly string[]; now: Date; windowDays?: number }

/** The monitors of each objective, as measured in the longest window that an objective has, or in `windowDays`. */
export async function readMeasured(source: Source, asked: Asked): Promise<Map<string, Measured[]>> {
  const { workspaceId, sloIds, now, windowDays = maxWindowDays } = asked
  const window: Span = [now.getTime() - windowDays * dayMs, now.getTime()]
  const members = await rowsOf<MemberRow>(source, {
    name: 'slo_members',
    text: membersStatement,
    values: [workspaceId, sloIds],
  })
  const keys = [...new Set(members.flatMap(({ keys: of }) => of))]
  const measured = new Map<string, Measured>()
  const timelines = keys.length === 0 ? [] : await readTimelines(source, { workspaceId, keys, window })
  for (const [index, { key, ...timeline }] of timelines.entries()) {
    measured.set(key, measure(timeline, window))
    if (index % monitorsAtOnce === monitorsAtOnce - 1) await breathe()
  }
  return new Map(
    members.map(({ id, keys: of }) => [
      id,
      of.flatMap((key) => {
        const found = measured.get(key)
        return found === undefined ? [] : [found]
      }),
    ]),
  )
}

type Timed = { workspaceId: string; keys: readonly string[]; window: Span }

async function readTimelines(source: Source, { workspaceId, keys, window }: Timed) {
  const [from, until] = window
  const times = [new Date(from), new Date(until)]
  const monitors = await rowsOf<MonitorRow>(source, { name: 'slo_monitors', text: monitorsStatement, values: [keys] })
  const outages = spansByKey(
    await rowsOf<SpanRow>(source, {
      name: 'slo_outages',
      text: outagesStatement,
      values: [monitors.map(({ id }) => id), ...times],
    }),
  )
  const gaps = spansByKey(
    await rowsOf<SpanRow>(source, { name: 'slo_gaps', text: gapsStatement, values: [keys, ...times] }),
  )
  const maintenance = await readMaintenance(source, { workspaceId, keys, window })
  return monitors.map((monitor) => ({
    key: monitor.key,
    monitorId: monitor.id,
    name: monitor.name,
    sinceMs: monitor.since,
    down: (outages.get(monitor.id) ?? []).map((span) => ended(span, until)),
    unknown: [...(gaps.get(monitor.key) ?? []).map((span) => ended(span, until)), ...tailOf(monitor, until)],
    maintenance: maintenance(monitor.key),
  }))
}

/** A monitor that is silent, or was never checked, is measured until its last word. */
function tailOf(monitor: MonitorRow, nowMs: number): Spans {
  const { kind, known, current_status: status, interval_seconds: interval, timeout_ms: timeoutMs } = monitor
  if (status === 'pending') return [[known, nowMs]]
  if (kindTraits[kind].source !== 'probed') return []
  const rhythm = { intervalMs: interval * 1000, timeoutMs: Math.max(timeoutMs, kindTraits[kind].longestCheckMs) }
  const since = silenceSince(rhythm, { knownMs: known, nowMs })
  return since === null ? [] : [[since, nowMs]]
}

/** Of a monitor by its key. Monitors that the same windows cover share what was put in order once. */
async function readMaintenance(source: Source, { workspaceId, keys, window }: Timed): Promise<(key: string) => Spans> {
  const [from, until] = window
  const since = new Date(from - longestDays * dayMs)
  const values = [workspaceId, since, new Date(from), new Date(until)]
  const occurrences = spansByKey(
    await rowsOf<SpanRow>(source, { name: 'slo_maintenance', text: occurrencesStatement, values }),
  )
  const covers =
    occurrences.size === 0
      ? []
      : await rowsOf<CoverRow>(source, {
          name: 'slo_maintenance_covers',
          text: coversStatement,
          values: [workspaceId, keys],
        })
  const everywhere = covers.flatMap(({ window_key: of, key }) => (key === null ? [of] : []))
  const windows = new Map<string, string[]>()
  for (const { window_key: of, key } of covers) if (key !== null) windows.set(key, [...(windows.get(key) ?? []), of])
  const united = new Map<string, Spans>()
  return (key) => {
    const all = [...everywhere, ...(windows.get(key) ?? [])]
    const name = all.join()
    const known = united.get(name)
    if (known !== undefined) return known
    const union = unionOf(all.flatMap((of) => (occurrences.get(of) ?? []).map((span) => ended(span, until))))
    united.set(name, union)
    return union
  }
}

type Statement = { name: string; text: string; values: unknown[] }

async function rowsOf<Row extends object>(source: Source, statement: Statement): Promise<Row[]> {
  return (await namedOn(source).query<Row>(statement)).rows
}

type MemberRow = { id: string; keys: string[] }
type MonitorRow = {
  key: string
  id: string
  name: string
  kind: KindName
  interval_seconds: number
  timeout_ms: number
  current_status: string
  since: number
  known: number
}
/** `until` is null of what still runs. */
type SpanRow = { key: string; from: number; until: number | null }
type CoverRow = { window_key: string; key: string | null }

type OpenSpan = Pick<SpanRow, 'from' | 'until'>

function ended({ from, until }: OpenSpan, now: number): Span {
  return [from, until ?? now]
}

function spansByKey(rows: readonly SpanRow[]): Map<string, OpenSpan[]> {
  const spans = new Map<string, OpenSpan[]>()
  for (const row of rows) {
    const known = spans.get(row.key)
    if (known === undefined) spans.set(row.key, [row])
    else known.push(row)
  }
  return spans
}

/** Doubles: numerics take several times as long. */
const ms = (time: string): string => `round(date_part('epoch', ${time}) * 1000)`

const membersStatement = `
select slo.id, array(
  select chosen.key
  from (
    select m.key, m.created_at, m.id
    from monitors m
    where m.id = any(slo.monitor_ids)
      and m.workspace_id = slo.workspace_id
    union all
    select m.key, m.created_at, m.id
    from monitors m
    where slo.monitor_ids is null
      and m.workspace_id = slo.workspace_id
      and ${sharesTag('m.tags', 'slo.tags')}
  ) as chosen
  order by chosen.created_at, chosen.id
  limit ${maxSloMonitors}
) as keys
from slos slo
where slo.workspace_id = $1
  and slo.id = any($2::uuid[])`

const monitorsStatement = `
select
  m.key, m.id, m.name, m.kind, m.interval_seconds, m.timeout_ms, s.current_status,
  ${ms('m.created_at')} as since, ${ms(knownAt)} as known
from monitors m
join monitor_state s on s.monitor_key = m.key
where m.key = any($1::bigint[])
order by m.created_at, m.id`

const outagesStatement = `
select i.monitor_id as key, ${ms('i.started_at')} as from, ${ms('i.resolved_at')} as until
from incidents i
where i.monitor_id = any($1::uuid[])
  and i.started_at < $3
  and (i.resolved_at is null or i.resolved_at > $2)`

const gapsStatement = `
select g.monitor_key as key, ${ms('g.started_at')} as from, ${ms('g.ended_at')} as until
from monitor_gaps g
where g.monitor_key = any($1::bigint[])
  and g.started_at < $3
  and (g.ended_at is null or g.ended_at > $2)`

const occurrencesStatement = `
select o.window_key as key, ${ms('o.starts_at')} as from, ${ms('o.ends_at')} as until
from maintenance_windows w
join maintenance_occurrences o on o.window_key = w.key
where w.workspace_id = $1
  and o.starts_at >= $2
  and o.ends_at > $3
  and o.starts_at < $4`

const coversStatement = `
select w.key as window_key, c.monitor_key as key
from maintenance_windows w
left join maintenance_monitors c on c.window_key = w.key and c.monitor_key = any($2::bigint[])
where w.workspace_id = $1
  and (w.covers_all or c.monitor_key is not null)
order by w.key`
