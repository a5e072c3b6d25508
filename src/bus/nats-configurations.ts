// Requests for configurations: answered in as many messages as it takes, each telling how many there are.
import { createInbox, headers, type Msg } from '@nats-io/transport-node'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { EngineBus, Unsubscribe } from './bus.ts'
import { CodecError, configurationsCodec, idsCodec } from './codec.ts'
import type { Connection } from './nats-connection.ts'
import { type BusLog, maxAnswerBytes } from './nats-options.ts'
import { anyConfiguration, configurationQueue, configurationSubject, inboxPrefix, locationOf } from './nats-subjects.ts'
import { pause, seldom } from './pace.ts'

const answerWithinMs = 5_000
const askAgainMs = 100
/** More requests are refused at once, and the prober asks again. */
const maxAtOnce = 64
const partsHeader = 'Perigee-Parts'
const failureHeader = 'Perigee-Failure'

/** Waits until an engine answers, as the memory bus does. Throws when no complete answer comes in time. */
export async function requestConfigurations(
  connection: Connection,
  location: string,
  ids: string[],
): Promise<CheckConfiguration[]> {
  const until = performance.now() + answerWithinMs
  for (;;) {
    if (!connection.isConnected) throw new Error('NATS is away.')
    try {
      return await requestOnce(connection, location, { bytes: idsCodec.encode(ids), until })
    } catch (error) {
      if (!(error instanceof NoResponderError) || performance.now() + askAgainMs > until) throw error
      await pause(askAgainMs)
    }
  }
}

export function answerConfigurationRequests(
  connection: Connection,
  handler: Parameters<EngineBus['onConfigurationRequest']>[0],
  log: BusLog,
): Unsubscribe {
  const warn = seldom(log, 'A request for configurations failed.')
  let atOnce = 0
  const read = async (location: string, message: Msg): Promise<Uint8Array[]> => {
    if (atOnce >= maxAtOnce) throw new Error('Too many requests at once.')
    atOnce += 1
    try {
      return encodeParts(await handler(location, idsCodec.decode(message.data)), warn)
    } finally {
      atOnce -= 1
    }
  }
  const answer = async (message: Msg): Promise<void> => {
    const { subject, reply } = message
    const location = locationOf(subject)
    // The answer holds secrets: it goes only to the inbox of the location whose credential the broker let ask.
    if (reply?.startsWith(`${inboxPrefix(location)}.`) !== true)
      return warn({ location, error: 'The answer was wanted elsewhere.' })
    try {
      const parts = await read(location, message)
      for (const part of parts) respond(connection, reply, { bytes: part, header: [partsHeader, String(parts.length)] })
    } catch (error) {
      warn({ location, error: String(error) })
      respond(connection, reply, { bytes: new Uint8Array(), header: [failureHeader, 'yes'] })
    }
  }
  return connection.listen(anyConfiguration, (message) => void answer(message), { queue: configurationQueue })
}

class NoResponderError extends Error {}

async function requestOnce(
  { client }: Connection,
  location: string,
  { bytes, until }: { bytes: Uint8Array; until: number },
): Promise<CheckConfiguration[]> {
  const parts: CheckConfiguration[] = []
  const { promise: isWhole, resolve, reject } = Promise.withResolvers<void>()
  const inbox = createInbox(inboxPrefix(location))
  let count = 0
  const subscription = client.subscribe(inbox, {
    callback: (refusal, message) => {
      try {
        if (refusal !== null) throw refusal
        parts.push(...partOf(message))
        count += 1
        if (count === partsOf(message)) resolve()
      } catch (error) {
        reject(error)
      }
    },
  })
  const isLate = (): void => reject(new Error('The configurations did not come in time.'))
  const timer = setTimeout(isLate, until - performance.now())
  try {
    client.publish(configurationSubject(location), bytes, { reply: inbox })
    await isWhole
    return parts
  } finally {
    clearTimeout(timer)
    subscription.unsubscribe()
  }
}

function respond(
  { client, isConnected }: Connection,
  reply: string,
  { bytes, header: [name, value] }: { bytes: Uint8Array; header: [string, string] },
): void {
  if (!isConnected) return
  const marked = headers()
  marked.set(name, value)
  client.publish(reply, bytes, { headers: marked })
}

/** At least one part, which may be empty. A configuration that fits in no message is left out with a warning. */
function encodeParts(
  configurations: CheckConfiguration[],
  warn: (details: Record<string, unknown>) => void,
): Uint8Array[] {
  const parts: Uint8Array[] = []
  let gathered: CheckConfiguration[] = []
  let length = 0
  for (const configuration of configurations) {
    const bytes = configurationsCodec.encode([configuration]).byteLength
    if (bytes > maxAnswerBytes) {
      warn({ monitor_id: configuration.monitorId, error: `Its configuration has ${bytes} bytes.` })
      continue
    }
    if (length + bytes > maxAnswerBytes) {
      parts.push(configurationsCodec.encode(gathered))
      gathered = []
      length = 0
    }
    gathered.push(configuration)
    length += bytes
  }
  return [...parts, configurationsCodec.encode(gathered)]
}

function partOf(message: Msg): CheckConfiguration[] {
  if (message.headers?.code === noResponders) throw new NoResponderError('No engine is there to tell configurations.')
  if (message.headers?.has(failureHeader) === true) throw new Error('The configurations could not be read.')
  return configurationsCodec.decode(message.data)
}

function partsOf({ headers: marks }: Msg): number {
  const count = Number(marks?.get(partsHeader))
  if (!Number.isSafeInteger(count) || count < 1) throw new CodecError('An answer does not tell its number of parts.')
  return count
}

const noResponders = 503
