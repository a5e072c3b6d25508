import type { LiveCells, LiveMessage } from '../../api/overview.ts'
import { changedCellsOf } from './monitors-columns.ts'
import { type MonitorList, type MonitorRow, type Told, byName, isoOf, nothingTold } from './monitors-rows.ts'

const sparkRounds = 30

/**
 * The list as a message says it is now; `isWhole` false where everything has to be read again, which no monitor of a page
 * that has not been read is a reason for. `isReading`: pages are on their way.
 */
export function withMessage(
  list: MonitorList,
  message: LiveMessage,
  isReading = false,
): { list: MonitorList; isWhole: boolean } {
  if (message.at < list.at) return { list, isWhole: true }
  const changes = new Map(message.monitors.map(changedCellsOf).map((change) => [change.id, change]))
  let rows = list.rows.map((row) => {
    const change = changes.get(row.id)
    return change === undefined ? row : withChange(row, change)
  })
  if (rows.some(({ name }, index) => name !== list.rows[index]?.name)) rows = rows.toSorted(byName)
  const { total } = message
  const isOther = message.is_partial || message.today !== list.today
  const isAll = !list.isComplete || (total === rows.length && isAllOf(changes, list.rows))
  const isWhole = !isOther && isAll && !rows.some(isFirstChecked)
  const told = isReading ? toldAfter(list.told, changes, message.at) : nothingTold
  return { list: { ...list, rows, total, told, ...incidentsAfter(list, message) }, isWhole }
}

function toldAfter(before: Told, changes: ReadonlyMap<string, LiveCells>, at: number): Told {
  const told = new Map(before)
  for (const [id, change] of changes) told.set(id, { at, change })
  return told
}

/** What it came to is not told with the check. */
function isFirstChecked({ uptime, lastBar }: MonitorRow): boolean {
  return uptime === null && lastBar !== null && !lastBar.startsWith('n')
}

function isAllOf(changes: ReadonlyMap<string, LiveCells>, rows: readonly MonitorRow[]): boolean {
  return rows.reduce((left, { id }) => left - Number(changes.has(id)), changes.size) === 0
}

export function withChange(row: MonitorRow, change: LiveCells): MonitorRow {
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
