import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Backlog, EngineBus } from '#bus/bus.ts'
import type { FeedStatus } from '#core/software/feed-status.ts'
import type { EngineObserver } from '#engine/engine-options.ts'
import type { HistoryObserver } from '#jobs/history.ts'
import type { JobsObserver } from '#jobs/runner/job-parts.ts'
import {
  addAdmissionGauges,
  addLiveGauge,
  type AnswerObserver,
  createAnswerObserver,
  createRefusalObserver,
  type RefusalObserver,
  type WatchedAdmission,
  type WatchedFeed,
} from './metrics-api.ts'
import { addThreadGauge, type Checks, createChecks, type WatchedThreads } from './metrics-checks.ts'
import {
  addEngineGauges,
  addPresenceGauge,
  createEngineObserver,
  type WatchedEngine,
  type WatchedPresence,
} from './metrics-engine.ts'
import { addFeedGauge } from './metrics-feeds.ts'
import { addQueueGauges, createJobsObserver, type Queues } from './metrics-jobs.ts'
import { addBacklogGauges, addBusGauge, addPoolGauges, addStoringGauge, type Pools } from './metrics-resources.ts'
import { createSpanObserver, type SpanObserver } from './metrics-spans.ts'
import type { ProcessRole, Roles } from '#config/roles.ts'

/** What this process does, counted. Every role shows its own figures alone; docs/monitoring-perigee.md lists them. */
export type Metrics = {
  engine: EngineObserver
  jobs: JobsObserver & HistoryObserver
  checks: Checks
  answered: AnswerObserver
  refused: RefusalObserver
  spans: SpanObserver
  /** Shows figures that are read when they are asked for, from now on. */
  watch: (sources: WatchedSources) => void
  read: () => Promise<{ contentType: string; text: string }>
}

export type WatchedSources = {
  engine?: WatchedEngine
  presence?: WatchedPresence
  threads?: WatchedThreads
  pools?: Pools
  feed?: WatchedFeed
  admission?: WatchedAdmission
  /** Only where the bus has a broker. */
  bus?: Pick<EngineBus, 'isConnected'>
  readBacklog?: () => Promise<readonly Backlog[]>
  readQueues?: () => Promise<Queues>
  readFeeds?: () => Promise<readonly FeedStatus[]>
  isStoring?: () => Promise<boolean>
}

/**
 * Each look wakes the main thread; prom-client's usual 10 ms are a third of what that thread does when idle. Where
 * nothing reads metrics, there are no looks.
 */
const eventLoopMonitoringMs = 50
/** Gauges whose names say that they are counters; the same figures stand beside them by type. */
const misnamed = ['active_handles_total', 'active_requests_total', 'active_resources_total']

export function createMetrics({ roles, version }: { roles: Roles; version: string }): Metrics {
  const registry = new Registry()
  const all = [registry]
  const of = (role: ProcessRole): Registry[] => (roles.has(role) ? all : [])
  let isOfProcess = false
  new Gauge({
    name: 'perigee_build_info',
    help: 'Always 1, with the release and the roles of the process.',
    labelNames: ['version', 'roles'],
    registers: all,
  }).set({ version, roles: [...roles].join(',') }, 1)
  return {
    engine: createEngineObserver(of('engine')),
    jobs: createJobsObserver(of('jobs')),
    checks: createChecks(of('prober')),
    answered: createAnswerObserver(of('api')),
    refused: createRefusalObserver(of('api')),
    spans: createSpanObserver(all),
    watch: (sources) => {
      const { engine, presence, pools, feed, bus, readBacklog, readQueues, readFeeds, isStoring, threads } = sources
      if (engine !== undefined) addEngineGauges(all, engine)
      if (presence !== undefined) addPresenceGauge(all, presence)
      if (threads !== undefined) addThreadGauge(all, threads)
      if (pools !== undefined) addPoolGauges(all, pools)
      if (feed !== undefined) addLiveGauge(all, feed)
      if (sources.admission !== undefined) addAdmissionGauges(all, sources.admission)
      if (bus !== undefined) addBusGauge(all, bus)
      if (readBacklog !== undefined) addBacklogGauges(all, readBacklog)
      if (readQueues !== undefined) addQueueGauges(all, readQueues)
      if (readFeeds !== undefined) addFeedGauge(all, readFeeds)
      if (isStoring !== undefined) addStoringGauge(all, isStoring)
    },
    read: async () => {
      if (!isOfProcess) addProcessMetrics(registry)
      isOfProcess = true
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

/** Of the process and its event loop, from now on. */
function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({
    register: registry,
    prefix: 'perigee_',
    eventLoopMonitoringPrecision: eventLoopMonitoringMs,
  })
  for (const name of misnamed) registry.removeSingleMetric(`perigee_nodejs_${name}`)
}
