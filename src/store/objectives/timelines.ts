// What is known of the monitors of objectives: their incidents, their gaps and their maintenance, in milliseconds
// since 1970. `docs/objectives.md` says what is made of it.
import { setImmediate as breathe } from 'node:timers/promises'
import { type KindName, kindTraits } from '#core/monitors/kind-traits.ts'
import { silenceSince } from '#core/monitors/silence.ts'
import { measure, type Measured } from '#core/objectives/attainment.ts'
import { maxSloMonitors, maxWindowDays } from '#core/objectives/slo.ts'
import { intersectionOf, type Span, type Spans, unionOf } from '#core/objectives/spans.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { type Database, namedOn, type Transaction } from '#store/database/database.ts'
import { longestDays } from '#store/maintenance/maintenance-cover.ts'
import { knownAt } from '#store/monitors/record-columns.ts'

/** Some milliseconds of work; others have their turn in between. */
const monitorsAtOnce = 200

type Source = Pick<Database, 'pool'> | Transaction
type Asked = { workspaceId: string; sloIds: readonly string[]; now: Date; windowDays?: number }

/** The monitors of each objective, as measured in the longest window that an objective has, or in `windowDays`. */
export async function readMeasured(source: Source, asked: Asked): Promise<Map<string, Measured[]>> {
  const { workspaceId, now, windowDays = maxWindowDays } = asked
  const window: Span = [now.getTime() - windowDays * dayMs, now.getTime()]
  const members = await readMembers(source, asked)
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

type Members = { id: string; keys: string[] }

/** The oldest first. Objectives mostly share tags, so the monitors of each tag are read once. */
async function readMembers(source: Source, { workspaceId, sloIds }: Asked): Promise<Members[]> {
  const slos = await rowsOf<AskedRow>(source, {
    name: 'slos_asked',
    text: askedStatement,
    values: [workspaceId, sloIds],
  })
  const tags = [...new Set(slos.flatMap((slo) => slo.tags))]
  const values = [workspaceId, tags]
  const rows =
    tags.length === 0 ? [] : await rowsOf<TaggedRow>(source, { name: 'slo_tagged', text: taggedStatement, values })
  const tagged = new Map(rows.map(({ tag, monitors }) => [tag, monitors]))
  return slos.map(({ id, keys, tags: chosen }) => {
    const byAge = new Map(chosen.flatMap((tag) => tagged.get(tag) ?? []))
    const oldest = [...byAge].toSorted(([one], [other]) => one - other).slice(0, maxSloMonitors)
    return { id, keys: [...keys, ...oldest.map(([, key]) => key)] }
  })
}

type Timed = { workspaceId: string; keys: readonly string[]; window: Span }

async function readTimelines(source: Source, { workspaceId, keys, window }: Timed) {
  const [from, until] = window
  const times = [new Date(from), new Date(until)]
  const monitors = await rowsOf<MonitorRow>(source, { name: 'slo_monitors', text: monitorsStatement, values: [keys] })
  const outages = spansByNumber(
    await rowsOf<SpanRow>(source, {
      name: 'slo_outages',
      text: outagesStatement,
      values: [monitors.map(({ id }) => id), ...times],
    }),
    until,
  )
  const gaps = spansByNumber(
    await rowsOf<SpanRow>(source, {
      name: 'slo_gaps',
      text: gapsStatement,
      values: [monitors.map(({ key }) => key), ...times],
    }),
    until,
  )
  const maintenance = await readMaintenance(source, { workspaceId, keys, window })
  return monitors.map((monitor, index) => ({
    key: monitor.key,
    monitorId: monitor.id,
    name: monitor.name,
    sinceMs: monitor.since,
    down: outages.get(index + 1) ?? [],
    unknown: [...(gaps.get(index + 1) ?? []), ...tailOf(monitor, until)],
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
  const occurrences = spansByNumber(
    await rowsOf<SpanRow>(source, { name: 'slo_maintenance', text: occurrencesStatement, values }),
    until,
  )
  const covers =
    occurrences.size === 0
      ? []
      : await rowsOf<CoverRow>(source, {
          name: 'slo_maintenance_covers',
          text: coversStatement,
          values: [workspaceId, keys],
        })
  const everywhere = covers.filter(({ key }) => key === null)
  const windows = Map.groupBy(covers, ({ key }) => key)
  const united = new Map<string, Spans>()
  return (key) => {
    const all = [...everywhere, ...(windows.get(key) ?? [])]
    const name = all.map(({ window_key: of, since: begin, until: end }) => `${of} ${begin} ${end}`).join()
    const known = united.get(name)
    if (known !== undefined) return known
    const union = unionOf(
      all.flatMap(({ window_key: of, since: begin, until: end }) =>
        intersectionOf(unionOf(occurrences.get(Number(of)) ?? []), [[begin, end]]),
      ),
    )
    united.set(name, union)
    return union
  }
}

type Statement = { name: string; text: string; values: unknown[] }

async function rowsOf<Row extends object>(source: Source, statement: Statement): Promise<Row[]> {
  return (await namedOn(source).query<Row>(statement)).rows
}

/** `tags` in lower case; `keys` of monitors that are named. */
type AskedRow = { id: string; tags: string[]; keys: string[] }
type TaggedRow = { tag: string; monitors: [age: number, key: string][] }
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
/** Lists of the same length. `untils` are null of what still runs. */
type SpanRow = { of: number[]; froms: number[]; untils: (number | null)[] }
/** `key` is null where a window covers all; the times are infinite where they have no end. */
type CoverRow = { window_key: string; key: string | null; since: number; until: number }

/** By the numbers of what they are of. What still runs ends now. */
function spansByNumber(rows: readonly SpanRow[], nowMs: number): Map<number, Span[]> {
  const spans = new Map<number, Span[]>()
  for (const { of, froms, untils } of rows)
    for (const [index, number] of of.entries()) {
      const span: Span = [froms[index] ?? nowMs, untils[index] ?? nowMs]
      const known = spans.get(number)
      if (known === undefined) spans.set(number, [span])
      else known.push(span)
    }
  return spans
}

/** Doubles: numerics take several times as long. */
const ms = (time: string): string => `round(date_part('epoch', ${time}) * 1000)`

const askedStatement = `
select
  slo.id,
  array(select distinct lower(given.tag) from unnest(slo.tags) as given (tag)) as tags,
  array(
    select m.key
    from monitors m
    where m.id = any(slo.monitor_ids)
      and m.workspace_id = slo.workspace_id
    order by m.created_at, m.id
  ) as keys
from slos slo
where slo.workspace_id = $1
  and slo.id = any($2::uuid[])`

/** Of each tag the oldest monitors, as many as an objective may have; `age` is their order among those of all tags. */
const taggedStatement = `
select tag, json_agg(json_build_array(age, key::text) order by age) as monitors
from (
  select
    tag, key, dense_rank() over (order by created_at, id) as age,
    row_number() over (partition by tag order by created_at, id) as place
  from (
    select distinct lower(mine.tag) as tag, m.key, m.created_at, m.id
    from monitors m
    cross join lateral unnest(m.tags) as mine (tag)
    where m.workspace_id = $1
      and lower(mine.tag) = any($2::text[])
  ) as pairs
) as placed
where place <= ${maxSloMonitors}
group by 1`

/**
 * The spans of a group of rows, each with a number of what it is of. As JSON, because rows and arrays of PostgreSQL take
 * several times as long to be read; not all spans as one text, because parsing it would hold the thread up.
 */
function spansOf({ of, from, until }: { of: string; from: string; until: string }): string {
  return `json_agg(${of}) as of, json_agg(${ms(from)}::bigint) as froms, json_agg(${ms(until)}::bigint) as untils`
}

/** In which group spans of the asked monitors are, by their place from 1. */
const groupOfPlace = `(asked.place - 1) / ${monitorsAtOnce}`

const monitorsStatement = `
select
  m.key, m.id, m.name, m.kind, m.interval_seconds, m.timeout_ms, s.current_status,
  ${ms('m.created_at')} as since, ${ms(knownAt)} as known
from monitors m
join monitor_state s on s.monitor_key = m.key
where m.key = any($1::bigint[])
order by m.created_at, m.id`

const outagesStatement = `
select ${spansOf({ of: 'asked.place', from: 'i.started_at', until: 'i.resolved_at' })}
from unnest($1::uuid[]) with ordinality as asked (id, place)
join incidents i on i.monitor_id = asked.id
where not i.by_hand
  and i.started_at < $3
  and (i.resolved_at is null or i.resolved_at > $2)
group by ${groupOfPlace}`

const gapsStatement = `
select ${spansOf({ of: 'asked.place', from: 'g.started_at', until: 'g.ended_at' })}
from unnest($1::bigint[]) with ordinality as asked (key, place)
join monitor_gaps g on g.monitor_key = asked.key
where g.started_at < $3
  and (g.ended_at is null or g.ended_at > $2)
group by ${groupOfPlace}`

const occurrencesStatement = `
select ${spansOf({ of: 'o.window_key', from: 'o.starts_at', until: 'o.ends_at' })}
from maintenance_windows w
join maintenance_occurrences o on o.window_key = w.key
where w.workspace_id = $1
  and o.starts_at >= $2
  and o.ends_at > $3
  and o.starts_at < $4
group by o.window_key`

const coversStatement = `
select w.key as window_key, null as key, '-infinity'::float8 as since, 'infinity'::float8 as until
from maintenance_windows w
where w.workspace_id = $1
  and w.covers_all
union all
select w.key, cover.monitor_key, date_part('epoch', cover.since) * 1000, date_part('epoch', cover.until) * 1000
from maintenance_windows w
join maintenance_covers cover on cover.window_key = w.key
where w.workspace_id = $1
  and not w.covers_all
  and cover.monitor_key = any($2::bigint[])
order by window_key, key, since`
