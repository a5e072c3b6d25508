import { serveBytes } from './support/bytes-server.ts'
import { latencies, percentile, whole } from './support/figures.ts'
import { addHistory, historyDays, resultDays } from './support/history.ts'
import { addMonitors } from './support/installation.ts'
import { withService } from './support/service.ts'

const monitors = 1_000
const monitorsWithHistory = 50
const warmUpRequests = 60
const listRequests = 300
const detailRequests = 600

type Asked = { headers: Record<string, string> }
type Answers = { latenciesMs: number[]; text: string }

/** The list of a workspace with 1,000 monitors, and one monitor with a year behind it, over HTTP, one at a time. */
export async function list(): Promise<void> {
  let ids: string[] = []
  await withService(
    {
      seed: async (seed) => {
        ids = await addMonitors(seed, monitors, (index) => ({
          name: `Monitor ${index}`,
          url: 'http://127.0.0.1:9/',
          interval_seconds: 3600,
        }))
        await addHistory(seed.database, ids.slice(0, monitorsWithHistory))
      },
    },
    async ({ url, token }) => {
      const asked = { headers: { 'X-API-Key': token } }
      const root = `${url}/api/v1/monitors`
      const all = await request(() => root, listRequests, asked)
      const one = await request((call) => `${root}/${ids[call % monitorsWithHistory]}`, detailRequests, asked)
      console.log(
        `GET /monitors with ${whole(monitors)}: ${latencies(all.latenciesMs)}, ${whole(all.text.length / 1000)} KB`,
      )
      await printReference(all)
      console.log(
        `GET /monitors/{id} with ${historyDays} day rollups, ${resultDays} days of results (an hour in a row, the last day ` +
          `one by one) and an outage every fifth day: ${latencies(one.latenciesMs)}, ${whole(one.text.length / 1000)} KB`,
      )
      await printReference(one)
      console.log(
        `list: ${percentile(all.latenciesMs, 0.99).toFixed(1)} ms p99 for the list, goal 50; ` +
          `${percentile(one.latenciesMs, 0.99).toFixed(1)} ms p99 for one monitor, goal 20`,
      )
    },
  )
}

/** The same bytes from memory. */
async function printReference({ text, latenciesMs }: Answers): Promise<void> {
  const server = await serveBytes(text)
  try {
    const bare = await request(() => server.url, latenciesMs.length, { headers: {} })
    const ratio = percentile(latenciesMs, 0.5) / percentile(bare.latenciesMs, 0.5)
    console.log(
      `  reference, the same bytes from memory: ${latencies(bare.latenciesMs)}; ours takes ${ratio.toFixed(1)} times as long`,
    )
  } finally {
    await server.stop()
  }
}

async function request(urlOf: (call: number) => string, count: number, { headers }: Asked): Promise<Answers> {
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
