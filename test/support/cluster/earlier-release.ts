// The wire as the first release with a broker spoke it, written out and not to be changed: beside what this release
// sends and takes, these are the other half of a rolling upgrade.
import { jetstream } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { pause } from '../pause.ts'

export type Order = { monitorId: string; version: number; round: number }

/** The text in which a prober of an earlier release sends a result, with or without a failure. */
function earlierResult({ monitorId, version, round }: Order, location: string, isDown: boolean): string {
  const [status, code, error] = isDown ? ['1', '500', '"HTTP status 500"'] : ['0', '200', 'null']
  return `[["${monitorId}",${version},${round},"${location}",${status},${code},12,${error},[1,2,null,3,4],{}]]`
}

function earlierPresence(location: string, prober: string): string {
  return `{"location":"${location}","prober":"${prober}","isLeaving":false}`
}

function earlierOrders(orders: readonly Order[]): string {
  return `[${orders.map(({ monitorId, version, round }) => `["${monitorId}",${version},${round}]`).join(',')}]`
}

export function earlierConfiguration({ monitorId, version }: Order, url: string): string {
  return `[{"monitorId":"${monitorId}","version":${version},"kind":"http","url":"${url}","method":"GET","timeoutMs":5000,"expectedStatusMin":200,"expectedStatusMax":399,"keyword":null,"requestHeaders":{},"requestBody":null,"options":{}}]`
}

/** An earlier prober, which answers every order as the test says. */
export type EarlierProber = { orders: Order[]; configurations: string[]; end: () => Promise<void> }

export type EarlierProberOptions = { location: string; isDown: () => boolean }

export function startEarlierProber(client: NatsConnection, { location, isDown }: EarlierProberOptions): EarlierProber {
  const prober = 'earlier-1'
  const orders: Order[] = []
  const configurations: string[] = []
  const stream = jetstream(client)
  const ending = new AbortController()
  const answer = async (order: Order): Promise<void> => {
    orders.push(order)
    const reply = `_INBOX_${location}.${orders.length}`
    const told = await client.request(`config.${location}`, JSON.stringify([order.monitorId]), {
      noMux: true,
      reply,
      timeout: 5_000,
    })
    configurations.push(`${told.headers?.get('Perigee-Parts')} ${told.string()}`)
    const partition = Number.parseInt(order.monitorId.slice(-2), 16) % 64
    await stream.publish(`results.${location}.${partition}`, earlierResult(order, location, isDown()))
  }
  client.subscribe(`assign.${location}.${prober}`, {
    callback: (_refusal, message) => {
      for (const order of ordersOf(message.json())) void answer(order)
    },
  })
  const announcing = (async () => {
    while (!ending.signal.aborted) {
      client.publish(`presence.${location}.${prober}`, earlierPresence(location, prober))
      await pause(500, ending.signal)
    }
  })()
  return {
    orders,
    configurations,
    end: async () => {
      ending.abort()
      await announcing
    },
  }
}

/** An earlier engine, which orders one check of every prober that comes, again and again, and keeps what it is told. */
export type EarlierEngine = { presences: string[]; asked: string[]; results: string[] }

export function startEarlierEngine(
  client: NatsConnection,
  { order, url }: { order: Order; url: string },
): EarlierEngine {
  const engine: EarlierEngine = { presences: [], asked: [], results: [] }
  client.subscribe('presence.>', {
    callback: (_refusal, message) => {
      engine.presences.push(message.string())
      client.publish(message.subject.replace(/^presence/, 'assign'), earlierOrders([order]))
    },
  })
  client.subscribe('config.*', {
    queue: 'configurations',
    callback: (_refusal, message) => {
      engine.asked.push(message.string())
      const marks = headers()
      marks.set('Perigee-Parts', '1')
      message.respond(earlierConfiguration(order, url), { headers: marks })
    },
  })
  client.subscribe('results.>', { callback: (_refusal, message) => void engine.results.push(message.string()) })
  return engine
}

function ordersOf(list: unknown): Order[] {
  if (!Array.isArray(list)) throw new Error('Orders are no list.')
  return list.map((item: unknown) => {
    const [monitorId, version, round]: unknown[] = Array.isArray(item) ? item : []
    if (typeof monitorId !== 'string' || typeof version !== 'number' || typeof round !== 'number')
      throw new Error('An order is not [monitor, version, round].')
    return { monitorId, version, round }
  })
}
