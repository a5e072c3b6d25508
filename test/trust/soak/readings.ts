// How the service of a soak does: what the system, its metrics and its database say at one moment.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#store/database/database.ts'
import { postgresProcesses } from '#store/embedded/process-identity.ts'
import { treeCpu } from '../../../bench/support/process-tree.ts'
import { type Exposition, parseExposition } from '../../support/exposition.ts'
import { machineMs } from '../../support/faults/starvation.ts'
import { postgresFolder, type Service } from '../program.ts'

export type Reading = {
  atMs: number
  /** Mebibytes. Of PostgreSQL what its processes have each for themselves: the pages that they share have a bound. */
  memory: { service: number; heap: number; external: number; database: number; standIns: number }
  handles: number
  databaseProcesses: number
  /** Since the start of the service. */
  stored: number
  rounds: number
  /** How many rounds began so late at most, by seconds; rising. */
  lags: Lags
  /** Milliseconds of processors: of the soak with all of its processes, and of the whole machine. */
  processor: { own: number; machine: number }
}

export type Lags = { bound: number; rounds: number }[]

/** What changes slowly, and takes longer to find out. */
export type Extent = { rows: number; folderMb: number }

export type Watched = { service: Service; metricsToken: string; standInsPid: number }

const kibibytesPerMb = 1024
const bytesPerMb = 1024 ** 2
const lagMetric = 'perigee_round_lag_seconds'

export async function readNow({ service, metricsToken, standInsPid }: Watched): Promise<Reading> {
  const metrics = await readMetrics(service.url, metricsToken)
  const number = (name: string): number => metrics.value(name) ?? Number.NaN
  const servers = postgresProcesses(postgresFolder(service))
  return {
    atMs: performance.now(),
    memory: {
      service: kilobytesOf(service.pid, 'VmRSS') / kibibytesPerMb,
      heap: number('perigee_nodejs_heap_size_used_bytes') / bytesPerMb,
      external: number('perigee_nodejs_external_memory_bytes') / bytesPerMb,
      database: servers.reduce((sum, pid) => sum + kilobytesOf(pid, 'RssAnon'), 0) / kibibytesPerMb,
      standIns: kilobytesOf(standInsPid, 'VmRSS') / kibibytesPerMb,
    },
    handles: readdirSync(`/proc/${service.pid}/fd`).length,
    databaseProcesses: servers.length,
    stored: number('perigee_results_stored_total'),
    rounds: number('perigee_rounds_total'),
    lags: lagsOf(metrics),
    processor: { own: treeCpu(process.pid).total, machine: machineMs() },
  }
}

/** Rows by the database's own count, and all files below its folder. */
export async function extentOf({ dataFolder }: Service, { pool }: Database): Promise<Extent> {
  const { rows } = await pool.query<{ rows: string }>('select sum(n_live_tup) as rows from pg_stat_user_tables')
  return { rows: Number(rows[0]?.rows), folderMb: folderBytes(dataFolder) / bytesPerMb }
}

/** Of rounds between two readings. */
export function lagsBetween(from: Lags, to: Lags): Lags {
  return to.map(({ bound, rounds }, index) => ({ bound, rounds: rounds - (from[index]?.rounds ?? 0) }))
}

/** Milliseconds, from the bucket in which that share is reached; what the last bucket holds is told as its lower bound. */
export function lagOfShare(lags: Lags, share: number): number {
  const wanted = (lags.at(-1)?.rounds ?? 0) * share
  let below = { bound: 0, rounds: 0 }
  for (const bucket of lags) {
    if (bucket.rounds >= wanted && bucket.rounds > below.rounds) {
      if (bucket.bound === Infinity) break
      const part = (wanted - below.rounds) / (bucket.rounds - below.rounds)
      return 1000 * (below.bound + part * (bucket.bound - below.bound))
    }
    below = bucket
  }
  return 1000 * below.bound
}

/** The share of the machine's processors that others than this proof with all of its processes had. */
export function othersShare(from: Reading, to: Reading): number {
  const allMs = to.processor.machine - from.processor.machine
  const others = allMs - (to.processor.own - from.processor.own)
  return Math.max(0, others / ((to.atMs - from.atMs) * availableParallelism()))
}

async function readMetrics(url: string, token: string): Promise<Exposition> {
  const response = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(20_000),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}: ${text}`)
  return parseExposition(text)
}

export function lagsOf({ samples }: Exposition): Lags {
  return samples
    .filter(({ name }) => name === `${lagMetric}_bucket`)
    .map(({ labels, value }) => ({ bound: labels['le'] === '+Inf' ? Infinity : Number(labels['le']), rounds: value }))
}

/** 0 for a process that has just ended. */
function kilobytesOf(pid: number, field: 'VmRSS' | 'RssAnon'): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Files may go while they are counted. */
function folderBytes(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  return bytes
}
