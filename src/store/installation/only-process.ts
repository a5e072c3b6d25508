import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { placeOf } from '#store/database/assert-reachable.ts'
import { isLockTimeout } from '#store/database/database-failures.ts'
import { StartError } from '#store/database/start-error.ts'

/** The right to be the only process of its kind on a database. */
export type OnlyProcess = {
  /** Resolves when another process got the right while the database was away. Never rejects. */
  lost: Promise<StartError>
  release: () => Promise<void>
}

export type OnlyProcessOptions = {
  url: string
  /** How long another process may take to end. */
  waitMs?: number
  /** Gives up waiting. */
  signal?: AbortSignal
  log: { info: (message: string) => void }
}

/** Any number but that of the migrations, the same for every release. */
export const processLock = 7_305_017_212
/** A process that is replaced takes up to 20 s to end. */
const usualWaitMs = 30_000
const retryMs = 1_000
/** A machine that lost its power does not say goodbye: the server notices within these 20 s, while the next one waits. */
const keepAlive = { idleSeconds: 8, intervalSeconds: 4, count: 3 }

/**
 * Waits until no other process without a broker is on the database, and holds the right until `release`: two such
 * processes would assign the same checks and could hand one another nothing. Throws StartError when the other stays.
 * The lock belongs to a transaction that stays open and looks at nothing, so that it needs no session of its own behind
 * a pooler and keeps no dead rows alive.
 */
export async function becomeOnlyProcess(options: OnlyProcessOptions): Promise<OnlyProcess> {
  const { promise: lost, resolve: lose } = Promise.withResolvers<StartError>()
  const released = new AbortController()
  let client = await acquire(options)
  const keep = async (): Promise<void> => {
    while (!released.signal.aborted) {
      await ending(client)
      if (released.signal.aborted) return
      const next = await acquireAgain(options, released.signal)
      if (next instanceof StartError) return lose(next)
      if (next !== null) client = next
    }
  }
  const keeping = keep()
  return {
    lost,
    release: async () => {
      released.abort()
      await client.end()
      await keeping
    },
  }
}

class TakenError extends StartError {}

async function acquire(options: OnlyProcessOptions): Promise<Client> {
  const { url, waitMs = usualWaitMs, signal } = options
  const client = new Client({ connectionString: url, application_name: 'perigee', connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await unlessAborted(takeLock(client, options), signal)
    return client
  } catch (cause) {
    const ended = client.end()
    // An end may wait for a server that does not answer.
    if (signal?.aborted === true) throw new StartError('The start was cancelled.', { cause })
    await ended
    if (!isLockTimeout(cause)) throw cause
    const place = placeOf(url)
    throw new TakenError(
      `Another Perigee works on ${place}, and did not end within ${waitMs / 1000} s. Stop it first; several processes on one database need a broker (PERIGEE_NATS_URL).`,
      { cause },
    )
  }
}

async function takeLock(client: Client, { waitMs = usualWaitMs, log }: OnlyProcessOptions): Promise<void> {
  await client.connect()
  await client.query(beginning(waitMs))
  // Without parameters: pg would leave the portal of a statement open, whose snapshot keeps dead rows alive.
  const { rows } = await client.query<{ is_free: boolean }>(
    `select pg_try_advisory_xact_lock(${processLock}) as is_free`,
  )
  if (rows[0]?.is_free === true) return
  log.info(`Another Perigee is using this database. This one waits up to ${waitMs / 1000} s for it to stop.`)
  await client.query(`select pg_advisory_xact_lock(${processLock})`)
}

/** A client that is ended while it connects settles nothing any more. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(new Error('given up'))
  if (signal?.aborted === true) giveUp()
  signal?.addEventListener('abort', giveUp)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}

/** Whatever the operator's limits on statements and transactions are, this transaction stays for as long as it is held. */
function beginning(waitMs: number): string {
  return `
    begin isolation level read committed;
    select set_config(name, '0', true) from pg_settings
    where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout');
    set local lock_timeout = ${waitMs};
    set local tcp_keepalives_idle = ${keepAlive.idleSeconds};
    set local tcp_keepalives_interval = ${keepAlive.intervalSeconds};
    set local tcp_keepalives_count = ${keepAlive.count}`
}

async function ending(client: Client): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  client.once('end', resolve)
  await promise
}

/** Null once `released`. While the database is away nobody else has the lock either. */
async function acquireAgain(options: OnlyProcessOptions, released: AbortSignal): Promise<Client | StartError | null> {
  while (!released.aborted) {
    try {
      return await acquire({ ...options, signal: released })
    } catch (error) {
      if (error instanceof TakenError) return error
    }
    await delay(retryMs, undefined, { signal: released }).catch(() => {})
  }
  return null
}
