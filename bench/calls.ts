import { randomBytes } from 'node:crypto'
import { setCallToken } from '#store/monitors/calls.ts'
import { answersPerSecond } from './support/asked-at-once.ts'
import { latencies, percentile, whole } from './support/figures.ts'
import { addMonitors, type Seed } from './support/installation.ts'
import { printReference, requestEach } from './support/requests.ts'
import { withService } from './support/service.ts'

/** One takes 60 calls a minute. */
const heartbeats = 2_000
const callsAlone = 400
const connections = 256
const seconds = 8

/** How long the caller of a heartbeat waits until its call is durable: alone, and with all others at once. */
export async function calls(): Promise<void> {
  let tokens: string[] = []
  const seed = async (given: Seed): Promise<void> => void (tokens = await addHeartbeats(given))
  await withService({ seed }, async ({ url }) => {
    const urls = tokens.map((token) => `${url}/ping/${token}`)
    const alone = await requestEach((call) => urls[call % urls.length] ?? '', callsAlone, {})
    console.log(`a call alone: ${latencies(alone.latenciesMs)}`)
    await printReference(alone)
    const together = await answersPerSecond({ urls, headers: {}, connections, seconds })
    console.log(`${connections} callers at once: ${whole(together)} calls a second`)
    const p50 = percentile(alone.latenciesMs, 0.5).toFixed(1)
    console.log(`calls: ${p50} ms p50 alone, goal 5; ${whole(together)} a second at once, goal 5,000`)
  })
}

async function addHeartbeats(seed: Seed): Promise<string[]> {
  const ids = await addMonitors(seed, heartbeats, (index) => ({
    name: `Job ${index}`,
    kind: 'heartbeat',
    url: null,
    interval_seconds: 86_400,
  }))
  const tokens = ids.map(() => randomBytes(24).toString('base64url'))
  await seed.database.transaction(async (tx) => {
    for (const [index, monitorId] of ids.entries())
      await setCallToken(tx, seed.secrets, { monitorId, token: tokens[index] ?? '' })
  })
  return tokens
}
