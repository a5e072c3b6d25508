import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, nkeyAuthenticator } from '@nats-io/transport-node'
import { decodeResults } from '#bus/codec.ts'
import type { NatsOptions } from '#bus/nats-options.ts'
import type { Database } from '#store/database/database.ts'

/** Every result with a verdict that the broker was heard to take, by monitor, round and location. */
export type Tap = { heard: ReadonlySet<string>; close: () => Promise<void> }

/** Listens beside the stream: what the broker passes on here it has before it acknowledges. */
export async function openTap({ servers, login, tlsFiles }: NatsOptions): Promise<Tap> {
  if (login.type !== 'file' || tlsFiles.authorities === null) throw new Error('The tap needs a credential and TLS.')
  const client = await connect({
    servers: [...servers],
    authenticator: nkeyAuthenticator(readFileSync(login.path).subarray(0, 58)),
    tls: { caFile: tlsFiles.authorities },
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
  })
  const heard = new Set<string>()
  client.subscribe('results.>', {
    callback: (_refusal, message) => {
      for (const { monitorId, round, location, verdict } of decodeResults(message.data))
        if (verdict !== null) heard.add(nameOf(monitorId, round, location))
    },
  })
  await client.flush()
  return { heard, close: () => client.close() }
}

/** Every result that the broker took is stored; the key of the table rules out a second copy. */
export async function assertStored(database: Database, tap: Tap): Promise<number> {
  const { stored, lost } = await lookUp(database, tap)
  assert.deepEqual(lost.slice(0, 10), [], `${lost.length} results that the broker had are not stored`)
  const rejected = await database.pool.query('select reason, result from rejected_results limit 10')
  assert.deepEqual(rejected.rows, [])
  return stored.size
}

export async function isStored(database: Database, tap: Tap): Promise<boolean> {
  return (await lookUp(database, tap)).lost.length === 0
}

type Found = { stored: ReadonlySet<string>; lost: string[] }

async function lookUp({ pool }: Database, { heard }: Tap): Promise<Found> {
  const { rows } = await pool.query<{ id: string; round: string; code: string }>(
    `select m.id, (extract(epoch from r.round_at) * 1000000)::bigint as round, l.code
    from results r
    join monitors m on m.key = r.monitor_key
    join locations l on l.id = r.location`,
  )
  const stored = new Set(rows.map(({ id, round, code }) => nameOf(id, Number(round), code)))
  return { stored, lost: [...heard].filter((name) => !stored.has(name)) }
}

function nameOf(monitorId: string, round: number, location: string): string {
  return `${monitorId}/${round}/${location}`
}
