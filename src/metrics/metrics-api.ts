import { Counter, Histogram, type Registry } from 'prom-client'
import { addGauge, addGauges } from './metrics-gauge.ts'
import type { Admission, Surface } from '#operations/admission/admission.ts'
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

export type WatchedAdmission = Pick<Admission, 'counts'>

/** Told of each request that found no place in time. */
export type RefusalObserver = (surface: Surface) => void

export function createRefusalObserver(registers: Registry[]): RefusalObserver {
  const refused = new Counter({
    name: 'perigee_requests_refused_total',
    help: 'Requests that found no place in time and were answered 503, by surface.',
    labelNames: ['surface'],
    registers,
  })
  return (surface) => refused.inc({ surface })
}

export function addAdmissionGauges(registers: Registry[], { counts }: WatchedAdmission): void {
  const add = (name: string, help: string, key: 'running' | 'waiting'): void =>
    addGauges(registers, {
      name,
      help,
      labelNames: ['surface'],
      read: () => Object.entries(counts()).map(([surface, each]) => [{ surface }, each[key]] as const),
    })
  add('perigee_requests_running', 'Requests that are worked on, by surface.', 'running')
  add('perigee_requests_waiting', 'Requests that wait for a place, by surface.', 'waiting')
}

export function addLiveGauge(registers: Registry[], feed: WatchedFeed): void {
  addGauge(registers, {
    name: 'perigee_live_streams',
    help: 'Open streams by which pages of the console are told of changes.',
    read: () => feed.watching,
  })
}
