import type { Backlog, EngineBus } from '#bus/bus.ts'
import {
  type ClusterStatus,
  clusterTroubles,
  type OperatorStatus,
  type ProcessStatus,
  processTroubles,
  type StreamStatus,
} from '#core/operator-status.ts'
import { readClusterStatus } from '#store/installation/cluster-status.ts'
import { assertStoring } from '#store/database/assert-storing.ts'
import type { Database } from '#store/database/database.ts'
import type { Engine } from '#engine/engine.ts'
import type { Checks } from '#metrics/metrics-checks.ts'
import { recent } from './recent-answers.ts'
import { readRelease } from './release.ts'
import type { ProberThreads } from '#prober/threads.ts'
import type { Roles } from '#config/roles.ts'

export type StatusSources = {
  name: string
  roles: Roles
  /** Null in probers alone, which have none. */
  database: Database | null
  /** Rejects while the database cannot store. Null in probers alone. */
  tryToStore: (() => Promise<void>) | null
  /** Null without a broker. Probers may not ask what waits there. */
  bus: (Pick<EngineBus, 'isConnected'> & { readBacklog: (() => Promise<readonly Backlog[]>) | null }) | null
  engine: Pick<Engine, 'watching' | 'partitions' | 'lagMs' | 'waiting'> | null
  prober: { locations: readonly string[]; load: Checks['load']; threads: Pick<ProberThreads, 'missing'> } | null
}

/** The statements look at every monitor: however many ask, they run at most so often. */
const clusterAgeMs = 5_000
const clusterDeadlineMs = 30_000

/** What this process knows of itself and of the whole, for its operator. */
export function createStatusSource(sources: StatusSources): () => Promise<OperatorStatus> {
  const { database, tryToStore } = sources
  const startedMs = performance.now()
  const readCluster =
    database === null
      ? null
      : recent(() => readOwnCluster(database), { maxAgeMs: clusterAgeMs, deadlineMs: clusterDeadlineMs })
  return async () => {
    const [own, cluster, storing] = await Promise.all([
      readProcess(sources, startedMs),
      readCluster === null ? null : readCluster().catch(() => 'unreadable' as const),
      tryToStore === null ? [] : storingTroubles(tryToStore),
    ])
    const isClusterKnown = cluster !== null && cluster !== 'unreadable'
    return {
      at: new Date().toISOString(),
      process: own,
      cluster: cluster === 'unreadable' ? null : cluster,
      troubles: [...processTroubles(own, { isClusterKnown }), ...storing, ...troublesOf(cluster)],
    }
  }
}

/** The same from the database alone, for when no process answers. */
export async function readDatabaseStatus(database: Database): Promise<OperatorStatus> {
  const storing = await storingTroubles(() => assertStoring(database))
  const cluster = await readOwnCluster(database)
  return { at: new Date().toISOString(), process: null, cluster, troubles: [...storing, ...clusterTroubles(cluster)] }
}

async function storingTroubles(tryToStore: () => Promise<void>): Promise<string[]> {
  try {
    await tryToStore()
    return []
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [`The database cannot store anything: ${why.replace(/\.$/, '')}.`]
  }
}

/** The installation as the database knows it, without a try whether it stores. */
export function readOwnCluster(database: Database): Promise<ClusterStatus> {
  return readClusterStatus(database)
}

function troublesOf(cluster: ClusterStatus | 'unreadable' | null): string[] {
  if (cluster === null) return []
  return cluster === 'unreadable' ? ['The database cannot be read.'] : clusterTroubles(cluster)
}

async function readProcess(sources: StatusSources, startedMs: number): Promise<ProcessStatus> {
  const { name, roles, bus, engine, prober } = sources
  const load = prober?.load()
  return {
    version: readRelease(),
    roles: [...roles],
    name,
    up_seconds: Math.round((performance.now() - startedMs) / 1000),
    bus: bus === null ? null : { connected: bus.isConnected(), streams: await readStreams(bus) },
    engine:
      engine === null
        ? null
        : {
            monitors: engine.watching,
            partitions: engine.partitions,
            lag_seconds: engine.lagMs() / 1000,
            results_waiting: engine.waiting,
          },
    prober:
      prober === null || load === undefined
        ? null
        : {
            locations: [...prober.locations],
            checks_running: load.running,
            assignments_waiting: load.waiting,
            results_waiting: load.outbox,
            monitors_set_aside: load.setAside,
            threads_missing: prober.threads.missing,
          },
  }
}

async function readStreams({ readBacklog }: NonNullable<StatusSources['bus']>): Promise<StreamStatus[] | null> {
  if (readBacklog === null) return null
  try {
    return (await readBacklog()).map(({ stream, messages, bytes, oldestAt }) => ({
      name: stream,
      messages,
      bytes,
      oldest_seconds: oldestAt === null ? 0 : Math.max(0, (Date.now() - oldestAt.getTime()) / 1000),
    }))
  } catch {
    return null
  }
}
