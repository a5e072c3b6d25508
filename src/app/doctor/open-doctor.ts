import { askForStatus } from '#app/ask-status.ts'
import { findDatabase, noDatabaseYet } from '#app/find-database.ts'
import { readOwnCluster } from '#app/process-status.ts'
import type { ExaminedConfig } from '#config/config.ts'
import { bad, type Found, notLookedAt, warning } from '#core/doctor-report.ts'
import type { ClusterStatus } from '#core/operator-status.ts'
import { createNet } from '#net/create-net.ts'
import { assertAnswering, assertReachable, placeOf } from '#store/database/assert-reachable.ts'
import { openDatabase } from '#store/database/database.ts'
import type { DoctorContext, DoctorOptions, NoDatabase, OpenDatabase } from './doctor-check.ts'

const maxConnections = 3
/** A process waits up to 30 s for its database; a check has less time than that. */
const serviceAnswerMs = 4_000
const databaseMs = 4_000
const tooLate = `The database did not answer within ${databaseMs / 1000} s.`

/** Opens what the checks share. Nothing is connected before a check asks, and nothing is changed. */
export function openDoctor(
  examined: ExaminedConfig,
  options: DoctorOptions,
): { context: DoctorContext; close: () => Promise<void> } {
  const { config } = examined
  const { services, dnsServers } = config
  const opened = databaseOf(examined)
  const database = once(async () => (opened.isOpen ? answering(opened, config.databaseUrl) : opened))
  // A data folder that cannot be used is told by the check of the database.
  const service = once(() => askForStatus(config, serviceAnswerMs).catch(() => ({ status: null, refusing: [] })))
  const context: DoctorContext = {
    examined,
    options,
    database,
    net: createNet({ allowPrivate: 'all', services, ...(dnsServers.length === 0 ? {} : { dnsServers }) }),
    service,
    cluster: once(async () => (await service()).status?.cluster ?? (await clusterOf(await database()))),
  }
  return { context, close: async () => (opened.isOpen ? opened.database.close() : undefined) }
}

async function clusterOf(database: OpenDatabase | NoDatabase): Promise<ClusterStatus | null> {
  if (!database.isOpen) return null
  return readOwnCluster(database.database).catch(() => null)
}

async function answering(open: OpenDatabase, url: string | null): Promise<OpenDatabase | NoDatabase> {
  const { database, isEmbedded } = open
  try {
    await within(url === null ? assertAnswering(database) : assertReachable(database, url))
    return open
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return closed(
      isEmbedded
        ? bad(
            'connection',
            `The embedded database does not answer: ${why}`,
            'See the log of the service, then start it again.',
          )
        : bad(
            'connection',
            why,
            'See whether PostgreSQL runs and lets this machine in, or correct PERIGEE_DATABASE_URL.',
          ),
    )
  }
}

async function within(work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(tooLate)), databaseMs)
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function databaseOf({ config, unread }: ExaminedConfig): OpenDatabase | NoDatabase {
  if (unread.has('PERIGEE_DATABASE_URL'))
    return closed(notLookedAt('connection', 'PERIGEE_DATABASE_URL cannot be read.', 'Correct PERIGEE_DATABASE_URL.'))
  try {
    const place = findDatabase(config)
    if (place.type === 'none' && config.nats !== null) return closed(ofProber)
    if (place.type === 'none')
      return closed(
        warning('connection', noDatabaseYet(config), 'Start Perigee once, or set PERIGEE_DATA_DIR to its data folder.'),
      )
    if (place.type === 'stopped') return closed(stopped)
    const { connection } = place
    return {
      isOpen: true,
      database: openDatabase({ connection, maxConnections, isReadOnly: true }),
      place: place.type === 'url' ? placeOf(place.connection.url) : 'the embedded database',
      isEmbedded: place.type === 'running',
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return closed(bad('connection', why, 'Run the doctor as the user of the service, or correct PERIGEE_DATA_DIR.'))
  }
}

const ofProber = notLookedAt(
  'connection',
  'PERIGEE_DATABASE_URL is not set. A prober needs no database; every other role does.',
)

const stopped = notLookedAt(
  'connection',
  'The service is not running, and its embedded PostgreSQL runs only with it. The doctor does not start it, so the database was not looked at.',
  'Start the service with "perigee start", then run the doctor again.',
)

function closed(found: Found): NoDatabase {
  return { isOpen: false, found }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null
  return () => (reading ??= read())
}
