// The two ways on which messages come: the bus in memory, over a link as the process of the probers has one, and NATS.
import { jetstream } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { changeCodec, CodecError } from '#bus/codec.ts'
import { createMemoryBus, type MemoryBus } from '#bus/memory.ts'
import { connectEngineBus } from '#bus/nats.ts'
import { openRawLink, type RawLink } from '../../../support/raw-link.ts'
import { type NatsServer, startNatsServer } from '../../../support/nats-server.ts'
import type { Ground } from './ground.ts'
import { openBusGround } from './ground.ts'
import type { Message } from './messages.ts'

export type Way = {
  ground: Ground
  send: (message: Message) => Promise<void>
  /** Texts of all answers that came back. */
  answers: string[]
  close: () => Promise<void>
}

/** The process of the probers ends where it says what is none of its words; here the next one takes its place. */
export async function openMemoryWay(): Promise<Way> {
  const bus = createMemoryBus()
  const ground = await openBusGround(async () => bus)
  const answers: string[] = []
  const link = openRawLink(bus, [ground.known.location])
  const send = async (message: Message): Promise<void> => {
    try {
      await sendOnLink(message, { bus, link, answers, location: ground.known.location })
    } catch (error) {
      if (!(error instanceof CodecError)) throw error
    }
  }
  return { ground, send, answers, close: ground.close }
}

type OnLink = { bus: MemoryBus; link: RawLink; answers: string[]; location: string }

async function sendOnLink({ type, place, bytes }: Message, { bus, link, answers, location }: OnLink): Promise<void> {
  switch (type) {
    case 'results':
      return void (await link.publish(bytes))
    case 'request': {
      const { text } = await link.request(location, bytes)
      return void answers.push(text)
    }
    case 'presence':
      return link.say({ type: 'announce', bytes })
    case 'answer':
      return link.say({ type: 'answer', trialId: place, bytes })
    case 'route':
      return link.say({ type: 'route', location, bytes })
    case 'change':
      return bus.announceChange(changeCodec.decode(bytes))
  }
}

export async function openNatsWay(): Promise<Way> {
  const server = await startNatsServer()
  const ends: (() => Promise<void>)[] = [server.stop]
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await end()
  }
  try {
    return { ...(await openOn(server, ends)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openOn(server: NatsServer, ends: (() => Promise<void>)[]): Promise<Omit<Way, 'close'>> {
  const ground = await openBusGround((line) =>
    connectEngineBus({ nats: server.options, name: 'trust', log: { warn: line }, startMs: 10_000 }),
  )
  ends.push(ground.close)
  const client = await connect({ servers: [...server.options.servers] })
  ends.push(() => client.close())
  const answers: string[] = []
  client.subscribe(`_INBOX_${ground.known.location}.>`, {
    callback: (_refusal, message) => void answers.push(new TextDecoder().decode(message.data)),
  })
  return { ground, answers, send: (message) => sendOnNats(client, ground.known.location, message) }
}

async function sendOnNats(
  client: NatsConnection,
  location: string,
  { type, place, reply, bytes }: Message,
): Promise<void> {
  switch (type) {
    case 'results':
      // The stream refuses what is too large.
      return void (await jetstream(client)
        .publish(`results.${location}.${place}`, bytes)
        .catch(() => {}))
    case 'request':
      return client.publish(`config.${location}`, bytes, { reply })
    case 'presence':
      return client.publish(`presence.${location}.${place}`, bytes)
    case 'answer':
      return client.publish(`tried.${location}.${place}`, bytes)
    case 'route':
      return client.publish(`routes.${location}`, bytes)
    case 'change':
      return client.publish('changes', bytes)
  }
}
