// What is measured at each point of growth, and how the figures of a curve are told.
import type { Dimension } from './growth-world.ts'
import { whole } from './figures.ts'

/** Each figure, with its unit, by its name in the JSON. Times of answers are medians. */
export const measured = {
  checkCpu: 'CPU of a stored check, ms',
  start: 'time to start, s',
  list: 'GET /monitors, 100 of them, ms',
  detail: 'GET /monitors/{id}, ms',
  overview: 'overview, ms',
  page: 'status page of 50 monitors, ms',
  alert: 'failure to alert, ms',
} as const

export type Figure = keyof typeof measured
export type Figures = Record<Figure, number>
export type Curve = { dimension: Dimension; points: { value: number; figures: Figures }[] }

/** What noise of a shared machine may add to a ratio before it counts as growth. */
const noise = 1.2

export const figureNames = Object.keys(measured).filter(isFigure)

function isFigure(name: string): name is Figure {
  return Object.hasOwn(measured, name)
}

/** A line for each figure: its value at each point, and its ratio to the point before. */
export function tableOf({ dimension, points }: Curve): string {
  const head = [dimension, ...points.map(({ value }) => whole(value))]
  const lines = figureNames.map((name) => [
    measured[name],
    ...points.map(({ figures }, at) => {
      const before = points[at - 1]?.figures[name]
      const ratio = before === undefined ? '' : ` × ${(figures[name] / before).toFixed(2)}`
      return `${shown(figures[name])}${ratio}`
    }),
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)))
  const rows = [head, ...lines].map((line) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))),
  )
  return rows.map((row) => `  ${row.join('   ')}`).join('\n')
}

/** Names each step in which a figure grew more than its dimension did. */
export function verdictOf({ dimension, points }: Curve): string {
  const steep = points.flatMap(({ value, figures }, at) => {
    const before = points[at - 1]
    if (before === undefined) return []
    const grown = value / before.value
    return figureNames
      .filter((name) => figures[name] / before.figures[name] > grown * noise)
      .map(
        (name) =>
          `${measured[name]} × ${(figures[name] / before.figures[name]).toFixed(1)} ` +
          `from ${whole(before.value)} to ${whole(value)}`,
      )
  })
  if (steep.length === 0) return `${dimension}: no curve is worse than linear`
  return `${dimension}: WORSE THAN LINEAR: ${steep.join('; ')}`
}

function shown(value: number): string {
  if (value >= 100) return whole(value)
  return value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3)
}
