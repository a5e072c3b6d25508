import { openConnection } from './nats-connection.ts'
import type { NatsOptions } from './nats-options.ts'
import { readStreamStanding, type StreamStanding } from './nats-stream.ts'

export type InspectedBroker = {
  version: string
  isTls: boolean
  /** Null where there is no stream yet; a text where it could not be asked for, and why. */
  stream: StreamStanding | string | null
}

/** Connects as a process does, looks at the stream of results and changes nothing. Throws BusStartError. */
export async function inspectBroker(nats: NatsOptions, startMs: number): Promise<InspectedBroker> {
  const log = { warn: () => {} }
  const connection = await openConnection({ nats, name: 'perigee doctor', inboxPrefix: '_INBOX', log, startMs })
  try {
    const { client } = connection
    const isTls = nats.isTlsRequired || client.info?.tls_required === true
    return { version: client.info?.version ?? 'unknown', isTls, stream: await streamOf() }
  } finally {
    await connection.close()
  }

  async function streamOf(): Promise<InspectedBroker['stream']> {
    try {
      return await readStreamStanding(connection.client, nats.stream)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}
