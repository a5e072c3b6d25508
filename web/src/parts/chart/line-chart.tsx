import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Drawing } from './chart.ts'
import { beginMeasure, dataOf, optionsOf, shapeOf } from './options.ts'
import { Key, ReadingBox } from './reading.tsx'
import { styleOf, useScheme } from './scheme.ts'
import { listenToTouch } from './touch.ts'
import { readingAt, readingText } from './words.ts'
import { sliderTarget } from '../slider-keys.ts'
import { useFigures } from '../use-figures.ts'

/** A stretch of time, in seconds since 1970. */
export type Stretch = { from: number; to: number }

export type LineChartProps = {
  /** The content of the chart in words, for screen readers. */
  label: string
  /** The same object as long as nothing of it has changed. */
  drawing: Drawing
  /** Asked to show a stretch of time alone: it was dragged over, or chosen with Shift and the arrows. */
  onZoom?: ((stretch: Stretch) => void) | undefined
  /** Asked to open a step: it was clicked, or Enter was pressed. */
  onOpen?: ((stretch: Stretch) => void) | undefined
}

/** Milliseconds over time. Made anew when its lines, its width or the colours of the page change. */
export default function LineChart(props: LineChartProps): ReactNode {
  // With other colours it is another one.
  return <Drawn key={useScheme()} {...props} />
}

/** Where the pointer or the keyboard is: a place among the times, and pixels from the left edge. */
type Cursor = { index: number; x: number } | null

function Drawn(props: LineChartProps): ReactNode {
  const { label, drawing, onOpen } = props
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const [cursor, setCursor] = useState<Cursor>(null)
  const chart = useChart(place, { ...props, width, setCursor })
  const explorer = useExplorer(chart, { ...props, cursor })
  const reading = cursor === null ? null : readingAt(drawing, cursor.index)
  const hasFigures = useFigures(cursor?.x ?? null)
  return (
    <div>
      <div className="relative min-h-60">
        <div
          ref={place}
          role="img"
          aria-label={label}
          className={`w-full text-sm [&_.u-over]:touch-pan-y ${onOpen === undefined ? '' : '[&_.u-over]:cursor-pointer'}`}
        />
        {width > 0 && (
          <div
            {...explorer}
            aria-valuetext={readingText(reading ?? readingAt(drawing, explorer['aria-valuenow']))}
            className="pointer-events-none absolute inset-0 rounded-md"
          />
        )}
        {hasFigures && cursor !== null && reading !== null && (
          <ReadingBox reading={reading} x={cursor.x} width={width} isDoor={onOpen !== undefined} />
        )}
      </div>
      <Key drawing={drawing} />
    </div>
  )
}

function useWidth(place: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  return width
}

type Making = LineChartProps & { width: number; setCursor: (cursor: Cursor) => void }

/** The chart of the library: newer data come to the same one, so that a drag goes on. What it calls is always the newest. */
function useChart(place: RefObject<HTMLDivElement | null>, making: Making): RefObject<uPlot | null> {
  const { drawing, width } = making
  const chart = useRef<uPlot | null>(null)
  const latest = useRef(making)
  const drawn = useRef<Drawing | null>(null)
  const shape = shapeOf(drawing)
  useEffect(() => {
    latest.current = making
  })
  useEffect(() => {
    const element = place.current
    if (element === null || width === 0 || shape === '') return
    const { left = -1, top = -1 } = chart.current?.cursor ?? {}
    const read = (): Drawing => latest.current.drawing
    const hooks = hooksOf(latest, { left, top })
    beginMeasure()
    drawn.current = read()
    const made = new uPlot(optionsOf(read, { width, style: styleOf(element), hooks }), dataOf(read()), element)
    chart.current = made
    const open = (): void => {
      const { idx } = made.cursor
      if (typeof idx === 'number') latest.current.onOpen?.(stretchOf(read(), { first: idx, last: idx }))
    }
    made.over.addEventListener('click', open)
    const endTouch = listenToTouch(made.over, {
      onRead: (x) => made.setCursor({ left: x, top: 0 }),
      onMark: (stretch) => mark(made, stretch),
      // The hook of the library goes on with it.
      onChoose: ([from, to]) => made.setSelect(boxOf(made, [from, to]), true),
      mayChoose: () => latest.current.onZoom !== undefined,
    })
    return () => {
      endTouch()
      made.destroy()
    }
  }, [place, shape, width])
  useEffect(() => {
    if (drawn.current === null || drawn.current === drawing) return
    drawn.current = drawing
    beginMeasure()
    chart.current?.setData(dataOf(drawing))
  }, [drawing])
  return chart
}

function mark(chart: uPlot, stretch: [number, number] | null): void {
  chart.setSelect(boxOf(chart, stretch ?? [0, 0]), false)
  if (stretch !== null) chart.setCursor({ left: -1, top: -1 })
}

/** So narrow a stretch is still to be seen: a finger that was held has begun one. */
const narrowest = 2

function boxOf({ over }: uPlot, [from, to]: [number, number]): uPlot.Select {
  const width = to === 0 ? 0 : Math.max(narrowest, to - from)
  return { left: from, width, top: 0, height: width === 0 ? 0 : over.clientHeight }
}

/** `pointer`: where it was before, so that newer data show the values at the same place. */
function hooksOf(
  latest: RefObject<Making>,
  pointer: { left: number; top: number },
): Pick<uPlot.Hooks.Arrays, 'setCursor' | 'setSelect' | 'ready'> {
  return {
    ready: [(chart) => chart.setCursor(pointer)],
    setCursor: [
      (chart) => {
        const { idx, left = -1 } = chart.cursor
        const isAway = typeof idx !== 'number' || left < 0
        latest.current.setCursor(isAway ? null : { index: idx, x: left + chart.over.offsetLeft })
      },
    ],
    setSelect: [
      (chart) => {
        const { left, width } = chart.select
        if (width === 0) return
        chart.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false)
        const { drawing, onZoom } = latest.current
        const [first, last] = [chart.posToIdx(left), chart.posToIdx(left + width)]
        onZoom?.(stretchOf(drawing, { first, last }))
      },
    ],
  }
}

type Steps = { first: number; last: number }

/** From the beginning of the first step to the end of the last. */
function stretchOf({ times, stepSeconds }: Drawing, { first, last }: Steps): Stretch {
  return { from: times[first] ?? 0, to: (times[last] ?? 0) + stepSeconds }
}

type Exploring = LineChartProps & { cursor: Cursor }

/** The chart by keyboard: a slider that says its value as it moves, opens a step, and zooms to what Shift chooses. */
function useExplorer(chart: RefObject<uPlot | null>, { drawing, cursor, onZoom, onOpen }: Exploring) {
  const [anchor, setAnchor] = useState<number | null>(null)
  const last = drawing.times.length - 1
  const value = Math.max(0, Math.min(last, cursor?.index ?? last))
  const move = (to: number, from: number | null): void => {
    setAnchor(from)
    point(chart.current, drawing, { to, anchor: from })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = sliderTarget(event.key, { value, last, page: 10 })
    if (to !== null) move(Math.min(last, Math.max(0, to)), event.shiftKey ? (anchor ?? value) : null)
    else if (event.key === 'Enter') {
      if (anchor === null || anchor === value) onOpen?.(stretchOf(drawing, { first: value, last: value }))
      else onZoom?.(stretchOf(drawing, { first: Math.min(anchor, value), last: Math.max(anchor, value) }))
    } else if (event.key !== 'Escape' || anchor === null) return
    else {
      move(value, null)
      // The figures end with the next one.
      event.stopPropagation()
    }
    event.preventDefault()
  }
  return {
    role: 'slider',
    tabIndex: 0,
    'aria-label': t`Time in the chart`,
    'aria-valuemin': 0,
    'aria-valuemax': Math.max(last, 0),
    'aria-valuenow': value,
    onKeyDown,
    onFocus: () => point(chart.current, drawing, { to: value, anchor: null }),
    onBlur: () => {
      setAnchor(null)
      point(chart.current, drawing, null)
    },
  }
}

/** Moves the chart's own pointer, and marks what is chosen; null takes it away. */
function point(chart: uPlot | null, { times }: Drawing, place: { to: number; anchor: number | null } | null): void {
  if (chart === null) return
  const at = (index: number): number => chart.valToPos(times[index] ?? 0, 'x')
  const { to, anchor } = place ?? { to: 0, anchor: null }
  chart.setCursor(place === null ? { left: -1, top: -1 } : { left: at(to), top: 0 })
  const [left, right] = [Math.min(at(anchor ?? to), at(to)), Math.max(at(anchor ?? to), at(to))]
  const width = anchor === null ? 0 : right - left
  chart.setSelect({ left, width, top: 0, height: chart.over.clientHeight }, false)
}
