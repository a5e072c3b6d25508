// Curves of growth as a picture: each figure beside what it is at the first point, both axes logarithmic.
import { whole } from './figures.ts'
import { type Curve, type Figure, figureNames, measured } from './growth-table.ts'

const panel = { width: 430, height: 250, left: 46, right: 24, top: 30, bottom: 34 }
const columns = 2
const legendLine = 20
const legendTop = 22

/** Apart from each other for people who see fewer colours, on white and on black. */
const colours: Readonly<Record<Figure, string>> = {
  checkCpu: '#d55e00',
  start: '#8a8a8a',
  list: '#0072b2',
  detail: '#56a0d3',
  overview: '#009e73',
  page: '#b58900',
  alert: '#cc79a7',
}
const ink = '#767676'

export function pictureOf(curves: readonly Curve[]): string {
  const rows = Math.ceil(curves.length / columns)
  const legendRows = Math.ceil((figureNames.length + 1) / columns)
  const width = columns * panel.width
  const height = rows * panel.height + legendTop + legendRows * legendLine
  const panels = curves.map((curve, at) => {
    const [x, y] = [(at % columns) * panel.width, Math.floor(at / columns) * panel.height]
    return `<g transform="translate(${x} ${y})">${panelOf(curve)}</g>`
  })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" ` +
    `aria-label="How each figure grows with monitors, days, workspaces and locations" font-family="sans-serif" font-size="12">` +
    `${panels.join('')}<g transform="translate(0 ${rows * panel.height + legendTop})">${legend()}</g></svg>\n`
  )
}

type Scale = { x: (value: number) => number; y: (ratio: number) => number }

function panelOf({ dimension, points }: Curve): string {
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return ''
  const most = last.value / first.value
  const lines = figureNames.map((name) => ({
    name,
    ratios: points.map(({ value, figures }) => ({ value, ratio: figures[name] / first.figures[name] })),
  }))
  const ratios = lines.flatMap((line) => line.ratios.map(({ ratio }) => ratio))
  const [low, high] = [Math.min(...ratios, 1 / 2), Math.max(...ratios, 10)]
  const scale = scaleOf({ first: first.value, last: last.value, low, high })
  // Cut where the panel ends: a curve that grows as its dimension does would leave it.
  const end = Math.min(most, high)
  return [
    `<text x="${panel.left}" y="18" font-weight="bold" fill="${ink}">${dimension}</text>`,
    gridOf({ points, low, high }, scale),
    `<path d="${path(
      [
        { value: first.value, ratio: 1 },
        { value: first.value * end, ratio: end },
      ],
      scale,
    )}" stroke="${ink}" stroke-dasharray="5 4" fill="none"/>`,
    ...lines.map(
      ({ name, ratios: at }) => `<path d="${path(at, scale)}" stroke="${colours[name]}" stroke-width="2" fill="none"/>`,
    ),
  ].join('')
}

function scaleOf({ first, last, low, high }: { first: number; last: number; low: number; high: number }): Scale {
  const [wide, tall] = [panel.width - panel.left - panel.right, panel.height - panel.top - panel.bottom]
  return {
    x: (value) => panel.left + (wide * Math.log(value / first)) / Math.log(last / first),
    y: (ratio) => panel.top + tall - (tall * Math.log(ratio / low)) / Math.log(high / low),
  }
}

function gridOf(
  { points, low, high }: { points: Curve['points']; low: number; high: number },
  { x, y }: Scale,
): string {
  const bottom = panel.height - panel.bottom
  const values = points.map(
    ({ value }) =>
      `<path d="M${place(x(value))} ${panel.top}V${bottom}" stroke="${ink}" stroke-opacity="0.25"/>` +
      `<text x="${place(x(value))}" y="${bottom + 16}" text-anchor="middle" fill="${ink}">${whole(value)}</text>`,
  )
  const ratios = [1, 10, 100, 1000].filter((ratio) => ratio >= low && ratio <= high)
  const heights = ratios.map(
    (ratio) =>
      `<path d="M${panel.left} ${place(y(ratio))}H${panel.width - panel.right}" stroke="${ink}" stroke-opacity="0.25"/>` +
      `<text x="${panel.left - 6}" y="${place(y(ratio) + 4)}" text-anchor="end" fill="${ink}">× ${ratio}</text>`,
  )
  return [...values, ...heights].join('')
}

function path(line: readonly { value: number; ratio: number }[], { x, y }: Scale): string {
  return line.map(({ value, ratio }, at) => `${at === 0 ? 'M' : 'L'}${place(x(value))} ${place(y(ratio))}`).join('')
}

function place(position: number): string {
  return position.toFixed(1)
}

function legend(): string {
  const entries = [
    ...figureNames.map((name) => ({ colour: colours[name], dash: '', text: measured[name].replace(/, m?s$/, '') })),
    { colour: ink, dash: ' stroke-dasharray="5 4"', text: 'as the dimension itself (linear)' },
  ]
  return entries
    .map(({ colour, dash, text }, at) => {
      const [x, y] = [(at % columns) * panel.width + panel.left, Math.floor(at / columns) * legendLine]
      return (
        `<path d="M${x} ${y}h28" stroke="${colour}" stroke-width="2"${dash}/>` +
        `<text x="${x + 36}" y="${y + 4}" fill="${ink}">${text}</text>`
      )
    })
    .join('')
}
