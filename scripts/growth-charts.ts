// Draws what `npm run bench -- growth --json FILE` measured, a picture for each dimension with a panel for each figure:
//
//   node scripts/growth-charts.ts growth.json docs/images    writes growth-monitors.svg and the like
//
// Both axes are logarithmic, so that a curve as steep as the dashed line is linear, and a steeper one is worse.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const growthSchema = z.object({
  figures: z.record(z.string(), z.string()),
  curves: z.array(
    z.object({
      dimension: z.string(),
      points: z.array(z.object({ value: z.number().positive(), figures: z.record(z.string(), z.number().nullable()) })),
    }),
  ),
})
type Growth = z.infer<typeof growthSchema>
type Curve = Growth['curves'][number]
type Place = { x: number; y: number }

const panel = { width: 360, height: 190, left: 24, right: 36, top: 52, bottom: 34 }
const columns = 2
/** A figure that hardly changes shows as a flat line, and not as one that fills the panel with noise. */
const leastDecades = 1

const style = `
  svg { background: #ffffff; font-family: system-ui, sans-serif; }
  text { fill: #1f2937; font-size: 13px; }
  .title { font-weight: 600; font-size: 14px; }
  .axis { stroke: #9ca3af; } .linear { stroke: #9ca3af; stroke-dasharray: 4 4; }
  .curve { stroke: #1d4ed8; stroke-width: 2; } .point { fill: #1d4ed8; }
  line, polyline { fill: none; }
  @media (prefers-color-scheme: dark) {
    svg { background: #111827; } text { fill: #e5e7eb; }
    .axis, .linear { stroke: #6b7280; } .curve { stroke: #93c5fd; } .point { fill: #93c5fd; }
  }`

/** The pictures of a file, by the names that they get. */
export function drawGrowth(json: string): Map<string, string> {
  const growth = growthSchema.parse(JSON.parse(json))
  return new Map(growth.curves.map((curve) => [`growth-${curve.dimension}.svg`, pictureOf(curve, growth.figures)]))
}

function pictureOf(curve: Curve, figures: Growth['figures']): string {
  const names = Object.keys(figures)
  const [width, height] = [columns * panel.width, Math.ceil(names.length / columns) * panel.height]
  const panels = names.map((name, at) => {
    const [x, y] = [(at % columns) * panel.width, Math.floor(at / columns) * panel.height]
    return `<g transform="translate(${x} ${y})">${panelOf(curve, name, figures[name] ?? name)}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(`How figures grow with ${curve.dimension}`)}</title>
<style>${style}
</style>
${panels.join('\n')}
</svg>
`
}

function panelOf({ dimension, points }: Curve, name: string, title: string): string {
  const known = points.flatMap(({ value, figures }) => {
    const figure = figures[name] ?? null
    return figure === null || figure <= 0 ? [] : [{ value, figure }]
  })
  const head = `<text class="title" x="${panel.left}" y="20">${escaped(title)}</text>`
  const [first] = known
  const last = known.at(-1)
  if (first === undefined || last === undefined) return head
  const placeOf = scaleOf(known)
  const linear = { value: last.value, figure: (first.figure * last.value) / first.value }
  const axisY = panel.height - panel.bottom
  return [
    head,
    `<line class="axis" x1="${panel.left}" y1="${axisY}" x2="${panel.width - panel.right / 2}" y2="${axisY}"/>`,
    lineOf('linear', [placeOf(first), cutAtTop(placeOf(first), placeOf(linear))]),
    lineOf('curve', known.map(placeOf)),
    ...known.map((each, at) => pointOf(placeOf(each), each, { axisY, unit: at === 0 ? dimension : '' })),
  ].join('')
}

type Known = { value: number; figure: number }

function scaleOf(known: readonly Known[]): (each: Known) => Place {
  const xs = known.map(({ value }) => Math.log10(value))
  const ys = known.map(({ figure }) => Math.log10(figure))
  const [left, right] = [Math.min(...xs), Math.max(...xs)]
  const middle = (Math.min(...ys) + Math.max(...ys)) / 2
  const decades = Math.max(leastDecades, Math.max(...ys) - Math.min(...ys))
  const [inX, inY] = [panel.width - panel.left - panel.right, panel.height - panel.top - panel.bottom]
  return ({ value, figure }) => ({
    x: panel.left + (inX * (Math.log10(value) - left)) / Math.max(right - left, Number.EPSILON),
    y: panel.top + inY * (0.5 - (Math.log10(figure) - middle) / decades),
  })
}

/** Linear growth leaves the panel where the figure itself hardly grows. */
function cutAtTop(from: Place, to: Place): Place {
  if (to.y >= panel.top) return to
  const share = (from.y - panel.top) / (from.y - to.y)
  return { x: from.x + share * (to.x - from.x), y: panel.top }
}

function lineOf(name: string, places: readonly Place[]): string {
  return `<polyline class="${name}" points="${places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}"/>`
}

/** Each point says its own figure, so that no second axis has to be read. */
function pointOf({ x, y }: Place, { value, figure }: Known, { axisY, unit }: { axisY: number; unit: string }): string {
  const [at, up] = [x.toFixed(1), y.toFixed(1)]
  const named = `${value.toLocaleString('en-US')}${unit === '' ? '' : ` ${unit}`}`
  const anchor = unit === '' ? 'middle' : 'start'
  return (
    `<circle class="point" cx="${at}" cy="${up}" r="3.5"/>` +
    `<text x="${at}" y="${(y - 9).toFixed(1)}" text-anchor="${anchor}">${shown(figure)}</text>` +
    `<text x="${at}" y="${axisY + 18}" text-anchor="${anchor}">${escaped(named)}</text>`
  )
}

function shown(figure: number): string {
  if (figure >= 100) return Math.round(figure).toLocaleString('en-US')
  return String(Number(figure.toPrecision(2)))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

if (import.meta.main) {
  const [file, folder] = process.argv.slice(2)
  if (file === undefined || folder === undefined) throw new Error('Give the JSON file and a folder for the pictures.')
  mkdirSync(folder, { recursive: true })
  for (const [name, picture] of drawGrowth(readFileSync(file, 'utf8'))) {
    writeFileSync(join(folder, name), picture)
    console.log(join(folder, name))
  }
}
