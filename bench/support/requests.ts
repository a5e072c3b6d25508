// Requests one at a time, and what the same bytes cost at least.
import { Worker } from 'node:worker_threads'
import { serveBytes } from './bytes-server.ts'
import { latencies, percentile } from './figures.ts'

export type Asked = {
  urls: readonly string[]
  headers: Record<string, string>
  /** The number of first addresses that do not count. */
  uncounted: number
}

export type Answers = { latenciesMs: number[]; text: string }

/** Requests made before the counted ones. */
export const warmUpRequests = 60

/** Throws at the first answer that is not 200. Asked by a thread, whose heap is not that of what was seeded here. */
export async function requestEach(
  urlOf: (call: number) => string,
  count: number,
  headers: Record<string, string>,
): Promise<Answers> {
  const urls = Array.from({ length: warmUpRequests + count }, (_, call) => urlOf(call))
  return askEach({ urls, headers, uncounted: warmUpRequests })
}

/** Asks for each address once, and throws as `requestEach` does. */
export function askEach(asked: Asked): Promise<Answers> {
  const thread = new Worker(new URL('request-thread.ts', import.meta.url), { workerData: asked })
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
  })
}

/** The same bytes from memory. */
export async function printReference({ text, latenciesMs }: Answers): Promise<void> {
  const server = await serveBytes(text)
  try {
    const bare = await requestEach(() => server.url, latenciesMs.length, {})
    const ratio = percentile(latenciesMs, 0.5) / percentile(bare.latenciesMs, 0.5)
    console.log(
      `  reference, the same bytes from memory: ${latencies(bare.latenciesMs)}; ours takes ${ratio.toFixed(1)} times as long`,
    )
  } finally {
    await server.stop()
  }
}
