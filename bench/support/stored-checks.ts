// The cost of a check to the whole service: scheduled, made, stored, folded, PostgreSQL included.
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Database } from '#store/database/database.ts'
import { bareSocket, bareTls, type Client, costOf, nodeHttp, ownExchange } from './clients.ts'
import { whole } from './figures.ts'
import { addMonitors } from './installation.ts'
import { cpuBetween, treeCpu, treeMemoryMb } from './process-tree.ts'
import { pause, type Service, waitFor, withService } from './service.ts'
import { startTarget, type Target } from './target.ts'

export type StoredChecks = {
  checksPerSecond: number
  isTls: boolean
  /** Whether checks take up the session of the check before. Default: each handshake is a full one. */
  isResumed?: boolean
  measureMs: number
  /** Checks of each reference; 0 for no references. */
  referenceChecks: number
  /** Variables that the service is started with, beside those of the bench. */
  environment?: Record<string, string>
  /** The caller prints. */
  isQuiet?: boolean
}

export type StoredCost = {
  /** CPU time of the service and its database, for each stored check. */
  cpuMs: number
  serviceMs: number
  databaseMs: number
  storedPerSecond: number
  /** The memory of the service and its database together. */
  memoryMb: number
  /** From the moment at which the service listens until every monitor was checked. */
  firstRoundSeconds: number
}

/** The floor of an interval. */
const intervalSeconds = 10
/** Configurations are fetched and code is compiled before anything is counted. */
const settleMs = 12_000

export async function measureStoredChecks(options: StoredChecks): Promise<StoredCost> {
  const target = await startTarget({ isTls: options.isTls })
  if (target.certificateFile !== null) trust(target.certificateFile)
  try {
    const cost = await withService(
      {
        environment: {
          ...options.environment,
          PERIGEE_TLS_RESUMPTION: options.isResumed === true ? 'on' : 'off',
          ...(target.certificateFile === null ? {} : { NODE_EXTRA_CA_CERTS: target.certificateFile }),
        },
        seed: async (seed) => {
          const count = options.checksPerSecond * intervalSeconds
          await addMonitors(seed, count, (index) => ({
            name: `Monitor ${index}`,
            url: target.urls[index % target.urls.length] ?? null,
            interval_seconds: intervalSeconds,
          }))
        },
      },
      (service) => measure(service, options),
    )
    if (options.isQuiet !== true) print(options, target, cost)
    if (options.referenceChecks > 0) await printReferences(options, target, cost)
    return cost
  } finally {
    await target.stop()
  }
}

const usualAuthorities = getCACertificates('default')

/** For the references, which are made in this process. The target before had a certificate of the same name. */
function trust(certificateFile: string): void {
  setDefaultCACertificates([...usualAuthorities, readFileSync(certificateFile, 'utf8')])
}

async function measure({ pid, database }: Service, options: StoredChecks): Promise<StoredCost> {
  const monitors = options.checksPerSecond * intervalSeconds
  const listensMs = performance.now()
  await waitFor('every monitor to be checked once', async () => (await countChecked(database)) >= monitors * 0.99, {
    deadlineMs: 40_000,
    everyMs: 1_000,
  }).catch((error: unknown) => console.log(`${String(error)}; measured all the same`))
  const firstRoundSeconds = (performance.now() - listensMs) / 1000
  await pause(settleMs)
  const startedAt = performance.now()
  const before = treeCpu(pid)
  const storedBefore = await countStored(database)
  await pause(options.measureMs - (performance.now() - startedAt))
  const cpu = cpuBetween(before, treeCpu(pid))
  const seconds = (performance.now() - startedAt) / 1000
  const stored = (await countStored(database)) - storedBefore
  return {
    cpuMs: cpu.total / stored,
    serviceMs: cpu.own / stored,
    databaseMs: cpu.below / stored,
    storedPerSecond: stored / seconds,
    memoryMb: treeMemoryMb(pid),
    firstRoundSeconds,
  }
}

async function countChecked({ pool }: Database): Promise<number> {
  const counted = await pool.query<{ count: number }>(
    'select count(*)::integer as count from monitor_state where last_checked_at is not null',
  )
  return counted.rows[0]?.count ?? 0
}

async function countStored({ pool }: Database): Promise<number> {
  const counted = await pool.query<{ count: number; down: number }>(
    `select count(*)::integer as count, count(*) filter (where status <> 'u')::integer as down from results`,
  )
  const { count = 0, down = 0 } = counted.rows[0] ?? {}
  if (down > count / 1000) console.log(`${down} of ${count} checks failed: this measures something else`)
  return count
}

function print({ checksPerSecond, isTls, isResumed = false }: StoredChecks, target: Target, cost: StoredCost): void {
  const { cpuMs, serviceMs, databaseMs, storedPerSecond } = cost
  console.log(
    `${isTls ? 'https' : 'http'}${isResumed ? ' with resumed sessions' : ''} at ${whole(checksPerSecond)}/s against ${target.name}: ` +
      `${whole(storedPerSecond)} stored checks/s, ${cpuMs.toFixed(3)} ms CPU each ` +
      `(service ${serviceMs.toFixed(3)}, PostgreSQL ${databaseMs.toFixed(3)})`,
  )
}

function referencesOf({ isTls, isResumed }: { isTls: boolean; isResumed: boolean }): Record<string, Client> {
  if (isResumed) return { 'bare TLS, resumed': bareTls({ isResumed }) }
  const bare = isTls ? { 'bare TLS': bareTls({ isResumed }) } : { 'bare socket': bareSocket }
  return { 'node:http': nodeHttp, 'our exchange': ownExchange(), ...bare }
}

/** In the same minute, against the same server, with nothing stored. */
async function printReferences(
  { isTls, isResumed = false, referenceChecks }: StoredChecks,
  { urls }: Target,
  { cpuMs }: StoredCost,
): Promise<void> {
  for (const [name, client] of Object.entries(referencesOf({ isTls, isResumed }))) {
    await costOf(client, urls, referenceChecks / 4)
    const cost = await costOf(client, urls, referenceChecks)
    console.log(
      `  reference ${name}: ${cost.cpuMs.toFixed(3)} ms CPU a check, nothing stored; ` +
        `a stored one costs ${(cpuMs / cost.cpuMs).toFixed(2)} of it`,
    )
  }
}
