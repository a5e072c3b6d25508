import type { IncidentRecord, LiveCells, OverviewCells, OverviewPage, OverviewRow } from '../../api/overview.ts'
import type { BarDay } from '../../parts/bars.tsx'
import { readBars, readSpark } from '../../parts/bar-text.ts'
import { inLanguage } from '../../parts/language.ts'
import { cellsOf } from './monitors-columns.ts'

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
  /** False while there are pages that have not been read. */
  isComplete: boolean
  /** How many monitors there are, as was told last; null before. */
  total: number | null
  /** What was told while pages were read, by monitor: a page that comes may be older. */
  told: Told
}

export type Told = ReadonlyMap<string, { at: number; change: LiveCells }>
export const nothingTold: Told = new Map()

export function listOf(page: OverviewPage): MonitorList {
  const { monitors, groups, quiet_since: quietSince, next_cursor: next, ...rest } = page
  return {
    ...rest,
    rows: rowsOf(monitors),
    groupsOf: byMember(groups),
    quietSince,
    isComplete: next === null,
    total: null,
    told: nothingTold,
  }
}

export function byMember(groups: OverviewPage['groups']): MonitorList['groupsOf'] {
  const pairs = groups.flatMap(([group, members]) => members.map((member) => [member, group] as const))
  const grouped = Map.groupBy(pairs, ([member]) => member)
  return new Map([...grouped].map(([member, of]) => [member, of.map(([, group]) => group)]))
}

export function rowsOf(monitors: OverviewPage['monitors']): MonitorRow[] {
  return monitors.map(rowOf).toSorted(byName)
}

export const names = inLanguage((locale) => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }))

export function byName(one: MonitorRow, other: MonitorRow): number {
  return names().compare(one.name, other.name) || (one.id < other.id ? -1 : 1)
}

function rowOf(row: OverviewRow): MonitorRow {
  const { checkedAt, spark, ...rest } = cellsOf(row)
  return { ...rest, checkedAt: isoOf(checkedAt), spark: readSpark(spark), lastBar: null, ranked: rest.latencyMs }
}

export function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

export function barsOf({ bars, lastBar }: MonitorRow, today: string): BarDay[] {
  const days = readBars(bars, today)
  return lastBar === null ? days : [...days.slice(0, -1), ...readBars(lastBar, today)]
}
