import { type ReactNode, useSyncExternalStore } from 'react'

const full = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** In the reader's zone, with UTC at hand. `by: day` where the hour is not known or does not matter. */
export function Time({ at, by = 'minute' }: { at: string; by?: 'minute' | 'day' }): ReactNode {
  const date = new Date(at)
  return (
    <time dateTime={at} title={`${at.slice(0, 16).replace('T', ' ')} UTC`}>
      {(by === 'day' ? day : full).format(date)}
    </time>
  )
}

/** How long ago, and kept true while it is looked at. */
export function Ago({ at }: { at: string }): ReactNode {
  const now = useSyncExternalStore(everyTick, nowByTicks)
  return (
    <time dateTime={at} title={full.format(new Date(at))}>
      {agoText(Date.parse(at) - now)}
    </time>
  )
}

const tickMs = 15_000

function everyTick(tell: () => void): () => void {
  const timer = setInterval(tell, tickMs)
  return () => clearInterval(timer)
}

function nowByTicks(): number {
  return Math.floor(Date.now() / tickMs) * tickMs
}

function agoText(ms: number): string {
  const seconds = ms / 1000
  for (const [unit, length] of steps)
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit)
  return 'just now'
}
