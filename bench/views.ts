import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { encodeResults } from '#bus/codec.ts'
import type { View } from '#core/incidents/view.ts'
import type { Verdict } from '#core/results/result.ts'
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
const turns = 7
const warmUpMs = 1_500
const timeoutMs = 10_000

/** Of a monitor that is up: without evidence, with it, and with it where the location is asked for a view. */
const ways = ['off', 'kept', 'asked'] as const
type Way = (typeof ways)[number]

type Told = { verdict: Verdict; view: View | null }
type Check = () => Promise<Told>

/**
 * Measures what a check that succeeds costs the process that makes it, and the bytes of its result on the bus, in turns of
 * the same minute. Nothing is stored.
 */
export async function views(): Promise<void> {
  const child = fork(fileURLToPath(new URL('support/failing-target.ts', import.meta.url)), { stdio: 'ignore' })
  try {
    const [target]: FailingTarget[] = await once(child, 'message')
    if (target === undefined) throw new Error('The target did not start.')
    setDefaultCACertificates([target.rootPem])
    const rows = [await measure('http', `${target.urls.http}up`), await measure('https', `${target.urls.https}up`)]
    console.log(`views: ${rows.join('; ')}; goal: a check that is asked for nothing costs what it did without evidence`)
  } finally {
    child.kill('SIGTERM')
  }
}

async function measure(name: string, url: string): Promise<string> {
  const runs = ways.map((way) => ({ way, check: checkOf(url, way), cpuMs: new Array<number>() }))
  for (const { check } of runs) await repeat(check, warmUpMs)
  for (let turn = 0; turn < turns; turn += 1)
    for (const run of runs) {
      const before = process.cpuUsage()
      const checks = await repeat(run.check, turnMs)
      const { user, system } = process.cpuUsage(before)
      run.cpuMs.push((user + system) / 1000 / checks)
    }
  const medians = runs.map(({ cpuMs }) => percentile(cpuMs, 0.5))
  const bytes = await Promise.all(runs.map(async ({ check }) => bytesOf(await check())))
  for (const [index, { way }] of runs.entries())
    console.log(
      `${`${name}, ${way}`.padEnd(14)} ${(medians[index] ?? 0).toFixed(3)} ms CPU a check, ` +
        `${whole(bytes[index] ?? 0)} B of result`,
    )
  return `${name} ${medians.map((ms) => ms.toFixed(3)).join(', ')} ms CPU off, kept, asked`
}

/** A check as a prober makes it. */
function checkOf(url: string, way: Way): Check {
  const traffic = createTraffic()
  const net = createNet({ allowPrivate: 'all', traffic })
  const keeper = createFailureEvidence({ kinds: checkedKinds, isShown: () => true, onFailed: fail })
  const kind = http
  const usual = configurationOf(kind, { url, timeoutMs })
  const configuration = way === 'off' ? usual : { ...usual, evidence: { keepsBodies: true, rounds: 2 } }
  return async () => {
    const sight = keeper.sightFor(configuration)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    const verdict = await traffic
      .during(newTrace(null, null, sight), () => kind.check(configuration, net, deadline.signal))
      .finally(() => clearTimeout(timer))
    if (verdict.status !== 'up') throw new Error(`The target is ${verdict.status}.`)
    if (sight === null || (await keeper.of({ configuration, verdict, sight })) !== null) return { verdict, view: null }
    return { verdict, view: way === 'asked' ? await keeper.viewOf({ configuration, verdict, sight }) : null }
  }
}

function fail(error: unknown): never {
  throw new Error('A view could not be made.', { cause: error })
}

async function repeat(check: Check, forMs: number): Promise<number> {
  let checks = 0
  const endsAt = performance.now() + forMs
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (; performance.now() < endsAt; checks += 1) await check()
    }),
  )
  return checks
}

function bytesOf({ verdict, view }: Told): number {
  const plain = { monitorId: '00000000-0000-7000-8000-000000000000', version: 1, round: 1, location: 'fra', verdict }
  return encodeResults([view === null ? plain : { ...plain, view }]).reduce((sum, { length }) => sum + length, 0)
}
