import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { inLanguage } from './language.ts'

export type Line = {
  label: string
  /** A colour of the page's style, such as "--chart-1". */
  colour: string
  /** One for each time: null where the line ends, undefined where it goes on without one. */
  values: readonly (number | null | undefined)[]
  /** Where the values are means: the highest value behind each. */
  slowest?: readonly (number | null)[]
}

export type LineChartProps = {
  /** The content of the chart in words, for screen readers. */
  label: string
  /** Seconds since 1970, ascending. */
  times: readonly number[]
  /** The range of time that is shown, in the same seconds. */
  range: readonly [from: number, to: number]
  lines: readonly Line[]
  /** The lines are parts of a sum, each drawn upon the one before. */
  isStacked: boolean
  /** Days have no hour. */
  isByDay: boolean
  /** Where times are the beginnings of steps: how many seconds a step lasts. */
  stepSeconds?: number | undefined
  /** How many checks failed, for each time; left out where it is not told. */
  failures?: readonly number[] | undefined
}

const height = 240
/** In pixels, between what stands below the chart: "12:00 PM" has room. */
const tickSpace = 72

/** Milliseconds over time. Drawn anew when the data, the width or the colours of the page change. */
export default function LineChart(props: LineChartProps): ReactNode {
  // With other colours it is another one.
  return <Drawn key={useScheme()} {...props} />
}

const placeClass = 'min-h-72 w-full text-sm [&_.u-legend_th]:font-normal! [&_.u-legend_th]:text-muted!'

function Drawn(props: LineChartProps): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  /** The place of the pointer: with newer data the chart goes on showing the values at this place. */
  const pointer = useRef({ left: -1, top: -1 })
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = place.current
    if (element === null || width === 0) return
    const options = optionsOf(props, { width, style: styleOf(element) })
    const again = { hooks: { ready: [(made: uPlot) => made.setCursor(pointer.current)] } }
    const chart = new uPlot({ ...options, ...again }, dataOf(props), element)
    return () => {
      const { left = -1, top = -1 } = chart.cursor
      pointer.current = { left, top }
      chart.destroy()
    }
  }, [props, width])
  return <div ref={place} role="img" aria-label={props.label} className={placeClass} />
}

type Style = { font: string; colour: (name: string) => string }

/** A canvas knows no variables, and none that depend on the scheme: an element says what they come to. */
function styleOf(place: HTMLElement): Style {
  const probe = document.createElement('span')
  place.append(probe)
  const colours = new Map<string, string>()
  const read = (name: string): string => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  for (const name of drawn) colours.set(name, read(name))
  const { fontFamily } = getComputedStyle(probe)
  probe.remove()
  return { font: `12px ${fontFamily}`, colour: (name) => colours.get(name) ?? 'gray' }
}

const drawn = ['--muted', '--line', '--bad', '--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5'] as const

type Drawing = { width: number; style: Style }

function optionsOf(props: LineChartProps, { width, style: { font, colour } }: Drawing): uPlot.Options {
  const { lines, isStacked, range, isByDay } = props
  const failures = failuresOf(props)
  const line = { stroke: colour('--line'), width: 1 }
  const axis = { stroke: colour('--muted'), grid: line, ticks: line, font }
  const shown = isStacked ? lines.toReversed() : lines
  return {
    width,
    height,
    fmtDate: ticksOf,
    cursor: { y: false, points: { show: !isStacked } },
    scales: { x: { range: [...range] }, y: { range: (_chart, _min, max) => [0, Math.max(max * 1.1, 10)] } },
    axes: [
      {
        ...axis,
        space: tickSpace,
        incrs: isByDay ? dayTicks : timeTicks,
        values: isByDay ? [[86_400, dayPart, null, null, null, null, null, null, 1]] : timeFormats,
      },
      {
        ...axis,
        size: 72,
        values: (_chart, ticks) =>
          ticks.map((ms) => (ms >= 10_000 ? `${(ms / 1000).toLocaleString(i18n.locale)} s` : `${ms} ms`)),
      },
    ],
    series: [
      { label: t`Time`, value: (_chart, seconds) => (seconds === null ? '–' : whenOf(seconds, props)) },
      ...shown.map((each) => seriesOf(each, { colour: colour(each.colour), isStacked })),
      ...(failures === null ? [] : [failedSeries(failures, colour('--bad'))]),
    ],
  }
}

function seriesOf(
  { label, values, slowest }: Line,
  { colour, isStacked }: { colour: string; isStacked: boolean },
): uPlot.Series {
  const alone = placesAlone(values)
  return {
    label,
    stroke: colour,
    width: isStacked ? 1 : 1.5,
    points: { show: false, filter: () => alone },
    ...(isStacked ? { fill: colour } : {}),
    // The value itself, not the sum that it is drawn at.
    value: (...[, , , index]: [uPlot, number, number, number | null]) =>
      index === null ? '–' : valueText(values[index] ?? null, slowest?.[index] ?? null),
  }
}

/** Values that no line reaches are drawn as points. */
function placesAlone(values: Line['values']): number[] {
  const places = [...values.entries()].filter(([, value]) => value !== undefined)
  return places.flatMap(([place, value], index) => {
    const isAlone = (places[index - 1]?.[1] ?? null) === null && (places[index + 1]?.[1] ?? null) === null
    return value !== null && isAlone ? [place] : []
  })
}

/** Failed checks have no response time: they are points at the foot of the chart. */
function failedSeries(failures: readonly number[], colour: string): uPlot.Series {
  return {
    label: t`Failed checks`,
    stroke: colour,
    paths: () => null,
    points: { show: true, size: 6, fill: colour },
    value: (...[, , , index]: [uPlot, number, number, number | null]) =>
      index === null ? '–' : (failures[index] ?? 0).toLocaleString(i18n.locale),
  }
}

/** Null where nothing failed. */
function failuresOf({ failures = [] }: LineChartProps): readonly number[] | null {
  return failures.some((count) => count > 0) ? failures : null
}

function valueText(value: number | null, slowest: number | null): string {
  if (value === null) return '–'
  return slowest === null || slowest === value ? `${value} ms` : t`${value} ms, up to ${slowest} ms`
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

const dayFormat = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }))
const timeFormat = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))

function whenOf(seconds: number, { isByDay, stepSeconds }: LineChartProps): string {
  const time = new Date(seconds * 1000)
  if (isByDay) return dayFormat().format(time)
  if (stepSeconds === undefined) return timeFormat().format(time)
  return timeFormat().formatRange(time, new Date((seconds + stepSeconds) * 1000))
}

/** Stacked lines are drawn from the tallest sum down, each over the one before. */
function dataOf(props: LineChartProps): uPlot.AlignedData {
  const { times, lines, isStacked } = props
  const values = isStacked ? sumsOf(props).toReversed() : lines.map((line) => Array.from(line.values))
  const failures = failuresOf(props)
  const marks = failures === null ? [] : [failures.map((count) => (count > 0 ? 0 : null))]
  return [[...times], ...values, ...marks]
}

/** Where no line has a value there is no sum. */
function sumsOf({ times, lines }: LineChartProps): (number | null | undefined)[][] {
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

/** Rises whenever the page's colours change: by its own choice, or by the system's. */
function useScheme(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const tell = (): void => setCount((before) => before + 1)
    const media = matchMedia('(prefers-color-scheme: dark)')
    const observer = new MutationObserver(tell)
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    media.addEventListener('change', tell)
    return () => {
      observer.disconnect()
      media.removeEventListener('change', tell)
    }
  }, [])
  return count
}
