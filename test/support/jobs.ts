// The jobs of one process, as the app starts them, and what they log.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import type { Carriers } from '#contacts/send.ts'
import type { FeedRoots } from '#core/software/feed-roots.ts'
import type { Within } from '#core/log-lines.ts'
import { noFeeds } from './feeds-off.ts'
import { createNet } from '#net/create-net.ts'
import type { Database } from '#store/database/database.ts'
import { type Secrets, createSecrets } from '#store/database/secrets.ts'
import type { Till } from '../../src/payments/settle.ts'
import type { BackupOrders } from '../../src/jobs/backups.ts'
import { startJobs } from '../../src/jobs/index.ts'
import { testDatabase } from './database.ts'

export type Logged = { level: string; message: string; details: Record<string, unknown> }

export type TestJobs = { secrets: Secrets; logged: Logged[]; stop: () => Promise<void> }

export type JobsOptions = {
  carriers?: Partial<Carriers>
  secrets?: Secrets
  concurrency?: number
  operatorEmail?: string
  till?: Till
  /** The default is none. */
  feeds?: FeedRoots
  now?: () => Date
  within?: Within
  backups?: BackupOrders
}

export const publicUrl = 'https://perigee.example'

export function testCarriers(carriers: Partial<Carriers> = {}): Carriers {
  return {
    net: createNet({ allowPrivate: ['127.0.0.0/8'] }),
    sendMail: () => Promise.reject(new Error('this test gave no mail')),
    ...carriers,
  }
}

/** A database and, as often as asked, the jobs of a process on it; what still runs at the end is stopped. */
export async function jobsDatabase(
  options: { maxConnections?: number } = {},
): Promise<{ database: Database; start: (options?: JobsOptions) => Promise<TestJobs> }> {
  const running: TestJobs[] = []
  // Undone in the order of their making: the jobs have to stop before their database goes.
  after(() => Promise.all(running.map((jobs) => jobs.stop())))
  const database = await testDatabase({ maxConnections: 4, ...options })
  return {
    database,
    start: async (jobsOptions = {}) => {
      const jobs = await startTestJobs(database, jobsOptions)
      running.push(jobs)
      return jobs
    },
  }
}

/** The caller stops them before the database closes. */
export async function startTestJobs(database: Database, options: JobsOptions = {}): Promise<TestJobs> {
  const logged: Logged[] = []
  const secrets = options.secrets ?? createSecrets(randomBytes(32))
  const write =
    (level: string) =>
    (message: string, details: Record<string, unknown> = {}) => {
      logged.push({ level, message, details })
    }
  const jobs = await startJobs({
    database,
    confirmVatId: null,
    till: options.till ?? null,
    feeds: options.feeds ?? noFeeds,
    nvdApiKey: null,
    ...(options.now === undefined ? {} : { now: options.now }),
    ...(options.within === undefined ? {} : { within: options.within }),
    carriers: testCarriers(options.carriers),
    privateNet: null,
    secrets,
    resealsSecondFactors: async () =>
      (await import('#people/auth-keys.ts')).resealsSecondFactors({ database, secrets }),
    publicUrl,
    operatorEmail: options.operatorEmail ?? null,
    heartbeatUrl: null,
    otlp: null,
    backups: options.backups ?? null,
    concurrency: options.concurrency ?? 3,
    retention: { resultDays: 90, problemDays: 90 },
    observer: { merged: () => {}, rewritten: () => {}, mergeLag: () => {}, attempted: () => {}, ran: () => {} },
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
  })
  let stopped: Promise<void> | null = null
  return { secrets, logged, stop: () => (stopped ??= jobs.stop()) }
}
