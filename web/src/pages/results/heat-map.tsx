import { type ReactNode, lazy } from 'react'
import type { MonitorDetail } from '../../api/monitors.ts'
import { useNow } from '../../parts/time.tsx'
import { Awaited, WaitingPart } from '../../parts/waiting.tsx'
import { watchedSinceOf } from './uptime-figures.ts'

const dayMs = 86_400_000
/** Of fewer days there is no pattern of a week to be seen. */
const fewestDays = 3

/** Stands below the chart, and loads after it. */
const HeatMapWeek = lazy(async () => ({ default: (await import('./heat-map-week.tsx')).HeatMapWeek }))

/** At what hour of which weekday it is slow. */
export function HeatMap({ detail }: { detail: MonitorDetail }): ReactNode {
  const since = watchedSinceOf(detail)
  if (useNow() - (since ?? Infinity) < fewestDays * dayMs) return null
  return (
    <Awaited fallback={<WaitingPart className="min-h-64" />}>
      <HeatMapWeek id={detail.data.id} />
    </Awaited>
  )
}
