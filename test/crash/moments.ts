import { Client } from 'pg'
import { runningConnection } from '#store/embedded.ts'
import type { Receiver } from '../support/receiver.ts'

/** Longest wait for the chosen moment; a kill comes then in any case. */
const aimMs = 1_000

/**
 * Resolves at a moment at which a kill does harm, by turns: any, while results are being committed, as an alert
 * arrives. Gives the processes of the database that serve somebody or work by themselves.
 */
export async function harmfulMoment(
  number: number,
  { dataFolder, receiver }: { dataFolder: string; receiver: Receiver },
): Promise<number[]> {
  const { socketFolder: host, ...connection } = runningConnection(dataFolder)
  const client = new Client({ host, ...connection, connectionTimeoutMillis: aimMs })
  client.on('error', () => {})
  try {
    await client.connect()
    if (number % 3 === 1) return await whileResultsAreCommitted(client)
    const pids = (await activities(client)).map(({ pid }) => pid)
    if (number % 3 === 2) await nextAlert(receiver)
    return pids
  } finally {
    // Waits for nobody: a goodbye would let the moment pass.
    client.end().catch(() => {})
  }
}

async function nextAlert({ received }: Receiver): Promise<void> {
  const end = performance.now() + aimMs
  const before = received.length
  while (received.length === before && performance.now() < end) await new Promise((resolve) => setImmediate(resolve))
}

async function whileResultsAreCommitted(client: Client): Promise<number[]> {
  const end = performance.now() + aimMs
  const storing = new Set<number>()
  for (;;) {
    const found = await activities(client)
    for (const { pid, is_storing: isStoring } of found) if (isStoring) storing.add(pid)
    const isMoment = found.some(({ pid, is_committing: isCommitting }) => isCommitting && storing.has(pid))
    if (isMoment || performance.now() > end) return found.map(({ pid }) => pid)
  }
}

type Activity = { pid: number; is_storing: boolean; is_committing: boolean }

async function activities(client: Client): Promise<Activity[]> {
  const { rows } = await client.query<Activity>({
    name: 'activities',
    text: `select
      pid, query like '%insert into results%' and pid <> pg_backend_pid() as is_storing,
      state = 'active' and query = 'commit' as is_committing
    from pg_stat_activity`,
  })
  return rows
}
