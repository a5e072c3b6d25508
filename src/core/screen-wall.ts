// What a screen shows of its monitors, and how it is laid out: who reads it stands some metres away.
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { unknownSinceMs } from '#core/monitors/unknown-since.ts'

/** In the order in which they want to be seen. */
export const wallStates = ['down', 'unknown', 'degraded', 'pending', 'up', 'paused'] as const
export type WallState = (typeof wallStates)[number]

/** What is known of a monitor: enough to tell its state, and nothing else of it. */
export type Seen = Pick<
  MonitorRecord,
  'name' | 'kind' | 'status' | 'current_status' | 'interval_seconds' | 'timeout_ms'
> & { knownAtMs: number; downSinceMs: number | null }

export type WallMonitor = { name: string; state: WallState }

export type Wall = {
  /** What is wrong first, then by name. Where there are more than fit, those that need somebody. */
  tiles: WallMonitor[]
  /** How many monitors are in a state; states without any are left out. */
  counts: { state: WallState; count: number }[]
  /** The same for those without a tile. */
  others: { state: WallState; count: number }[]
  all: number
  /** Since when the first of those that are down is. */
  downSince: Date | null
}

/** So many tiles can be read from some metres; beyond them the others are a number. */
export const maxTiles = 80
/** How many tiles there are where the others are a number: what needs somebody is larger then. */
const maxTroubled = 30

/** The wall of these monitors at this moment, in the order of this language. */
export function wallOf(seen: readonly Seen[], { now, locale }: { now: Date; locale: string }): Wall {
  const names = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })
  const monitors = seen
    .map((monitor) => ({ name: monitor.name, state: wallStateOf(monitor, now) }))
    .toSorted((one, other) => rank(one) - rank(other) || names.compare(one.name, other.name))
  const tiles =
    monitors.length <= maxTiles
      ? monitors
      : monitors.filter(({ state }) => state !== 'up' && state !== 'paused').slice(0, maxTroubled)
  const shown = new Set(tiles)
  const downSince = seen
    .filter((monitor) => wallStateOf(monitor, now) === 'down')
    .reduce((first, { downSinceMs }) => Math.min(first, downSinceMs ?? Infinity), Infinity)
  return {
    tiles,
    counts: countsOf(monitors),
    others: countsOf(monitors.filter((monitor) => !shown.has(monitor))),
    all: monitors.length,
    downSince: downSince === Infinity ? null : new Date(downSince),
  }
}

/** What was down stays so until it is known to be up: its incident goes on. */
export function wallStateOf(monitor: Seen, now: Date): WallState {
  if (monitor.status === 'paused') return 'paused'
  const { current_status: current, knownAtMs } = monitor
  if (current === 'down') return 'down'
  return unknownSinceMs(monitor, { knownAtMs, nowMs: now.getTime() }) === null ? current : 'unknown'
}

function rank({ state }: WallMonitor): number {
  return wallStates.indexOf(state)
}

function countsOf(monitors: readonly WallMonitor[]): Wall['counts'] {
  return wallStates
    .map((state) => ({ state, count: monitors.filter((monitor) => monitor.state === state).length }))
    .filter(({ count }) => count > 0)
}

/** Names are short lines: a tile of this shape, width to height, holds two of them and the state. */
const tileShape = 2.2
const mostColumns = 12

export type Grid = { columns: number; rows: number }

/** The grid that fills a window of this shape with tiles that are closest to the shape that names want. */
export function gridFor(count: number, windowShape: number): Grid {
  const grids = Array.from({ length: Math.min(mostColumns, Math.max(1, count)) }, (_, index) => {
    const columns = index + 1
    return { columns, rows: Math.max(1, Math.ceil(count / columns)) }
  })
  const offBy = ({ columns, rows }: Grid): number => Math.abs(Math.log((windowShape * rows) / columns / tileShape))
  return grids.reduce((best, grid) => (offBy(grid) < offBy(best) ? grid : best))
}
