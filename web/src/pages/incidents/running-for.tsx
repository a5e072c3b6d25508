import { t } from '@lingui/core/macro'
import { type ReactNode, useSyncExternalStore } from 'react'
import { spanText } from './incident-parts.tsx'

const secondMs = 1000

/**
 * How long it has been going on, counted by the second. Screen readers are told the time at which it began instead of
 * every second.
 */
export function RunningFor({ since }: { since: string }): ReactNode {
  const now = useSyncExternalStore(everySecond, nowBySeconds)
  const span = spanText(Math.max(secondMs, now - Date.parse(since)))
  return (
    <span role="timer" aria-live="off" className="font-medium tabular-nums">
      {t`ongoing for ${span}`}
    </span>
  )
}

function everySecond(tell: () => void): () => void {
  const timer = setInterval(tell, secondMs)
  return () => clearInterval(timer)
}

function nowBySeconds(): number {
  return Math.floor(Date.now() / secondMs) * secondMs
}
