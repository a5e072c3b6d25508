import { Client } from 'pg'
import { runningConnection } from '#store/embedded.ts'
import type { Receiver } from '../support/receiver.ts'

/** Longest wait for the chosen moment; a kill comes then in any case. */
const aimMs = 1_000

/** The moment at which a kill does most harm, by turns: any, in the middle of a commit, as an alert arrives. */
export async function harmfulMoment(
  number: number,
  { dataFolder, receiver }: { dataFolder: string; receiver: Receiver },
): Promise<{ databasePids: number[] }> {
  if (number % 3 === 0) await nextAlert(receiver)
  return { databasePids: await databasePids(dataFolder, { isCommitting: number % 3 === 1 }) }
}

async function nextAlert({ received }: Receiver): Promise<void> {
  const end = performance.now() + aimMs
  const before = received.length
  while (received.length === before && performance.now() < end) await new Promise((resolve) => setImmediate(resolve))
}

/** Of all its processes that serve somebody or work by themselves, at once or as soon as one of them commits. */
async function databasePids(dataFolder: string, { isCommitting }: { isCommitting: boolean }): Promise<number[]> {
  const { socketFolder: host, ...connection } = runningConnection(dataFolder)
  const client = new Client({ host, ...connection, connectionTimeoutMillis: aimMs })
  client.on('error', () => {})
  const end = performance.now() + aimMs
  try {
    await client.connect()
    for (;;) {
      const { rows } = await client.query<{ pid: number; is_committing: boolean }>(
        `select pid, state = 'active' and query = 'commit' as is_committing from pg_stat_activity`,
      )
      if (!isCommitting || rows.some((row) => row.is_committing) || performance.now() > end)
        return rows.map(({ pid }) => pid)
    }
  } finally {
    await client.end()
  }
}
