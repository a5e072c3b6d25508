import { randomUUID } from 'node:crypto'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { type Bus, maxConfigurationsPerRequest, maxResultsPerMessage } from '#bus/bus.ts'
import { encodeResults } from '#bus/codec.ts'
import { connectEngineBus, connectProberBus, type ProberConnection } from '#bus/nats.ts'
import type { Assignment, CheckConfiguration } from '#core/monitors/check.ts'
import { noPhases, type Result } from '#core/results/result.ts'
import { partitionCount, partitionOf } from '#core/monitors/schedule.ts'
import { type NatsServer, noNatsServer, startNatsServer } from '../test/support/nats-server.ts'
import { latencies, whole } from './support/figures.ts'
import { cpuBetween, treeCpu } from './support/process-tree.ts'

const monitors = 50_000
const results = 1_000_000
/** Publications under way, as an outbox has them. */
const underWay = 20
const requests = 500
const assignments = 2_000_000
const assignmentsPerMessage = 2_000
const goal = 50_000

/** Results a second through JetStream on loopback, from encoding to acknowledged, and what else the bus carries. */
export async function bus(): Promise<void> {
  if (noNatsServer !== false) throw new Error(`${noNatsServer}: npm run test:cluster installs it.`)
  const server = await startNatsServer()
  const log = { warn: (message: string): void => console.log(`  ${message}`) }
  const nats = { ...server.options, stream: { replicas: 1, storage: 'file', maxBytes: 4 * 1024 ** 3 } } as const
  const engine = await connectEngineBus({ nats, name: 'engine', log })
  const prober = await connectProberBus({ nats, name: 'prober', location: 'bench', log })
  try {
    const reference = await publishBarely(server)
    const taken = await publishAndTake(engine, prober)
    console.log(
      `  reference, bare messages of the same ${maxResultsPerMessage} results published and not taken: ` +
        `${whole(reference)} results/s; the bus takes them as well and reaches ${(taken / reference).toFixed(2)} of it`,
    )
    await request(engine, prober)
    await assign(engine, prober)
    console.log(`bus: ${whole(taken)} results/s, goal ${whole(goal)}`)
  } finally {
    await prober.close()
    await engine.close()
    await server.stop()
  }
}

/** As fast as acknowledgements come, with a handler that stores nothing. */
async function publishAndTake(engine: Bus, prober: ProberConnection): Promise<number> {
  const ids = monitorIds()
  const { promise: isAllTaken, resolve } = Promise.withResolvers<void>()
  let taken = 0
  let messages = 0
  engine.onResults(async (batch) => {
    taken += batch.length
    messages += 1
    if (taken >= results) resolve()
  })
  await engine.holdPartitions(Array.from({ length: partitionCount }, (_, partition) => partition))
  const batches = batchesOf(ids)
  const cpuBefore = treeCpu(process.pid)
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: underWay }, async () => {
      for (const batch of batches) await prober.publishResults('bench', batch)
    }),
  )
  await isAllTaken
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = cpuBetween(cpuBefore, treeCpu(process.pid))
  const each = (ms: number): string => ((ms * 1000) / results).toFixed(1)
  console.log(
    `${whole(results / seconds)} results/s published, acknowledged, taken and acknowledged, ` +
      `${(results / messages).toFixed(1)} a message; CPU each ${each(cpu.total)} us ` +
      `(prober and engine ${each(cpu.own)}, broker ${each(cpu.below)})`,
  )
  return results / seconds
}

/** Full messages of one partition, as many under way. */
async function publishBarely(server: NatsServer): Promise<number> {
  const client = await connect({ servers: [...server.options.servers] })
  const stream = jetstream(client)
  const ids = monitorIds()
  const [first = ''] = ids
  const [bytes = new Uint8Array()] = encodeResults(
    ids.slice(0, maxResultsPerMessage).map((monitorId) => resultOf(monitorId)),
  )
  let left = results / maxResultsPerMessage / 4
  const published = left * maxResultsPerMessage
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: underWay }, async () => {
      for (; left > 0; left -= 1)
        await stream.publish(`results.reference.${partitionOf(first)}`, bytes, { msgID: randomUUID() })
    }),
  )
  const perSecond = (published * 1000) / (performance.now() - startedAt)
  await (await jetstreamManager(client)).streams.purge('results')
  await client.close()
  return perSecond
}

async function request(engine: Bus, prober: ProberConnection): Promise<void> {
  engine.onConfigurationRequest(async (_location, ids) => ids.map(configurationOf))
  const ids = monitorIds().slice(0, maxConfigurationsPerRequest)
  const times: number[] = []
  for (let count = 0; count < requests; count += 1) {
    const startedAt = performance.now()
    await prober.requestConfigurations('bench', ids)
    times.push(performance.now() - startedAt)
  }
  console.log(`  ${maxConfigurationsPerRequest} configurations asked for and answered: ${latencies(times)}`)
}

async function assign(engine: Bus, prober: ProberConnection): Promise<void> {
  const { promise: isAllThere, resolve } = Promise.withResolvers<void>()
  const { promise: isListening, resolve: isHeard } = Promise.withResolvers<void>()
  let received = 0
  prober.onAssignments('bench', 'prober', (list) => {
    isHeard()
    received += list.length
    if (received >= assignments) resolve()
  })
  const message: Assignment[] = monitorIds()
    .slice(0, assignmentsPerMessage)
    .map((monitorId) => ({ monitorId, version: 1, round: Date.now() * 1000 }))
  const asking = setInterval(() => engine.assign('bench', 'prober', []), 5)
  await isListening
  clearInterval(asking)
  const cpuBefore = treeCpu(process.pid)
  const startedAt = performance.now()
  for (let sent = 0; sent < assignments; sent += assignmentsPerMessage) {
    engine.assign('bench', 'prober', message)
    await new Promise((next) => setImmediate(next))
  }
  await isAllThere
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = cpuBetween(cpuBefore, treeCpu(process.pid))
  console.log(
    `  ${whole(assignments / seconds)} assignments/s in messages of ${whole(assignmentsPerMessage)}, ` +
      `CPU each ${((cpu.total * 1000) / assignments).toFixed(1)} us`,
  )
}

function monitorIds(): string[] {
  return Array.from({ length: monitors }, () => randomUUID())
}

/** Monitors fall due in an order that has nothing to do with their partitions. */
function* batchesOf(ids: readonly string[]): Generator<Result[]> {
  for (let sent = 0; sent < results; sent += maxResultsPerMessage)
    yield Array.from({ length: maxResultsPerMessage }, (_, index) => resultOf(ids[(sent + index) % ids.length] ?? ''))
}

function resultOf(monitorId: string): Result {
  const phases = { ...noPhases, dnsMs: 1, connectMs: 12, tlsMs: 14, ttfbMs: 81, transferMs: 1 }
  const verdict = { status: 'up', statusCode: 200, latencyMs: 96, error: null, phases, details: {} } as const
  return { monitorId, version: 1, round: Date.now() * 1000, location: 'bench', verdict }
}

function configurationOf(monitorId: string): CheckConfiguration {
  return {
    monitorId,
    version: 1,
    kind: 'http',
    url: 'https://www.example.com/health',
    method: 'GET',
    timeoutMs: 10_000,
    expectedStatusMin: 200,
    expectedStatusMax: 399,
    keyword: null,
    requestHeaders: { authorization: 'Bearer 0123456789abcdef' },
    requestBody: null,
    options: {},
  }
}
