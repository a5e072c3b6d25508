// Monitors that keep going down and coming back: their alerts become one, and later ones wait.
import { randomUUID } from 'node:crypto'
import type { UnstableAlert } from '#core/contacts/alerting.ts'
import { type Flapping, foldChange, unstableText } from '#core/incidents/flapping.ts'
import type { Transaction } from '#store/database/database.ts'
import { beginEpisodes } from '#store/incidents/episodes.ts'
import { tellClosed } from './closed-occasions.ts'
import type { AlertOrder } from './deliveries.ts'
import { readFirstTold } from './step-contacts.ts'

/**
 * Counts outages and their ends as changes of monitors that have such a rule, and returns what is to be told instead. The
 * change that makes a monitor unstable is told as that. From then on an outage is told once it has lasted as long as the
 * rule says, so one that ends before is told by nothing. Called for what no maintenance keeps back: planned changes do
 * not count.
 */
export async function foldUnstable(tx: Transaction, orders: readonly AlertOrder[]): Promise<AlertOrder[]> {
  const courses = await holdCourses(
    tx,
    orders.filter(isChange).map(({ monitorId }) => monitorId),
  )
  if (courses.size === 0) return [...orders]
  const told: AlertOrder[] = []
  for (const order of orders) {
    const course = courses.get(order.monitorId)
    told.push(...(course === undefined || !isChange(order) ? [order] : await foldOrder(tx, course, order)))
  }
  await writeCourses(tx, [...courses.values()])
  return told
}

function isChange({ alert: { type } }: AlertOrder): boolean {
  return type === 'monitor.down' || type === 'monitor.up'
}

type Course = {
  id: string
  key: number
  version: number
  rule: Flapping
  changes: number[]
  isUnstable: boolean
  /** What the monitor depends on was down lately or is unstable, so that its own changes say nothing of it. */
  isCarried: boolean
}

async function foldOrder(tx: Transaction, course: Course, order: AlertOrder): Promise<AlertOrder[]> {
  const { changes, sight } = foldChange(course, order.at.getTime(), course.rule)
  course.changes = changes
  if (sight === 'usual' || (sight === 'begins' && course.isCarried)) return [order]
  if (sight === 'goes_on') return [putOff(order, course)]
  const begun = await begin(tx, course, order)
  if (begun === null) return [order]
  course.isUnstable = true
  if (order.alert.type === 'monitor.down') return [begun, putOff(order, course)]
  if (order.incidentId !== null)
    await tellClosed(tx, [
      {
        id: order.incidentId,
        type: 'incident',
        at: order.at,
        reason: 'The monitor is unstable. One alert says so instead.',
      },
    ])
  return [begun]
}

function putOff(order: AlertOrder, { rule }: Course): AlertOrder {
  return order.alert.type === 'monitor.down'
    ? { ...order, holdMinutes: rule.within_minutes }
    : { ...order, isForTold: true }
}

/** Null where a maintenance keeps the episode from beginning. */
async function begin(tx: Transaction, course: Course, order: AlertOrder): Promise<AlertOrder | null> {
  const { key: monitorKey, version, rule, changes } = course
  const episodeId = randomUUID()
  const startedAt = new Date(changes[0] ?? order.at.getTime())
  const begun = await beginEpisodes(tx, 'unstable', [
    {
      id: episodeId,
      monitorKey,
      version,
      startedAt,
      at: order.at,
      message: unstableText(changes.length, rule),
      details: { changes: changes.length, within_minutes: rule.within_minutes },
    },
  ])
  if (!begun.has(episodeId) || order.alert.data.monitor === null) return null
  const { workspaceId, monitorId, at } = order
  const alert: UnstableAlert = {
    type: 'monitor.unstable',
    timestamp: at.toISOString(),
    data: {
      monitor: order.alert.data.monitor,
      incident: null,
      result: null,
      episode: { id: episodeId, started_at: startedAt.toISOString(), ended_at: null },
      changes: changes.length,
      within_minutes: rule.within_minutes,
    },
  }
  const contactIds = await readFirstTold(tx, monitorId)
  return {
    workspaceId,
    monitorId,
    incidentId: null,
    episodeId,
    alert,
    at,
    ...(contactIds === null ? {} : { contactIds }),
  }
}

type CourseRow = Omit<Course, 'changes'> & { changes: Date[] | null }

async function holdCourses({ client }: Transaction, monitorIds: readonly string[]): Promise<Map<string, Course>> {
  if (monitorIds.length === 0) return new Map()
  const { rows } = await client.query<CourseRow>({ name: 'hold_changes', text: holdStatement, values: [monitorIds] })
  return new Map(
    rows.map(({ changes, ...row }) => [row.id, { ...row, changes: (changes ?? []).map((at) => at.getTime()) }]),
  )
}

async function writeCourses({ client }: Transaction, courses: readonly Course[]): Promise<void> {
  await client.query({
    name: 'write_changes',
    text: writeStatement,
    values: [
      JSON.stringify(
        courses.map(({ key, changes }) => ({ key, changes: changes.map((at) => new Date(at).toISOString()) })),
      ),
    ],
  })
}

const holdStatement = `
select
  m.id, m.key::float8 as key, s.version, m.alert_rules -> 'flapping' as rule, s.recent_changes as changes,
  s.unstable_episode is not null as "isUnstable",
  exists (
    select
    from monitors as parent
    join monitor_state as state on state.monitor_key = parent.key
    where parent.id = any(m.depends_on)
      and parent.status = 'enabled'
      and (
        state.unstable_episode is not null
        or exists (
          select
          from incidents as outage
          where outage.monitor_id = parent.id
            and not outage.by_hand
            and (
              outage.status <> 'resolved'
              or outage.resolved_at > now() - interval '1 minute' * (m.alert_rules #>> '{flapping,within_minutes}')::integer
            )
        )
      )
  ) as "isCarried"
from monitors as m
join monitor_state as s on s.monitor_key = m.key
where m.id = any($1::uuid[])
  and m.alert_rules ? 'flapping'
order by m.key
for no key update of s`

const writeStatement = `
update monitor_state as s
set recent_changes = written.changes
from jsonb_to_recordset($1::jsonb) as written (key bigint, changes timestamptz[])
where s.monitor_key = written.key`
