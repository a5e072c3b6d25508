import type { IncidentRecord, LiveMessage, LiveRow, Overview, OverviewRow, ShownState } from '../../api/overview.ts'
import type { BarDay } from '../../parts/bars.tsx'
import { readBars, readSpark } from '../../parts/bar-text.ts'
import { inLanguage } from '../../parts/language.ts'

/** A monitor as the list shows it. */
export type MonitorRow = {
  id: string
  name: string
  kind: OverviewRow[2]
  target: string | null
  state: ShownState
  isOverdue: boolean
  /** ISO 8601. */
  checkedAt: string | null
  latencyMs: number | null
  uptime: number | null
  /** As they came: only those that are looked at are read. */
  bars: string
  /** The bar of the last day where it changed since. */
  lastBar: string | null
  spark: readonly (number | null)[]
  /** As it was when everything was read: what is sorted by it stays in its place while it changes. */
  ranked: number | null
}

export type MonitorList = {
  at: number
  today: string
  /** Where its live stream goes on. */
  horizon: string
  /** By name, so that every other order is one step away. */
  rows: readonly MonitorRow[]
  /** Group monitors, by member. */
  groupsOf: ReadonlyMap<string, readonly string[]>
  incidents: readonly IncidentRecord[]
  quietSince: string | null
}

export function listOf({ monitors, groups, quiet_since: quietSince, ...rest }: Overview): MonitorList {
  const pairs = groups.flatMap(([group, members]) => members.map((member) => [member, group] as const))
  const byMember = Map.groupBy(pairs, ([member]) => member)
  const groupsOf = new Map([...byMember].map(([member, of]) => [member, of.map(([, group]) => group)]))
  return { ...rest, rows: monitors.map(rowOf).toSorted(byName), groupsOf, quietSince }
}

export const names = inLanguage((locale) => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }))

function byName(one: MonitorRow, other: MonitorRow): number {
  return names().compare(one.name, other.name) || (one.id < other.id ? -1 : 1)
}

function rowOf([
  id,
  name,
  kind,
  target,
  state,
  isOverdue,
  checkedAt,
  latencyMs,
  bars,
  uptime,
  spark,
]: OverviewRow): MonitorRow {
  const checked = checkedAt === null ? null : new Date(checkedAt).toISOString()
  const [own, points] = [{ id, name, kind, target, state, isOverdue }, readSpark(spark)]
  return { ...own, checkedAt: checked, latencyMs, uptime, bars, lastBar: null, spark: points, ranked: latencyMs }
}

const sparkRounds = 30

/** The list as a message says it is now; `isWhole` false where everything has to be read again. */
export function withMessage(list: MonitorList, message: LiveMessage): { list: MonitorList; isWhole: boolean } {
  if (message.at < list.at) return { list, isWhole: true }
  const changes = new Map(message.monitors.map((row) => [row[0], row]))
  let rows = list.rows.map((row) => {
    const change = changes.get(row.id)
    return change === undefined ? row : withChange(row, change)
  })
  if (rows.some(({ name }, index) => name !== list.rows[index]?.name)) rows = rows.toSorted(byName)
  const isOther = message.is_partial || message.today !== list.today || message.total !== rows.length
  const isWhole = !isOther && !rows.some(isFirstChecked) && isAllOf(changes, list.rows)
  return { list: { ...list, rows, ...incidentsAfter(list, message) }, isWhole }
}

/** What it came to is not told with the check. */
function isFirstChecked({ uptime, lastBar }: MonitorRow): boolean {
  return uptime === null && lastBar !== null && !lastBar.startsWith('n')
}

function isAllOf(changes: ReadonlyMap<string, LiveRow>, rows: readonly MonitorRow[]): boolean {
  return rows.reduce((left, { id }) => left - Number(changes.has(id)), changes.size) === 0
}

function withChange(row: MonitorRow, change: LiveRow): MonitorRow {
  const [, name, kind, target, state, isOverdue, at, latencyMs, lastBar] = change
  const checkedAt = at === null ? null : new Date(at).toISOString()
  const isChecked = checkedAt !== null && checkedAt !== row.checkedAt
  const spark = isChecked ? [...row.spark, latencyMs].slice(-sparkRounds) : row.spark
  return { ...row, name, kind, target, state, isOverdue, checkedAt, latencyMs, lastBar, spark }
}

type Quiet = Pick<MonitorList, 'incidents' | 'quietSince'>

function incidentsAfter({ incidents: before, quietSince }: Quiet, { incidents, at }: LiveMessage): Quiet {
  if (incidents === null) return { incidents: before, quietSince }
  const running = new Set(incidents.map(({ id }) => id))
  const isAnyOver = before.some(({ id }) => !running.has(id))
  return { incidents, quietSince: isAnyOver ? new Date(at).toISOString() : quietSince }
}

export function barsOf({ bars, lastBar }: MonitorRow, today: string): BarDay[] {
  const days = readBars(bars, today)
  return lastBar === null ? days : [...days.slice(0, -1), ...readBars(lastBar, today)]
}
