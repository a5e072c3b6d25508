import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { pictureOf } from './support/growth-picture.ts'
import { type Curve, measured, tableOf, verdictOf } from './support/growth-table.ts'
import { type Dimension, dimensions, isDimension, type Point, usual } from './support/growth-world.ts'
import { measurePoint } from './support/growth-point.ts'
import { describeMachine } from './support/machine.ts'

/** Beside these, `--long` measures what takes an hour alone. */
const sizes: Record<Dimension, readonly number[]> = {
  monitors: [100, 1_000, 10_000],
  days: [1, 90, 1_095],
  workspaces: [1, 30, 1_000],
  locations: [1, 3, 10],
}
const longSizes: Partial<Record<Dimension, readonly number[]>> = { monitors: [100_000] }

/**
 * What one more monitor, day, workspace or location costs: one of them grows at a time, around 1,000 monitors with 90
 * days from one location in one workspace. `--only monitors` measures one dimension, `--long` its largest points too,
 * `--json FILE` writes the figures and `--svg FILE` their curves. All points take about 15 minutes on 2 quiet cores, and
 * with `--long` an hour more.
 */
export async function growth(options: readonly string[]): Promise<void> {
  const { only, isLong, file, picture } = optionsOf(options)
  const known = new Map<string, Curve['points'][number]['figures']>()
  const curves: Curve[] = []
  for (const dimension of only === null ? dimensions : [only]) {
    const curve: Curve = { dimension, points: [] }
    curves.push(curve)
    for (const value of [...sizes[dimension], ...(isLong ? (longSizes[dimension] ?? []) : [])]) {
      const point: Point = { ...usual, [dimension]: value }
      const key = JSON.stringify(point)
      const figures = known.get(key) ?? (await measurePoint(point))
      known.set(key, figures)
      curve.points.push({ value, figures })
      // What was measured is kept, whatever becomes of the next point.
      if (file !== null) writeFileSync(file, jsonOf(curves))
    }
    console.log(tableOf(curve))
  }
  if (picture !== null) writeFileSync(picture, pictureOf(curves))
  for (const curve of curves) console.log(`growth: ${verdictOf(curve)}`)
}

function jsonOf(curves: readonly Curve[]): string {
  return `${JSON.stringify({ at: new Date().toISOString(), machine: describeMachine(), figures: measured, curves }, null, 2)}\n`
}

type Wishes = { only: Dimension | null; isLong: boolean; file: string | null; picture: string | null }

function optionsOf(options: readonly string[]): Wishes {
  const { values } = parseArgs({
    args: [...options],
    options: { only: { type: 'string' }, long: { type: 'boolean' }, json: { type: 'string' }, svg: { type: 'string' } },
  })
  const { only = null, long = false, json = null, svg = null } = values
  if (only !== null && !isDimension(only)) throw new Error(`There is no ${only}; there are ${dimensions.join(', ')}.`)
  return { only, isLong: long, file: json, picture: svg }
}
