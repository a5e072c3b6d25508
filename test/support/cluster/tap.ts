import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { connect, nkeyAuthenticator } from '@nats-io/transport-node'
import { decodeResults } from '#bus/codec.ts'
import type { NatsOptions } from '#bus/nats-options.ts'

/** What the broker was heard to take, by monitor, round and location: every result that said something. */
export type Tap = { heard: ReadonlySet<string> }

export function nameOf(monitorId: string, round: number, location: string): string {
  return `${monitorId}/${round}/${location}`
}

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
  after(() => client.close())
  const heard = new Set<string>()
  client.subscribe('results.>', {
    callback: (_refusal, message) => {
      for (const { monitorId, round, location, verdict } of decodeResults(message.data))
        if (verdict !== null) heard.add(nameOf(monitorId, round, location))
    },
  })
  await client.flush()
  return { heard }
}
