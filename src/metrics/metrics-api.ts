import { Histogram, type Registry } from 'prom-client'
import { addGauge } from './metrics-gauge.ts'
import type { LiveFeed } from '#operations/overview/live-feed.ts'

/** Told of every answered request; `route` is its pattern. */
export type AnswerObserver = (answer: { method: string; route: string; status: number; seconds: number }) => void

export type WatchedFeed = Pick<LiveFeed, 'watching'>

export function createAnswerObserver(registers: Registry[]): AnswerObserver {
  const requests = new Histogram({
    name: 'perigee_http_request_duration_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
    registers,
  })
  return ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds)
}

export function addLiveGauge(registers: Registry[], feed: WatchedFeed): void {
  addGauge(registers, {
    name: 'perigee_live_streams',
    help: 'Open streams by which pages of the console are told of changes.',
    read: () => feed.watching,
  })
}
