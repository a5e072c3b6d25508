import { Client } from 'pg'
import { runningConnection } from '#store/embedded/embedded.ts'
import { pause } from '../pause.ts'
import type { Receiver } from '../receiver.ts'

/** Longest wait for the chosen moment; a kill comes then in any case. */
const aimMs = 1_000
/** Longest wait for a database that starts. */
const startMs = 20_000

/** Statements of the transactions that are worth a kill, by name. */
const victims = { results: '%insert into results%', create: '%insert into "monitors"%' } as const

/**
 * Resolves at a moment at which a kill does harm. The moments take turns: any moment, while results are committed, as
 * an alert arrives, while a new monitor is committed. Returns the pids of the database's processes that serve a client
 * or work by themselves.
 */
export async function harmfulMoment(
  number: number,
  { dataFolder, receiver }: { dataFolder: string; receiver: Receiver },
): Promise<number[]> {
  const client = await connect(dataFolder)
  try {
    if (number % 4 === 1) return await whileCommitting(client, victims.results)
    if (number % 4 === 3) return await whileCommitting(client, victims.create)
    const pids = (await activities(client, victims.results)).map(({ pid }) => pid)
    if (number % 4 === 2) await nextAlert(receiver)
    return pids
  } finally {
    // The end is not awaited: waiting for a goodbye would let the moment pass.
    client.end().catch(() => {})
  }
}

/**
 * When a kill hit the main server process alone, its other processes may run on for a moment, and the next server may
 * not accept clients yet.
 */
async function connect(dataFolder: string): Promise<Client> {
  const end = performance.now() + startMs
  for (;;) {
    const { socketFolder: host, ...connection } = runningConnection(dataFolder)
    const client = new Client({ host, ...connection, connectionTimeoutMillis: aimMs })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      client.end().catch(() => {})
      if (performance.now() > end) throw error
      await pause(50)
    }
  }
}

async function nextAlert({ received }: Receiver): Promise<void> {
  const end = performance.now() + aimMs
  const before = received.length
  while (received.length === before && performance.now() < end) await pause(1)
}

async function whileCommitting(client: Client, statement: string): Promise<number[]> {
  const end = performance.now() + aimMs
  const hit = new Set<number>()
  for (;;) {
    const found = await activities(client, statement)
    for (const { pid, is_victim: isVictim } of found) if (isVictim) hit.add(pid)
    const isMoment = found.some(({ pid, is_committing: isCommitting }) => isCommitting && hit.has(pid))
    if (isMoment || performance.now() > end) return found.map(({ pid }) => pid)
    for (const { pid, is_between: isBetween } of found) if (isBetween) hit.delete(pid)
  }
}

type Activity = { pid: number; is_victim: boolean; is_committing: boolean; is_between: boolean }

async function activities(client: Client, statement: string): Promise<Activity[]> {
  const { rows } = await client.query<Activity>({
    name: 'activities',
    text: `select
      pid, query like $1 and pid <> pg_backend_pid() as is_victim, state = 'active' and query like '%commit' as is_committing,
      state = 'idle' as is_between
    from pg_stat_activity`,
    values: [statement],
  })
  return rows
}
