import { detailLines, ageOf } from '#cli/monitors/monitor-text.ts'
import { printable } from '#cli/table.ts'
import { type Paint, styleOf } from '#cli/terminal/paint.ts'
import { cut, fitted } from '#cli/terminal/width.ts'
import type { Row, TopState } from './top-state.ts'

export type Screen = { columns: number; rows: number; now: Date; paint: Paint; service: string }

/** The lines above and below those of the monitors. */
const headLines = 3
const footLines = 1

/** How many monitors have room. */
export function pageOf({ rows }: Pick<Screen, 'rows'>): number {
  return Math.max(1, rows - headLines - footLines)
}

/** One line for each of the terminal's, none longer than it is wide. */
export function linesOf(state: TopState, screen: Screen): string[] {
  const { open } = state
  const room = pageOf(screen)
  const body = open === null ? listLines(state, screen) : openLines(open, screen)
  const shown = body.slice(0, room)
  const lines = [
    headline(state, screen),
    state.note === null ? '' : screen.paint('bold', cut(printable(state.note), screen.columns)),
    open === null ? screen.paint('bold', columnsLine(['STATE', 'FOR', 'NAME', 'WHAT'], screen)) : '',
    ...shown,
    ...Array.from({ length: room - shown.length }, () => ''),
    footline(open !== null, screen),
  ]
  return lines.slice(0, screen.rows)
}

function headline({ rows }: TopState, { columns, now, service, paint }: Screen): string {
  const time = `${now.toISOString().slice(11, 19)}Z`
  const room = columns - time.length - 1
  const told = rows === null ? `Asking ${service} …` : `${service}  ${countsOf(rows)}`
  return `${paint('bold', fitted(told, room))} ${time}`
}

function countsOf(rows: readonly Row[]): string {
  const counts = Map.groupBy(rows, ({ state }) => state)
  const told = ['down', 'degraded', 'pending', 'up', 'paused'].flatMap((state) => {
    const count = counts.get(state)?.length ?? 0
    return count === 0 ? [] : [`${count} ${state}`]
  })
  return told.length === 0 ? 'no monitors' : told.join(', ')
}

function listLines(state: TopState, screen: Screen): string[] {
  const rows = state.rows ?? []
  const room = pageOf(screen)
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === state.chosen),
  )
  // The chosen one stays in the middle, but for the first and the last ones.
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), rows.length - room))
  return rows.slice(first, first + room).map((row, index) => rowLine(row, first + index === at, screen))
}

function rowLine({ state, incident, name, target }: Row, isChosen: boolean, screen: Screen): string {
  const length = incident === null ? '' : ageOf(incident.started_at, screen.now)
  const what = incident === null ? target : `${incident.status}: ${incident.cause ?? incident.title}`
  const mark = isChosen ? '>' : ' '
  const line = columnsLine([state, length, printable(name), printable(what)], screen)
  if (isChosen) return screen.paint('inverse', `${mark}${line.slice(1)}`)
  const word = line.slice(0, 1 + stateWidth)
  return `${screen.paint(styleOf(state), word)}${line.slice(1 + stateWidth)}`
}

const stateWidth = 8
const lengthWidth = 6

/** A space for the mark, the state, the length of what is wrong, the name and what there is to say. */
function columnsLine([state = '', length = '', name = '', what = '']: readonly string[], { columns }: Screen): string {
  const rest = Math.max(0, columns - 1 - stateWidth - 2 - lengthWidth - 2)
  const nameWidth = Math.min(Math.ceil(rest * 0.4), 40)
  const cells = [state.padEnd(stateWidth), length.padStart(lengthWidth), fitted(name, nameWidth)]
  return fitted(` ${cells.join('  ')}  ${what}`, columns)
}

function openLines({ detail }: NonNullable<TopState['open']>, { columns, now, paint }: Screen): string[] {
  return detail === null ? ['Asking …'] : detailLines(detail, { now, columns, paint })
}

function footline(isOpen: boolean, { columns, paint }: Screen): string {
  const keys = isOpen ? 'Esc all monitors   a acknowledge   q quit' : '↑↓ choose   Enter show   a acknowledge   q quit'
  return paint('inverse', fitted(` ${keys}`, columns))
}
