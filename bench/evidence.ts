import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Session } from 'node:inspector/promises'
import { setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { checkedKinds } from '#kinds/checked-kinds.ts'
import { http } from '#kinds/web/http.ts'
import { createNet } from '#net/create-net.ts'
import { createTraffic, newTrace } from '#net/ground/trace.ts'
import { createFailureEvidence } from '#prober/failure-evidence.ts'
import { configurationOf } from '../test/support/check.ts'
import type { FailingTarget } from './support/failing-target.ts'
import { percentile, whole } from './support/figures.ts'

const concurrency = 16
const turnMs = 700
const turns = 5
/** An outage lasts from the third round of each monitor on. */
const warmUpMs = 1_500
const allocationMs = 1_500
const timeoutMs = 10_000
const monitors = 50

/** Without evidence, in an outage that lasts, and in one where each round opens an incident. */
type Way = 'off' | 'lasting' | 'opening'
const ways: readonly Way[] = ['off', 'lasting', 'opening']

/** Sums over the checks of a turn: the bytes of bodies that were copied, and how many checks became evidence. */
type Sum = { checks: number; bodyBytes: number; pieces: number }

/**
 * Measures what a failing check costs the process that makes it, with evidence and without, in turns of the same minute:
 * CPU, bytes of the heap as V8 samples them, and bytes of bodies that were copied. Nothing is stored.
 */
export async function evidence(): Promise<void> {
  const child = fork(fileURLToPath(new URL('support/failing-target.ts', import.meta.url)), { stdio: 'ignore' })
  try {
    const [target]: FailingTarget[] = await once(child, 'message')
    if (target === undefined) throw new Error('The target did not start.')
    setDefaultCACertificates([target.rootPem])
    const rows: string[] = []
    for (const [name, url] of Object.entries(target.urls)) rows.push(await measure(name, url))
    console.log(`evidence: ${rows.join('; ')}; goal: an outage that lasts costs at most 3 % more with evidence`)
  } finally {
    child.kill('SIGTERM')
  }
}

type Run = { way: Way; check: (sum: Sum) => Promise<void>; cpuMs: number[] }

async function measure(name: string, url: string): Promise<string> {
  const runs = new Map<Way, Run>(ways.map((way) => [way, { way, check: checkOf(url, way), cpuMs: [] }]))
  for (const { check } of runs.values()) await repeat(check, warmUpMs)
  for (let turn = 0; turn < turns; turn += 1)
    for (const run of runs.values()) {
      const before = process.cpuUsage()
      const { checks } = await repeat(run.check, turnMs)
      const { user, system } = process.cpuUsage(before)
      run.cpuMs.push((user + system) / 1000 / checks)
    }
  const medians = new Map([...runs].map(([way, { cpuMs }]) => [way, percentile(cpuMs, 0.5)]))
  const off = medians.get('off') ?? Number.NaN
  for (const { way, check } of runs.values()) {
    const { heapBytes, sum } = await allocated(check)
    const cpuMs = medians.get(way) ?? Number.NaN
    console.log(
      `${`${name}, ${way}`.padEnd(20)} ${cpuMs.toFixed(3)} ms CPU a check, ${(cpuMs / off).toFixed(3)} of off; ` +
        `${whole(heapBytes / sum.checks)} B of heap, ${whole(sum.bodyBytes / sum.checks)} B of bodies copied, ` +
        `evidence of ${whole((100 * sum.pieces) / sum.checks)} % of ${whole(sum.checks)} checks`,
    )
  }
  const shown = ways.map((way) => (medians.get(way) ?? Number.NaN).toFixed(3))
  return `${name} ${shown.join(', ')} ms CPU off, lasting, opening`
}

/** A check as a prober makes it, of one monitor after the other. */
function checkOf(url: string, way: Way): (sum: Sum) => Promise<void> {
  const traffic = createTraffic()
  const net = createNet({ allowPrivate: 'all', traffic })
  const keeper = createFailureEvidence({ kinds: checkedKinds, isShown: () => true, onFailed: fail })
  const kind = http
  const usual = configurationOf(kind, { url, timeoutMs })
  let made = 0
  return async (sum) => {
    made += 1
    const configuration = configurationFor(usual, { way, made })
    const sight = keeper.sightFor(configuration)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    const verdict = await traffic
      .during(newTrace(null, null, sight), () => kind.check(configuration, net, deadline.signal))
      .finally(() => clearTimeout(timer))
    if (verdict.status !== 'down') throw new Error(`The target is ${verdict.status}.`)
    sum.checks += 1
    if (sight === null) return
    sum.bodyBytes += sight.answer?.bytes ?? 0
    if ((await keeper.of({ configuration, verdict, sight })) !== null) sum.pieces += 1
  }
}

function configurationFor(usual: CheckConfiguration, { way, made }: { way: Way; made: number }): CheckConfiguration {
  const monitorId = way === 'opening' ? `opening ${made}` : `${made % monitors}`
  return { ...usual, monitorId, ...(way === 'off' ? {} : { evidence: { keepsBodies: true, rounds: 2 } }) }
}

function fail(error: unknown): never {
  throw new Error('Evidence could not be made.', { cause: error })
}

async function repeat(check: (sum: Sum) => Promise<void>, forMs: number): Promise<Sum> {
  const sum: Sum = { checks: 0, bodyBytes: 0, pieces: 0 }
  const endsAt = performance.now() + forMs
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < endsAt) await check(sum)
    }),
  )
  return sum
}

/** All that was allocated, whether it is still there or not; an estimate from a sample of every 16 KB. */
async function allocated(check: (sum: Sum) => Promise<void>): Promise<{ heapBytes: number; sum: Sum }> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 16_384,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  })
  const sum = await repeat(check, allocationMs)
  const { profile } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  return { heapBytes: bytesOf(profile.head), sum }
}

type ProfileNode = { selfSize: number; children: readonly ProfileNode[] }

function bytesOf({ selfSize, children }: ProfileNode): number {
  return children.reduce((bytes, child) => bytes + bytesOf(child), selfSize)
}
