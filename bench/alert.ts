import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { z } from 'zod'
import { latencies, percentile } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { pause, type Service, waitFor, withService } from './support/service.ts'

const monitors = 400
const intervalSeconds = 10
const referenceCalls = 400
/** Every monitor is up twice before it may fail, and fails once: the failures spread as its checks do. */
const checksBeforeFailure = 2
const deadlineMs = 60_000

/** From the moment a failing answer has left the target to the moment the webhook's request arrives. */
export async function alert(): Promise<void> {
  const target = await startTarget()
  const receiver = await startReceiver()
  try {
    const latenciesMs = await withService(
      {
        seed: async (seed) => {
          await addMonitors(seed, monitors, (index) => ({
            name: `Monitor ${index}`,
            url: `${target.url}/${index}`,
            interval_seconds: intervalSeconds,
            expected_status_max: 299,
            failure_threshold: 1,
          }))
        },
      },
      async (service) => {
        await addWebhook(service, receiver.url)
        target.allowFailures()
        await waitFor('every failure to be alerted', () => receiver.arrivals.size >= monitors, { deadlineMs }).catch(
          (error: unknown) => console.log(`${String(error)}; ${receiver.arrivals.size} of ${monitors} came`),
        )
        return [...receiver.arrivals].map(([index, at]) => at - (target.failedAt.get(index) ?? Number.NaN))
      },
    )
    const direct = await measureDirectCalls(receiver.url)
    console.log(`${latenciesMs.length} failures, one in a row is enough: ${latencies(latenciesMs)} to the webhook`)
    console.log(`  reference, the same request sent at once with nothing in between: ${latencies(direct)}`)
    console.log(`alert: ${percentile(latenciesMs, 0.99).toFixed(0)} ms p99 from failure to alert, goal 1,000`)
  } finally {
    await close(target.server)
    await close(receiver.server)
  }
}

async function startTarget() {
  const checks = new Map<number, number>()
  const failedAt = new Map<number, number>()
  let mayFail = false
  const server = createServer((asked, response) => {
    const index = Number(asked.url?.slice(1))
    const count = (checks.get(index) ?? 0) + 1
    checks.set(index, count)
    const fails = mayFail && count > checksBeforeFailure
    response.writeHead(fails ? 500 : 200, { connection: 'close' })
    response.end(() => {
      if (fails && !failedAt.has(index)) failedAt.set(index, performance.now())
    })
  })
  const url = await listen(server)
  return { server, url, failedAt, allowFailures: () => (mayFail = true) }
}

const alertBody = z.object({ type: z.string(), data: z.object({ monitor: z.object({ name: z.string() }) }) })

/** Arrival of the first alert, by the number in the monitor's name. */
async function startReceiver() {
  const arrivals = new Map<number, number>()
  const server = createServer((asked, response) => {
    const at = performance.now()
    let text = ''
    asked.on('data', (bytes: Buffer) => (text += bytes.toString()))
    asked.on('end', () => {
      response.writeHead(204).end()
      if (text === '') return
      const { type, data } = alertBody.parse(JSON.parse(text))
      const index = Number(data.monitor.name.split(' ')[1])
      if (type === 'monitor.down' && !arrivals.has(index)) arrivals.set(index, at)
    })
  })
  return { server, url: await listen(server), arrivals }
}

async function addWebhook({ url, token }: Service, destination: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/alert-channels`, {
    method: 'POST',
    headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', kind: 'webhook', destination }),
  })
  if (answer.status !== 201) throw new Error(`The contact was refused: ${await answer.text()}`)
}

/** A request over a fresh connection, from its beginning to its arrival. */
async function measureDirectCalls(url: string): Promise<number[]> {
  const latenciesMs: number[] = []
  for (let call = 0; call < referenceCalls; call += 1) {
    const startedAt = performance.now()
    const sent = request(url, { method: 'POST', agent: false }).end()
    const [answer] = await once(sent, 'response')
    answer.resume()
    latenciesMs.push(performance.now() - startedAt)
    await pause(1)
  }
  return latenciesMs
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1', 1024)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A server without a port.')
  return `http://127.0.0.1:${address.port}`
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
