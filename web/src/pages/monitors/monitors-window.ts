import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { Line } from './monitors-view.ts'

// Which of thousands of lines are near the window. Their heights are known, so that nothing is ever measured.

const titlePx = 44
/** Lines above and below the window, so that quick scrolling shows no gap. */
const overscan = 8

export type LinesWindow = {
  /** Of all lines together. */
  heightPx: number
  /** The first and last of the lines that are in the page; none when there are no lines. */
  range: readonly [first: number, last: number]
  /** From where the lines begin. */
  topOf: (index: number) => number
  heightOf: (index: number) => number
  scrollTo: (index: number) => void
}

type Sizes = {
  monitorPx: number
  /** Where the lines begin in the page. */
  beginPx: number
}

/** Draws anew only when a line comes or goes, not with every pixel that is scrolled. */
export function useLinesWindow(lines: readonly Line[], { monitorPx, beginPx }: Sizes): LinesWindow {
  const tops = useMemo(() => topsOf(lines, monitorPx), [lines, monitorPx])
  const readRange = useCallback(() => rangeText(tops, window.scrollY - beginPx, window.innerHeight), [tops, beginPx])
  const [first = 0, last = -1] = useSyncExternalStore(listen, readRange).split(' ').map(Number)
  const topOf = (index: number): number => tops[index] ?? 0
  return {
    heightPx: topOf(lines.length),
    range: [first, last],
    topOf,
    heightOf: (index) => topOf(index + 1) - topOf(index),
    scrollTo: (index) => {
      const [top, bottom] = [beginPx + topOf(index), beginPx + topOf(index + 1)]
      if (top < window.scrollY) window.scrollTo({ top })
      else if (bottom > window.scrollY + window.innerHeight) window.scrollTo({ top: bottom - window.innerHeight })
    },
  }
}

/** Where each line begins, and at last where they end. */
export function topsOf(lines: readonly Line[], monitorPx: number): readonly number[] {
  const tops = [0]
  for (const line of lines) tops.push((tops.at(-1) ?? 0) + ('row' in line ? monitorPx : titlePx))
  return tops
}

/** As text, because React compares what it is given again and again. `fromPx` and `heightPx` are those of the window. */
export function rangeText(tops: readonly number[], fromPx: number, heightPx: number): string {
  const count = tops.length - 1
  const first = Math.max(0, lineAt(tops, fromPx) - overscan)
  const last = Math.min(count - 1, lineAt(tops, fromPx + heightPx) + overscan)
  return `${first} ${last}`
}

/** The last line that begins at or above a place; the first one for places above all. */
function lineAt(tops: readonly number[], px: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= px) low = middle
    else high = middle - 1
  }
  return low
}

function listen(tell: () => void): () => void {
  addEventListener('scroll', tell, { passive: true })
  addEventListener('resize', tell)
  return () => {
    removeEventListener('scroll', tell)
    removeEventListener('resize', tell)
  }
}
