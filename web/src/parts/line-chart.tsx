import { type ReactNode, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export type Line = {
  label: string
  /** Of the page's style, such as "--chart-1". */
  colour: string
  /** One for each time; null where there is none. */
  values: readonly (number | null)[]
}

export type LineChartProps = {
  /** What it shows, in words: for whoever does not see it. */
  label: string
  /** Seconds since 1970, ascending. */
  times: readonly number[]
  /** What is shown of the time, in the same seconds. */
  range: readonly [from: number, to: number]
  lines: readonly Line[]
  /** The lines are parts of a sum, each drawn upon the one before. */
  isStacked: boolean
  /** Days have no hour. */
  isByDay: boolean
}

const height = 240

/** Milliseconds over time. Drawn anew when the data, the width or the colours of the page change. */
export default function LineChart(props: LineChartProps): ReactNode {
  // With other colours it is another one.
  return <Drawn key={useScheme()} {...props} />
}

const placeClass = 'min-h-72 w-full text-sm [&_.u-legend_th]:font-normal [&_.u-legend_th]:text-muted'

function Drawn(props: LineChartProps): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
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
    const chart = new uPlot(optionsOf(props, { width, style: styleOf(element) }), dataOf(props), element)
    return () => chart.destroy()
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

const drawn = ['--muted', '--line', '--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5'] as const

type Drawing = { width: number; style: Style }

function optionsOf(props: LineChartProps, { width, style: { font, colour } }: Drawing): uPlot.Options {
  const { lines, isStacked, isByDay, range } = props
  const line = { stroke: colour('--line'), width: 1 }
  const axis = { stroke: colour('--muted'), grid: line, ticks: line, font }
  const shown = isStacked ? lines.toReversed() : lines
  return {
    width,
    height,
    cursor: { y: false, points: { show: !isStacked } },
    scales: { x: { range: [...range] }, y: { range: (_chart, _min, max) => [0, Math.max(max * 1.1, 10)] } },
    axes: [
      { ...axis, values: isByDay ? [[86_400, '{MMM} {D}', null, null, null, null, null, null, 1]] : timeFormats },
      {
        ...axis,
        size: 64,
        values: (_chart, ticks) => ticks.map((ms) => (ms >= 10_000 ? `${ms / 1000} s` : `${ms} ms`)),
      },
    ],
    series: [
      { value: (_chart, seconds) => (seconds === null ? '–' : whenOf(seconds, isByDay)) },
      ...shown.map((each) => seriesOf(each, { colour: colour(each.colour), isStacked })),
    ],
  }
}

function seriesOf(
  { label, values }: Line,
  { colour, isStacked }: { colour: string; isStacked: boolean },
): uPlot.Series {
  return {
    label,
    stroke: colour,
    width: isStacked ? 1 : 1.5,
    spanGaps: true,
    points: { show: values.filter((value) => value !== null).length < 3 },
    ...(isStacked ? { fill: colour } : {}),
    // The value itself, not the sum that it is drawn at.
    value: (...[, , , index]: [uPlot, number, number, number | null]) =>
      valueText(index === null ? null : (values[index] ?? null)),
  }
}

function valueText(value: number | null): string {
  return value === null ? '–' : `${value} ms`
}

const timeFormats: uPlot.Axis.Values = [
  [86_400, '{MMM} {D}', null, null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{MMM} {D}', null, '\n{MMM} {D}', null, null, null, 1],
]

const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const timeFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

function whenOf(seconds: number, isByDay: boolean): string {
  return (isByDay ? dayFormat : timeFormat).format(new Date(seconds * 1000))
}

/** Stacked lines are drawn from the tallest sum down, each over the one before. */
function dataOf({ times, lines, isStacked }: LineChartProps): uPlot.AlignedData {
  if (!isStacked) return [[...times], ...lines.map(({ values }) => [...values])]
  const sums = times.map(() => 0)
  const stacked = lines.map(({ values }) =>
    values.map((value, index) => {
      const sum = (sums[index] ?? 0) + (value ?? 0)
      sums[index] = sum
      return sum
    }),
  )
  return [[...times], ...stacked.toReversed()]
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
