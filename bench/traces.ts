import { once } from 'node:events'
import { createServer } from 'node:http'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { measureStoredChecks } from './support/stored-checks.ts'
import { whole } from './support/figures.ts'

const checksPerSecond = 1_000
const measureMs = 20_000
/** In turns, because the machine does other things as well. Without a share nothing is traced. */
const shares = ['0', '0.01', '1', '0', '0.01', '1']

/** What tracing adds to the CPU time of a stored check, with no share of rounds, one in a hundred, and all. */
export async function traces(): Promise<void> {
  const receiver = new Worker(new URL(import.meta.url))
  const [port] = await once(receiver, 'message')
  const spent = new Map<string, number[]>()
  try {
    for (const share of shares) {
      const environment = { PERIGEE_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, PERIGEE_TRACE_SHARE: share }
      const options = { checksPerSecond, isTls: false, measureMs, referenceChecks: 0, environment }
      const { serviceMs } = await measureStoredChecks(options)
      receiver.postMessage('count')
      const [spans] = await once(receiver, 'message')
      console.log(
        `  share ${share}: ${serviceMs.toFixed(3)} ms CPU of the service a check, ${whole(spans)} spans taken`,
      )
      spent.set(share, [...(spent.get(share) ?? []), serviceMs])
    }
  } finally {
    await receiver.terminate()
  }
  const mean = (share: string): number => {
    const all = spent.get(share) ?? []
    return all.reduce((sum, ms) => sum + ms, 0) / all.length
  }
  const ratio = (share: string): string => (mean(share) / mean('0')).toFixed(2)
  console.log(
    `traces: ${ratio('0.01')} of the CPU time without traces where one round in a hundred is traced, goal 1.02; ` +
      `${ratio('1')} where all are`,
  )
}

/** The receiver takes everything, in a thread of its own, and counts spans when asked. */
if (!isMainThread && parentPort !== null) {
  const port = parentPort
  let spans = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.once('end', () => {
      spans += gunzipSync(Buffer.concat(parts)).toString().split('"spanId"').length - 1
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address !== null && typeof address !== 'string') port.postMessage(address.port)
  port.on('message', () => {
    port.postMessage(spans)
    spans = 0
  })
}
