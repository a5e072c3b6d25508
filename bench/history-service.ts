// The service in a process of its own, whose engine also takes results that no prober made: SIGUSR2 begins and ends
// that. They come as from probers, many from few rounds, in a message of each location every 20 ms, and are stored,
// counted and folded like all others.
import { setTimeout as pause } from 'node:timers/promises'
import type { Result } from '#core/results/result.ts'
import { type App, startApp } from '#app/app.ts'
import { readConfig } from '#config/config.ts'
import { createLog } from '#app/log.ts'

const resultsPerSecond = 5_000
const everyMs = 20
/** An engine that falls behind is not buried: what waits for its commit is bounded. */
const maxWaiting = 10_000
/** The share of results that fail; two in a row from the same monitor open an incident. */
const failureShare = 0.002

const config = readConfig()
const app = await startApp(config, createLog({ level: config.logLevel }))
console.log(`Perigee is at ${app.url}`)
const pending = new Set<Promise<void>>()
let ending: AbortController | null = null
process.on('SIGUSR2', () => {
  if (ending === null) {
    ending = new AbortController()
    void takeResults(app, ending.signal)
  } else {
    ending.abort()
    ending = null
  }
})
process.once('SIGTERM', () => {
  ending?.abort()
  void Promise.all(pending)
    .then(() => app.stop())
    .then(() => process.exit(0))
})

/** A result that is refused ends this process, which is no service any more then. */
async function takeResults({ services }: App, signal: AbortSignal): Promise<void> {
  const monitors = await services.database.query.selectFrom('monitors').select(['id', 'version', 'locations']).execute()
  const results = roundsOf(monitors)
  const startedAt = performance.now()
  let waiting = 0
  for (let sent = 0; !signal.aborted; await pause(everyMs)) {
    const due = ((performance.now() - startedAt) / 1000) * resultsPerSecond
    const some: Result[] = []
    for (; sent < due && waiting + some.length < maxWaiting; sent += 1) some.push(results.next().value)
    waiting += some.length
    for (const [location, ofLocation] of Map.groupBy(some, (result) => result.location)) {
      const publishing = services.publishResults(location, ofLocation).finally(() => {
        waiting -= ofLocation.length
        pending.delete(publishing)
      })
      pending.add(publishing)
    }
  }
}

type Monitor = { id: string; version: number; locations: string[] }

/** A round of every monitor after the other, from all its locations, each round later than the one before. */
function* roundsOf(monitors: Monitor[]): Generator<Result, never> {
  for (let round = 0; ;) {
    round = Math.max(Date.now() * 1000, round + 1)
    for (const { id: monitorId, version, locations } of monitors)
      for (const location of locations) yield { monitorId, version, round, location, verdict: verdict() }
  }
}

function verdict(): Result['verdict'] {
  const isDown = Math.random() < failureShare
  const latencyMs = 20 + Math.floor(Math.random() * 200)
  return {
    status: isDown ? 'down' : 'up',
    statusCode: isDown ? 503 : 200,
    latencyMs: isDown ? null : latencyMs,
    error: isDown ? 'HTTP status 503, expected 200 to 399' : null,
    phases: { dnsMs: 1, connectMs: 12, tlsMs: 14, ttfbMs: latencyMs, transferMs: 1 },
    details: {},
  }
}
