// Asks for addresses one after the other, on one connection.
import { Agent, type IncomingMessage, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { Answers, Asked } from './requests.ts'

const timeoutMs = 30_000
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const asked: Asked = workerData
parentPort?.postMessage(await askEach(asked))
agent.destroy()

async function askEach({ urls, headers, uncounted }: Asked): Promise<Answers> {
  const latenciesMs: number[] = []
  let body: Buffer = Buffer.alloc(0)
  for (const [call, url] of urls.entries()) {
    const startedAt = performance.now()
    body = await ask(url, headers)
    if (call >= uncounted) latenciesMs.push(performance.now() - startedAt)
  }
  return { latenciesMs, text: body.toString() }
}

async function ask(url: string, headers: Record<string, string>): Promise<Buffer> {
  const sent = request(url, { agent, headers, signal: AbortSignal.timeout(timeoutMs) }).end()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
  })
  const body = Buffer.concat(await answer.toArray())
  if (answer.statusCode !== 200) throw new Error(`Status ${answer.statusCode}: ${body.toString().slice(0, 200)}`)
  return body
}
