import { t } from '@lingui/core/macro'
import { type ReactNode, useSyncExternalStore } from 'react'
import { inLanguage } from './language.ts'

const full = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
const exact = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }))
const day = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
const relative = inLanguage((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

type TimeProps = { at: string; by?: 'second' | 'minute' | 'day' }

/** In the reader's zone, with UTC at hand. `by: day` where the hour is not known or does not matter. */
export function Time({ at, by = 'minute' }: TimeProps): ReactNode {
  const date = new Date(at)
  return (
    <time dateTime={at} title={`${utcText(at, by)} UTC`}>
      {formatBy(by).format(date)}
    </time>
  )
}

function formatBy(by: NonNullable<TimeProps['by']>): Intl.DateTimeFormat {
  switch (by) {
    case 'second':
      return exact()
    case 'minute':
      return full()
    case 'day':
      return day()
  }
}

/** For places that hold text alone, such as a choice. */
export function timeText(at: string): string {
  return full().format(new Date(at))
}

/** From one time to another, each day said once, in the reader's zone and language, with UTC at hand. */
export function TimeRange({ from, to, by = 'minute' }: RangeProps): ReactNode {
  const parts = formatBy(by).formatRangeToParts(new Date(from), new Date(to))
  return (
    <span title={`${utcText(from, by)} – ${utcText(to, by)} UTC`}>
      {joined(parts).map(({ source, value }) =>
        source === 'shared' ? (
          value
        ) : (
          <time key={`${source} ${value}`} dateTime={source === 'startRange' ? from : to}>
            {value}
          </time>
        ),
      )}
    </span>
  )
}

type RangeProps = { from: string; to: string; by?: 'second' | 'minute' }

type RangePart = Pick<Intl.DateTimeRangeFormatPart, 'source' | 'value'>

/** Joins neighbouring parts that belong to the same time, or to both times. */
function joined(parts: readonly RangePart[]): RangePart[] {
  const runs: RangePart[] = []
  for (const { source, value } of parts) {
    const last = runs.at(-1)
    if (last?.source === source) last.value += value
    else runs.push({ source, value })
  }
  return runs
}

function utcText(at: string, by: NonNullable<TimeProps['by']>): string {
  return at.slice(0, by === 'second' ? 19 : 16).replace('T', ' ')
}

/** How long ago, and kept true while it is looked at. */
export function Ago({ at }: { at: string }): ReactNode {
  const now = useNow()
  return (
    <time dateTime={at} title={full().format(new Date(at))}>
      {agoText(Date.parse(at) - now)}
    </time>
  )
}

/** In milliseconds since 1970, kept true while it is looked at. */
export function useNow(): number {
  return useSyncExternalStore(everyTick, nowByTicks)
}

/** Whether a moment lies behind us, and kept true while it is looked at. */
export function useIsPast(ms: number | null): boolean {
  const now = useNow()
  return ms !== null && ms <= now
}

const tickMs = 15_000

/** One timer for all: a list shows a hundred of them, and others with every line that is scrolled to. */
const told = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function everyTick(tell: () => void): () => void {
  told.add(tell)
  timer ??= setInterval(() => told.forEach((each) => each()), tickMs)
  return () => {
    told.delete(tell)
    if (told.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function nowByTicks(): number {
  return Math.floor(Date.now() / tickMs) * tickMs
}

function agoText(ms: number): string {
  const seconds = ms / 1000
  for (const [unit, length] of steps)
    if (Math.abs(seconds) >= length) return relative().format(Math.round(seconds / length), unit)
  return t`just now`
}
