import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maxResultsPerMessage } from '#bus/bus.ts'
import type { Result } from '#core/results/result.ts'
import { copyOut } from '#store/backup/copy.ts'
import { backUpInThread } from '#store/backup/backup-thread.ts'
import { restoreBackup } from '#store/backup/restore.ts'
import { type Database, openDatabase } from '#store/database/database.ts'
import { startEmbedded } from '#store/embedded/embedded.ts'
import { type EngineBench, withEngine } from './support/engine.ts'
import { whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { pause } from './support/service.ts'

const monitors = 3_000
const resultsPerSecond = 3_000
/** Results that are there before. */
const storedBefore = 3_000_000
const stepMs = 100
const settleMs = 5_000

/**
 * A backup while 3,000 results a second are stored, and its restore, which compares every table. The reference is a plain
 * COPY of the same results in the same minute, under the same load.
 */
export async function backup(): Promise<void> {
  let ids: string[] = []
  const folder = mkdtempSync(join(tmpdir(), 'perigee-bench-backup-'))
  try {
    await withEngine(
      async (seed) => {
        ids = await addMonitors(seed, monitors, (index) => ({ name: `Monitor ${index}` }))
      },
      async (bench) => {
        await bench.start()
        await storeBarely(bench.foundation.database)
        await underLoad(bench, ids, () => measure(bench, folder))
      },
    )
    await measureRestore(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function storeBarely({ pool }: Database): Promise<void> {
  await pool.query(
    `insert into results (monitor_key, round_at, location, status, status_code, latency_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms)
    select
      number % $2 + 1, date_trunc('day', now(), 'UTC') + number * interval '20 ms', 1, 'u', 200, number % 200, 1, 12, 14, 100, 1
    from generate_series(1, $1::integer) as number`,
    [storedBefore, monitors],
  )
}

async function underLoad(bench: EngineBench, ids: readonly string[], work: () => Promise<void>): Promise<void> {
  const over = new AbortController()
  const sending = send(bench, ids, over.signal)
  await pause(settleMs)
  await work()
  over.abort()
  await sending
}

async function send({ bus }: EngineBench, ids: readonly string[], over: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  const waiting: Promise<unknown>[] = []
  for (let sent = 0; !over.aborted;) {
    const due = ((performance.now() - startedAt) / 1000) * resultsPerSecond
    const round = Date.now() * 1000
    // A message is acknowledged when it is stored, so those of a step wait together.
    for (; sent < due; sent += maxResultsPerMessage) {
      const from = sent % ids.length
      const results = ids.slice(from, from + maxResultsPerMessage).map((id) => resultOf(id, round))
      waiting.push(bus.publishResults('local', results))
    }
    await pause(stepMs)
  }
  await Promise.all(waiting)
}

function resultOf(monitorId: string, round: number): Result {
  const phases = { dnsMs: 1, connectMs: 12, tlsMs: 14, ttfbMs: 95, transferMs: 1 }
  const verdict = { status: 'up', statusCode: 200, latencyMs: 100, error: null, phases, details: {} } as const
  return { monitorId, version: 1, round, location: 'local', verdict }
}

async function measure({ foundation: { database }, observed }: EngineBench, folder: string): Promise<void> {
  const copied = await timed(observed, () => copyResults(database))
  const taken = await timed(observed, () => backUp(database, folder))
  const [copyRate, backupRate] = [copied, taken].map(({ seconds }) => copied.done / 1_000_000 / seconds)
  console.log(`  COPY of results alone: ${megabytes(copied.done)} in ${copied.seconds.toFixed(1)} s, ${rate(copyRate)}`)
  console.log(
    `backup: the same and all other tables in ${taken.seconds.toFixed(1)} s, ${rate(backupRate)}, ` +
      `${((backupRate ?? 0) / (copyRate ?? 1)).toFixed(2)} of a COPY; the file has ${megabytes(taken.done)}; ` +
      `${whole(taken.storedPerSecond)} results/s were stored meanwhile, of ${whole(resultsPerSecond)} sent`,
  )
}

type Timed = { done: number; seconds: number; storedPerSecond: number }

async function timed(observed: EngineBench['observed'], work: () => Promise<number>): Promise<Timed> {
  const before = observed.stored
  const startedAt = performance.now()
  const done = await work()
  const seconds = (performance.now() - startedAt) / 1000
  return { done, seconds, storedPerSecond: (observed.stored - before) / seconds }
}

async function copyResults({ pool }: Database): Promise<number> {
  const client = await pool.connect()
  let bytes = 0
  for await (const piece of copyOut(client, 'copy (select * from results) to stdout')) bytes += piece.length
  client.release()
  return bytes
}

async function backUp(database: Database, folder: string): Promise<number> {
  const options = { release: 'bench', keys: null, passphrase: null, now: new Date() }
  return backUpInThread(database, { ...options, file: fileIn(folder) })
}

/** It rejects where a table does not add up to what the backup says. */
async function measureRestore(folder: string): Promise<void> {
  const embedded = await startEmbedded({ folder: join(folder, 'restored') })
  const database = openDatabase({ connection: embedded.connection, maxConnections: 4 })
  try {
    const startedAt = performance.now()
    const file = createReadStream(fileIn(folder), { highWaterMark: 1024 * 1024 })
    const { tables } = await restoreBackup(database, file, { passphrase: null, now: new Date(), isLive: false })
    const rows = tables.reduce((sum, table) => sum + Number(table.rows), 0)
    const seconds = (performance.now() - startedAt) / 1000
    console.log(
      `  restore: ${whole(rows)} rows of ${tables.length} tables in ${seconds.toFixed(1)} s, all as they were; ` +
        `this process has ${megabytes(process.memoryUsage.rss())}`,
    )
  } finally {
    await database.close()
    await embedded.stop()
  }
}

function fileIn(folder: string): string {
  return join(folder, 'bench.pgb')
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

function rate(perSecond: number | undefined): string {
  return `${(perSecond ?? 0).toFixed(1)} MB/s`
}
