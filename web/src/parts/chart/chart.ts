/** A line of a chart: milliseconds over time. */
export type Line = {
  label: string
  /** A colour of the page's style, such as "--chart-1". */
  colour: string
  /** One for each time: null where the line ends, undefined where it goes on without one. */
  values: readonly (number | null | undefined)[]
  /** Where the values are means: the highest value behind each. */
  slowest?: readonly (number | null)[]
  /** Whether checks behind the value were degraded, for each time. */
  isDegraded?: readonly boolean[]
}

/** A stretch of time that is shaded, in seconds since 1970. `title` says what happened in it. */
export type Band = { from: number; to: number; of: 'incident' | 'maintenance'; title: string }

/** What is drawn. */
export type Drawing = {
  /** Seconds since 1970, ascending. */
  times: readonly number[]
  /** The range of time that is shown, in the same seconds. */
  range: readonly [from: number, to: number]
  lines: readonly Line[]
  /** The lines are parts of a sum, each drawn upon the one before. */
  isStacked: boolean
  /** Days have no hour. */
  isByDay: boolean
  /** How many seconds a step lasts; times are the beginnings of steps. */
  stepSeconds: number
  /** How many checks failed, and how many were degraded, for each time. */
  failures: readonly number[]
  degraded: readonly number[]
  bands: readonly Band[]
  /** From when on a response is too slow, in milliseconds. */
  limitMs: number | null
}

/** Whether degraded checks are marked on lines; else they have marks on the axis. */
export function marksLines({ lines }: Drawing): boolean {
  return lines.some(({ isDegraded }) => isDegraded !== undefined)
}

/** The highest value that is drawn; 0 where there is none. */
export function highestOf({ times, lines, isStacked }: Drawing): number {
  const of = (index: number): number[] => lines.map(({ values }) => values[index] ?? 0)
  return times.reduce((highest, _, index) => {
    const here = of(index)
    return Math.max(highest, isStacked ? here.reduce((sum, value) => sum + value, 0) : Math.max(0, ...here))
  }, 0)
}

/** A limit far above everything that was measured would press the lines flat: then it is told and not drawn. */
const limitRoom = 2.5

export function isLimitDrawn(drawing: Drawing): boolean {
  const { limitMs, isStacked } = drawing
  return limitMs !== null && !isStacked && limitMs <= highestOf(drawing) * limitRoom
}
