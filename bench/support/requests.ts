// Requests one at a time, and what the same bytes cost at least.
import { serveBytes } from './bytes-server.ts'
import { latencies, percentile } from './figures.ts'

export type Answers = { latenciesMs: number[]; text: string }

/** Made before those that are counted. */
export const warmUpRequests = 60

/** Throws at the first answer that is not 200. */
export async function requestEach(
  urlOf: (call: number) => string,
  count: number,
  headers: Record<string, string>,
): Promise<Answers> {
  const latenciesMs: number[] = []
  let text = ''
  for (let call = -warmUpRequests; call < count; call += 1) {
    const startedAt = performance.now()
    const answer = await fetch(urlOf(call + warmUpRequests), { headers })
    text = await answer.text()
    if (answer.status !== 200) throw new Error(`Status ${answer.status}: ${text.slice(0, 200)}`)
    if (call >= 0) latenciesMs.push(performance.now() - startedAt)
  }
  return { latenciesMs, text }
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
