// Asks for a few addresses again and again, over several connections that are kept, in a thread of its own.
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

export type Load = { urls: readonly string[]; headers: Record<string, string>; connections: number; seconds: number }

const warmUpMs = 1_000

/** Answers a second. Throws at the first that is not 200. */
export async function answersPerSecond(load: Load): Promise<number> {
  const thread = new Worker(new URL(import.meta.url), { workerData: load })
  const [perSecond] = await once(thread, 'message')
  return Number(perSecond)
}

async function measure({ urls, headers, connections, seconds }: Load): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const startsAt = performance.now() + warmUpMs
  const endsAt = startsAt + seconds * 1000
  let answers = 0
  let asked = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < endsAt) {
        asked += 1
        await ask(urls[asked % urls.length] ?? '', { agent, headers })
        const now = performance.now()
        if (now >= startsAt && now < endsAt) answers += 1
      }
    }),
  )
  agent.destroy()
  return answers / seconds
}

async function ask(url: string, options: { agent: Agent; headers: Record<string, string> }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(url, { ...options, signal: AbortSignal.timeout(30_000) }, resolve)
    .once('error', reject)
    .end()
  const answer = await promise
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`Status ${answer.statusCode}`)
}

if (!isMainThread && parentPort !== null) {
  const load: Load = workerData
  parentPort.postMessage(await measure(load))
}
