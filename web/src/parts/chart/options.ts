import uPlot from 'uplot'
import { inLanguage } from '../language.ts'
import { type Drawing, type Line, highestOf, isLimitDrawn } from './chart.ts'
import { drawBands, drawMarks } from './marks.ts'
import type { Style } from './scheme.ts'
import { axisText } from './words.ts'

const height = 240
/** In pixels, between what stands below the chart: "12:00 PM" has room. */
const tickSpace = 72
/** In pixels: a shorter drag is a click whose hand trembled. */
const shortestDrag = 6

type Place = { width: number; style: Style; hooks: Pick<uPlot.Hooks.Arrays, 'setCursor' | 'setSelect' | 'ready'> }

/** `read` gives what is to be drawn now: newer data come to the same chart as long as its shape stays. */
export function optionsOf(read: () => Drawing, { width, style, hooks }: Place): uPlot.Options {
  const { lines, isStacked, isByDay } = read()
  const { font, colour } = style
  const line = { stroke: colour('--line'), width: 1 }
  const axis = { stroke: colour('--muted'), grid: line, ticks: line, font }
  const series = lines.map((_, index) => seriesOf(read, { index, colour, isStacked }))
  return {
    width,
    height,
    fmtDate: ticksOf,
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: !isStacked },
      drag: { x: true, y: false, setScale: false, dist: shortestDrag },
    },
    scales: { x: { range: () => [...read().range] }, y: { range: () => [0, heightOf(read())] } },
    axes: [
      {
        ...axis,
        space: tickSpace,
        incrs: isByDay ? dayTicks : timeTicks,
        values: isByDay ? [[86_400, dayPart, null, null, null, null, null, null, 1]] : timeFormats,
      },
      { ...axis, size: 72, values: (_chart, ticks) => ticks.map(axisText) },
    ],
    series: [{}, ...(isStacked ? series.toReversed() : series)],
    hooks: {
      ...hooks,
      drawClear: [(chart) => drawBands(chart, read(), style)],
      draw: [(chart) => drawMarks(chart, read(), style), () => measured()],
    },
  }
}

/** What a chart cannot change once it is made. */
export function shapeOf({ lines, isStacked, isByDay }: Drawing): string {
  return JSON.stringify([lines.map(({ label, colour }) => [label, colour]), isStacked, isByDay])
}

/** In milliseconds. */
function heightOf(drawing: Drawing): number {
  const limitMs = isLimitDrawn(drawing) ? (drawing.limitMs ?? 0) : 0
  return Math.max(Math.max(highestOf(drawing), limitMs) * 1.1, 10)
}

/** Where browsers tell how long a page's own work took: until the chart was drawn. */
export const measureName = 'perigee chart'

export function beginMeasure(): void {
  performance.clearMarks(measureName)
  performance.mark(measureName)
}

function measured(): void {
  if (performance.getEntriesByName(measureName, 'mark').length === 0) return
  performance.clearMeasures(measureName)
  performance.measure(measureName, measureName)
  performance.clearMarks(measureName)
}

type Seen = { index: number; colour: Style['colour']; isStacked: boolean }

function seriesOf(read: () => Drawing, { index, colour, isStacked }: Seen): uPlot.Series {
  const { label, colour: name } = lineAt(read(), index)
  return {
    label,
    stroke: colour(name),
    width: isStacked ? 1 : 1.5,
    points: { show: false, filter: () => placesAlone(lineAt(read(), index).values) },
    ...(isStacked ? { fill: colour(name) } : {}),
  }
}

function lineAt({ lines }: Drawing, index: number): Line {
  return lines[index] ?? { label: '', colour: '--muted', values: [] }
}

/** Values that no line reaches are drawn as points. */
function placesAlone(values: Line['values']): number[] {
  const places = [...values.entries()].filter(([, value]) => value !== undefined)
  return places.flatMap(([place, value], index) => {
    const isAlone = (places[index - 1]?.[1] ?? null) === null && (places[index + 1]?.[1] ?? null) === null
    return value !== null && isAlone ? [place] : []
  })
}

/** Stacked lines are drawn from the tallest sum down, each over the one before. */
export function dataOf(drawing: Drawing): uPlot.AlignedData {
  const { times, lines, isStacked } = drawing
  const values = isStacked ? sumsOf(drawing).toReversed() : lines.map((line) => Array.from(line.values))
  return [[...times], ...values]
}

/** Where no line has a value there is no sum. */
function sumsOf({ times, lines }: Drawing): (number | null | undefined)[][] {
  const sums = times.map(() => 0)
  const isKnown = times.map((_, index) => lines.some(({ values }) => typeof values[index] === 'number'))
  return lines.map(({ values }) =>
    values.map((value, index) => {
      if (isKnown[index] !== true) return value
      const sum = (sums[index] ?? 0) + (value ?? 0)
      sums[index] = sum
      return sum
    }),
  )
}

/** How far ticks may be apart, in seconds: closer than what they say they would say the same twice. */
const dayTicks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 30, 60].map((days) => days * 86_400)
const timeTicks = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720, 1440].map((minutes) => minutes * 60)

const dayPart = '{MMM} {D}'
const timePart = '{HH}:{mm}'
const timeFormats: uPlot.Axis.Values = [
  [86_400, dayPart, null, null, null, null, null, null, 1],
  [60, timePart, `\n${dayPart}`, null, `\n${dayPart}`, null, null, null, 1],
]

/** The chart library writes days and hours in English only. */
function ticksOf(template: string): (date: Date) => string {
  const rest = uPlot.fmtDate(template.replace(dayPart, dayMark).replace(timePart, timeMark))
  return (date) =>
    rest(date)
      .replace(dayMark, () => tickDayFormat().format(date))
      .replace(timeMark, () => tickTimeFormat().format(date))
}

/** Marks that the chart library writes as they are. */
const [dayMark, timeMark] = ['<day>', '<time>']
const tickDayFormat = inLanguage((locale) => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }))
const tickTimeFormat = inLanguage((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))
