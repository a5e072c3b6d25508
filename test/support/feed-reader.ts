// Reads the feeds of a stand-in server into a database, at the times that a test gives.
import assert from 'node:assert/strict'
import { createNet } from '#net/create-net.ts'
import type { Database } from '#store/database/database.ts'
import { feedChores } from '#jobs/software/feeds.ts'
import { testDatabase } from './database.ts'
import { type FeedServer, type FeedWorld, feedServer } from './feed-server.ts'
import type { Logged } from './jobs.ts'

const net = createNet({ allowPrivate: ['127.0.0.0/8'] })
export const noon = Date.parse('2026-11-20T12:00:00Z')

export type Reader = {
  database: Database
  server: FeedServer
  logged: Logged[]
  /** Runs a chore at a time, in milliseconds after noon. */
  run: (chore: string, atMs?: number) => Promise<void>
  vulnerabilities: () => Promise<Record<string, unknown>[]>
  feed: (name: string) => Promise<Record<string, unknown>>
}

/** `followed` is a product that some monitor has; null for none. */
export type ReaderOptions = { signal?: AbortSignal; nvdApiKey?: string | null; followed?: string | null }

export async function feedReader(
  world: Partial<FeedWorld>,
  { signal = new AbortController().signal, nvdApiKey = null, followed = 'npm:followed' }: ReaderOptions = {},
): Promise<Reader> {
  const [database, server] = await Promise.all([testDatabase({ maxConnections: 5 }), feedServer(world)])
  if (followed !== null) await database.pool.query('insert into components (product) values ($1)', [followed])
  const logged: Logged[] = []
  const write =
    (level: string) =>
    (message: string, details: Record<string, unknown> = {}): void => {
      logged.push({ level, message, details })
    }
  const clock = { nowMs: noon }
  const chores = feedChores(
    {
      database,
      feeds: server.roots,
      nvdApiKey,
      carriers: { net, sendMail: () => Promise.reject(new Error('no mail')) },
      log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
      now: () => new Date(clock.nowMs),
    },
    server.wait,
  )
  return {
    database,
    server,
    logged,
    run: async (name, atMs = 0) => {
      clock.nowMs = noon + atMs
      const chore = chores.find((one) => one.name === name)
      assert.ok(chore !== undefined, name)
      await chore.run(signal)
    },
    vulnerabilities: async () =>
      (
        await database.pool.query(
          'select id, source, severity, exploited_on::text, aliases from vulnerabilities order by id',
        )
      ).rows,
    feed: async (name) => (await database.pool.query('select * from feeds where name = $1', [name])).rows[0],
  }
}
