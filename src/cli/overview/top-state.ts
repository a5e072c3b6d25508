import type { Detail } from '#cli/monitors/monitor-text.ts'
import { type ShownIncident, type ShownMonitor, stateOf } from '#cli/monitors/shown-monitor.ts'

/** What the service said last. */
export type Sight = { monitors: readonly ShownMonitor[]; incidents: readonly ShownIncident[] }

export type TopState = {
  /** Null before the first answer. */
  rows: readonly Row[] | null
  /** The monitor that is chosen, by its id, so that it stays so while rows move. */
  chosen: string | null
  /** The monitor that is shown alone; null where all are. `detail` is null until the service answers. */
  open: { id: string; detail: Detail | null } | null
  /** A line for what went wrong, or what was done. */
  note: string | null
}

export type Row = { id: string; name: string; target: string; state: string; incident: ShownIncident | null }

export const firstState: TopState = { rows: null, chosen: null, open: null, note: null }

const order = ['down', 'degraded', 'pending', 'up', 'paused']

/** Those in trouble first, and among equals by name. */
export function rowsOf({ monitors, incidents }: Sight): Row[] {
  const running = new Map(incidents.map((incident) => [incident.monitor_id, incident]))
  const rows = monitors.map((monitor): Row => {
    const { id, name, kind, url } = monitor
    return { id, name, target: url ?? kind, state: stateOf(monitor), incident: running.get(id) ?? null }
  })
  return rows.toSorted((one, other) => rankOf(one) - rankOf(other) || (one.name < other.name ? -1 : 1))
}

function rankOf({ state, incident }: Row): number {
  const rank = order.indexOf(state)
  return incident === null ? (rank === -1 ? order.length : rank) : -1
}

export function withSight(state: TopState, sight: Sight): TopState {
  const rows = rowsOf(sight)
  const at = indexOf(state)
  const isThere = rows.some(({ id }) => id === state.chosen)
  const chosen = isThere ? state.chosen : (rows[Math.min(at, rows.length - 1)]?.id ?? null)
  return { ...state, rows, chosen }
}

export type Key = 'up' | 'down' | 'page up' | 'page down' | 'first' | 'last' | 'enter' | 'back' | 'acknowledge' | 'quit'

/** Moves what is chosen, by pages of so many rows. Keys that ask the service for something change nothing here. */
export function moved(state: TopState, key: Key, page: number): TopState {
  const rows = state.rows ?? []
  if (key === 'back') return { ...state, open: null, note: null }
  if (state.open !== null || rows.length === 0) return state
  const steps: Partial<Record<Key, number>> = {
    up: -1,
    down: 1,
    'page up': -page,
    'page down': page,
    first: -rows.length,
    last: rows.length,
  }
  const step = steps[key]
  if (step === undefined) return state
  const at = Math.max(0, Math.min(rows.length - 1, indexOf(state) + step))
  return { ...state, chosen: rows[at]?.id ?? null, note: null }
}

/** The row that is chosen; the first where none is. */
export function chosenRow(state: TopState): Row | null {
  const id = state.open?.id ?? state.chosen
  return state.rows?.find((row) => row.id === id) ?? null
}

function indexOf({ rows, chosen }: TopState): number {
  return Math.max(0, rows?.findIndex(({ id }) => id === chosen) ?? 0)
}

const escape = '\u001b'

const sequences: Readonly<Record<string, Key>> = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  k: 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  j: 'down',
  '\u001b[5~': 'page up',
  '\u001b[6~': 'page down',
  ' ': 'page down',
  '\u001b[H': 'first',
  '\u001bOH': 'first',
  g: 'first',
  '\u001b[F': 'last',
  '\u001bOF': 'last',
  G: 'last',
  '\r': 'enter',
  '\n': 'enter',
  '\u001b[C': 'enter',
  '\u001b': 'back',
  '\u007f': 'back',
  '\u001b[D': 'back',
  a: 'acknowledge',
  q: 'quit',
  // Ctrl-C and Ctrl-D, which are keys like others while a program reads them all.
  '\u0003': 'quit',
  '\u0004': 'quit',
}

const oneKey = new RegExp(`${escape}(?:\\[[0-9;]*[A-Za-z~]|O[A-Z])|[^]`, 'gu')

/** The keys that a terminal sent at once; others are left out. */
export function keysOf(input: string): Key[] {
  const pressed = input.match(oneKey) ?? []
  return pressed.flatMap((each) => sequences[each] ?? [])
}
