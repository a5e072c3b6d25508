import { partsOf, valuesOf } from '#core/language/tables.ts'
import { monitorFields } from '#core/monitors/monitor-fields.ts'
import {
  type LiveCells,
  type LiveRow,
  type OverviewCells,
  type OverviewRow,
  liveColumns,
  overviewColumns,
} from '#core/overview.ts'

/** The values of a row by name. */
export function cellsOf(row: OverviewRow): OverviewCells
export function cellsOf(row: readonly unknown[]): object {
  return Object.fromEntries(overviewColumns.map((column, place) => [column, row[place]]))
}

/** The same of a row of the live stream. */
export function liveCellsOf(row: LiveRow): LiveCells
export function liveCellsOf(row: readonly unknown[]): object {
  return Object.fromEntries(liveColumns.map((column, place) => [column, row[place]]))
}

const checked = {
  ...partsOf(monitorFields, 'example'),
  state: 'up',
  isOverdue: false,
  checkedAt: null,
  unknownFrom: null,
  latencyMs: null,
} as const

/** A row of the overview as the service sends it; what is left out is as in the API's example. */
export function overviewRow(cells: Partial<OverviewCells>): OverviewRow {
  return valuesOf({ ...checked, bars: 'n89u1', uptime: 100, watchedSince: null, spark: '', ...cells }, overviewColumns)
}

/** The same for a message of the live stream. */
export function liveRow(cells: Partial<LiveCells>): LiveRow {
  return valuesOf({ ...checked, bar: 'u1', ...cells }, liveColumns)
}
