import type { Flow } from './flow.ts'
import { createStatusSource, type StatusSources } from './process-status.ts'
import type { Foundation } from './foundation.ts'
import { type OperatorConfig, operatorOf } from './operator-access.ts'
import type { Config } from '#config/config.ts'
import type { EngineBus } from '#bus/bus.ts'
import type { OperatorStatus } from '#core/operator-status.ts'
import type { SystemSources } from '#http/system-routes.ts'
import type { Metrics, WatchedSources } from '#metrics/metrics.ts'
import type { ProberThreads } from '#prober/threads.ts'
import { recent } from './recent-answers.ts'
import type { Roles } from '#config/roles.ts'
import { assertStoring } from '#store/database/assert-storing.ts'
import { readQueues } from '#store/installation/cluster-status.ts'
import { readFeedStatus } from '#store/software/feed-status.ts'

export type SystemParts = {
  config: Pick<Config, 'nats' | 'locations'> & OperatorConfig
  roles: Roles
  name: string
  foundation: Pick<Foundation, 'database' | 'engineDatabase' | 'now'>
  /** Null for jobs alone. */
  flow: Flow | null
  metrics: Metrics
}

const lookedUp = { maxAgeMs: 5_000, deadlineMs: 2_000 }
/** Shorter than the deadline of the whole answer, which then says what is not well. */
const tried = { maxAgeMs: 5_000, deadlineMs: 1_800 }

export type System = Omit<SystemSources, 'status'> & { status: () => Promise<OperatorStatus> }

/** What a process with a database shows its operator: health, metrics, status. */
export function createSystem(parts: SystemParts): System {
  const { config, roles, name, foundation, flow, metrics } = parts
  const { database, engineDatabase } = foundation
  const broker = flow === null || config.nats === null ? null : flow.bus
  const storing = recent(() => assertStoring(database), tried)
  const readBacklog = broker === null ? null : recent(() => broker.readBacklog(), lookedUp)
  metrics.watch({
    pools: {
      main: database,
      ...(roles.has('api') ? { reports: { pool: database.planned } } : {}),
      ...(roles.has('engine') ? { engine: engineDatabase } : {}),
    },
    isStoring: () => holds(storing),
    ...(flow === null ? {} : { presence: { present: () => flow.presence.present(foundation.now()) } }),
    ...(flow === null || flow.engine === null ? {} : { engine: flow.engine }),
    ...(flow === null || flow.probers === null ? {} : { threads: flow.probers }),
    ...(broker === null ? {} : { bus: broker }),
    ...(readBacklog === null ? {} : { readBacklog }),
    ...(roles.has('jobs') ? ofJobs(database) : {}),
  })
  return {
    // Without its broker a process can keep no result and no call. Nothing else belongs here: a balancer that takes an
    // API away because an engine beside it is in trouble makes one trouble into two.
    readiness: async () => ({
      database: await holds(storing),
      ...(flow === null ? {} : { bus: flow.bus.isConnected() }),
    }),
    metrics: metrics.read,
    status: createStatusSource({
      name,
      roles,
      database,
      tryToStore: storing,
      bus: broker === null ? null : { isConnected: broker.isConnected, readBacklog },
      engine: flow === null ? null : flow.engine,
      prober: flow === null || flow.probers === null ? null : proberOf(config, metrics, flow.probers),
    }),
    ...operatorOf(config),
  }
}

/** What every process with jobs shows of the whole installation. */
function ofJobs(database: Foundation['database']): Pick<WatchedSources, 'readQueues' | 'readFeeds'> {
  return {
    readQueues: recent(() => readQueues(database), lookedUp),
    readFeeds: recent(() => readFeedStatus(database), lookedUp),
  }
}

async function holds(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch {
    return false
  }
}

export type ProberSystemParts = Pick<SystemParts, 'config' | 'roles' | 'name' | 'metrics'> & {
  bus: Pick<EngineBus, 'isConnected'>
  probers: Pick<ProberThreads, 'haveBegun' | 'missing'>
}

/** What a process that only checks shows: it knows the broker, which it may not ask what waits there, and itself. */
export function createProberSystem(parts: ProberSystemParts): SystemSources {
  const { config, roles, name, metrics, bus, probers } = parts
  metrics.watch({ bus, threads: probers })
  return {
    // It begins with threads that have not begun. Later, one that died begins again by itself.
    readiness: async () => ({ bus: bus.isConnected(), threads: probers.haveBegun }),
    metrics: metrics.read,
    status: createStatusSource({
      name,
      roles,
      database: null,
      tryToStore: null,
      bus: { isConnected: bus.isConnected, readBacklog: null },
      engine: null,
      prober: proberOf(config, metrics, probers),
    }),
    ...operatorOf(config),
  }
}

function proberOf(
  { locations }: Pick<Config, 'locations'>,
  { checks }: Metrics,
  threads: Pick<ProberThreads, 'missing'>,
): StatusSources['prober'] {
  return { locations: locations.map(({ code }) => code), load: checks.load, threads }
}
