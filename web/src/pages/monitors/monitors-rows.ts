import type {
  IncidentRecord,
  LiveCells,
  LiveMessage,
  Overview,
  OverviewCells,
  OverviewRow,
} from '../../api/overview.ts'
import type { BarDay } from '../../parts/bars.tsx'
import { readBars, readSpark } from '../../parts/bar-text.ts'
import { inLanguage } from '../../parts/language.ts'
import { cellsOf, changedCellsOf } from './monitors-columns.ts'

/** A monitor as the list shows it. `bars` are read where they are looked at. */
export type MonitorRow = Omit<OverviewCells, 'checkedAt' | 'spark'> & {
  /** ISO 8601. */
  checkedAt: string | null
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

function rowOf(row: OverviewRow): MonitorRow {
  const { checkedAt, spark, ...rest } = cellsOf(row)
  return { ...rest, checkedAt: isoOf(checkedAt), spark: readSpark(spark), lastBar: null, ranked: rest.latencyMs }
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

const sparkRounds = 30

/** The list as a message says it is now; `isWhole` false where everything has to be read again. */
export function withMessage(list: MonitorList, message: LiveMessage): { list: MonitorList; isWhole: boolean } {
  if (message.at < list.at) return { list, isWhole: true }
  const changes = new Map(message.monitors.map(changedCellsOf).map((change) => [change.id, change]))
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

function isAllOf(changes: ReadonlyMap<string, LiveCells>, rows: readonly MonitorRow[]): boolean {
  return rows.reduce((left, { id }) => left - Number(changes.has(id)), changes.size) === 0
}

function withChange(row: MonitorRow, change: LiveCells): MonitorRow {
  const { bar: lastBar, checkedAt: checkedMs, ...head } = change
  const checkedAt = isoOf(checkedMs)
  const isChecked = checkedAt !== null && checkedAt !== row.checkedAt
  const spark = isChecked ? [...row.spark, head.latencyMs].slice(-sparkRounds) : row.spark
  return { ...row, ...head, checkedAt, lastBar, spark }
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
