import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import fc from 'fast-check'
import { foldRound, type Standing } from '#core/incidents/evaluation.ts'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { addReport, openRound, outcomeOf, roundGraceMs } from '#core/results/round.ts'
import { createDestinations } from '#net/ground/destinations.ts'
import { createGround } from '#net/ground/ground.ts'
import { createTraffic, type Traffic } from '#net/ground/trace.ts'
import {
  type Fault,
  type Faults,
  networkAt,
  type Outage,
  type Outages,
  type SimulatedNetwork,
  type World,
} from '../../test/support/faults/simulated-network.ts'
import { createGroundedChecks } from './grounded.ts'

const stepMs = 20
const timeoutMs = 5_000
const warmUpMs = 60_000
const endMs = 600_000
const referenceMs = 3_000
/** Which each location has reached before the faults begin. */
const targets = ['5.1.0.1', '5.2.0.1', '5.3.0.1', '5.4.0.1'].map((host) => ({ host, port: 443 }))
const roots = ['192.5.5.241', '193.0.14.129'].map((host) => ({ host, port: 53 }))

type Monitor = { intervalMs: number; isNamed: boolean; failureThreshold: number; confirmationThreshold: number }
type Plan = { locations: number; monitors: Monitor[]; faults: Faults; outages: Outages }
/** What a location told in a round, and the time that its checks took. */
type Told = { place: number; location: number; verdict: Verdict | null; fromMs: number; toMs: number }
type Watched = { monitor: Monitor; place: number; nextMs: number; standing: Standing }
type History = { told: Told[]; wentDown: { place: number; atMs: number }[] }

const spells = <What extends string>(whats: readonly What[], places: number) =>
  fc.array(
    fc
      .record({
        what: fc.constantFrom(...whats),
        place: fc.nat(places - 1),
        fromMs: fc.integer({ min: warmUpMs, max: endMs }),
        lastingMs: fc.oneof(fc.integer({ min: 100, max: 20_000 }), fc.integer({ min: 20_000, max: 200_000 })),
      })
      .map(({ what, place, fromMs, lastingMs }) => ({ what, place, fromMs, toMs: fromMs + lastingMs })),
    { maxLength: 6 },
  )
const plans: fc.Arbitrary<Plan> = fc.integer({ min: 1, max: 3 }).chain((locations) =>
  fc.record({
    locations: fc.constant(locations),
    monitors: fc.array(
      fc.record({
        intervalMs: fc.constantFrom(20_000, 30_000, 60_000),
        isNamed: fc.boolean(),
        failureThreshold: fc.integer({ min: 1, max: 3 }),
        confirmationThreshold: fc.integer({ min: 1, max: 3 }),
      }),
      { minLength: targets.length, maxLength: targets.length },
    ),
    faults: spells<Fault>(['link', 'upstream', 'names'], locations),
    outages: spells<Outage>(['silent', 'refused'], targets.length),
  }),
)

describe('own faults and true outages in any order', () => {
  it('give no failure without an outage, and leave none untold', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const history = await simulate(plan)
        for (const told of history.told) assertTrue(plan, told)
        for (const [index] of plan.outages.entries()) assertHeard(plan, history, index)
      }),
      { numRuns: 60 },
    )
  })
})

/** A failure that was told overlapped an outage of its target. */
function assertTrue({ outages }: Plan, told: Told): void {
  if (told.verdict?.status !== 'down') return
  const isOut = outages.some(
    ({ place, fromMs, toMs }) => place === told.place && fromMs <= told.toMs && told.fromMs < toMs,
  )
  assert.ok(isOut, `a failure without an outage: ${JSON.stringify(told)}`)
}

/** An outage was told that lasted through `failure_threshold` + 2 rounds in which its locations had their ground. */
function assertHeard({ locations, monitors, faults, outages }: Plan, { wentDown, told }: History, index: number): void {
  const outage = outages[index]
  const monitor = monitors[outage?.place ?? -1]
  if (outage === undefined || monitor === undefined) return
  const { place, fromMs, toMs } = outage
  const isFirm = (beganMs: number): boolean =>
    !faults.some(
      (fault) => fault.place < locations && fault.fromMs < beganMs + timeoutMs + roundGraceMs && beganMs < fault.toMs,
    )
  const rounds = Math.floor((endMs - place * 1_000) / monitor.intervalMs)
  const firm = Array.from({ length: rounds }, (_, round) => place * 1_000 + round * monitor.intervalMs).filter(
    (beganMs) => fromMs <= beganMs && beganMs + timeoutMs + roundGraceMs < Math.min(toMs, endMs) && isFirm(beganMs),
  )
  if (firm.length < monitor.failureThreshold + 2) return
  const isTold = wentDown.some((down) => down.place === place && down.atMs <= toMs + timeoutMs + roundGraceMs)
  assert.ok(isTold, `untold: ${JSON.stringify({ outage, told: told.filter((each) => each.place === place) })}`)
}

/** The checks of all locations on a clock that only this function moves. */
async function simulate(plan: Plan): Promise<History> {
  let nowMs = 0
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const clock = mock.method(performance, 'now', () => nowMs)
  const history: History = { told: [], wentDown: [] }
  try {
    const locations = Array.from({ length: plan.locations }, (_, place) => locationOf(plan, place))
    const watched = plan.monitors.map((monitor, place): Watched => {
      return { monitor, place, nextMs: place * 1_000, standing: { status: 'up', failures: 0, successes: 0 } }
    })
    for (; nowMs < endMs; nowMs += stepMs) {
      for (const each of watched) {
        if (nowMs < each.nextMs) continue
        each.nextMs += each.monitor.intervalMs
        void runRound(locations, each, history)
      }
      mock.timers.tick(stepMs)
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const { stop } of locations) stop()
  } finally {
    clock.mock.restore()
    mock.timers.reset()
  }
  return history
}

type Location = { check: (monitor: Monitor, place: number) => Promise<Verdict | null>; stop: () => void }

function locationOf({ faults, outages }: Plan, location: number): Location {
  const world: World = { faults, outages, targets, now: () => performance.now(), wait }
  const network = networkAt(world, location)
  const destinations = createDestinations()
  const traffic = createTraffic({ onConnected: destinations.accepted })
  const ground = createGround({
    destinations,
    configured: [],
    roots,
    gateways: () => [],
    connect: async ({ host }) => ['accepted', 'refused'].includes(await network.connect(host, referenceMs)),
    resolverAnswers: async () => (await network.look(referenceMs)) === 'found',
  })
  const grounded = createGroundedChecks(ground, traffic)
  return {
    check: (monitor, place) =>
      grounded.check({
        mark: { check: 1, text: '' },
        monitorId: String(place),
        lastStartMs: performance.now() + roundGraceMs,
        run: () => checkOnce({ monitor, host: targets[place]?.host ?? '' }, network, traffic),
      }),
    stop: () => ground.stop(),
  }
}

/** Looks up a name, connects and asks one question, as a check of a web server does. */
async function checkOnce(
  { monitor, host }: { monitor: Monitor; host: string },
  network: SimulatedNetwork,
  traffic: Traffic,
): Promise<Verdict> {
  const endsMs = performance.now() + timeoutMs
  const leftMs = (): number => endsMs - performance.now()
  if (monitor.isNamed) {
    const looked = await network.look(leftMs())
    if (looked !== 'found') {
      traffic.unresolved(looked)
      return verdictOf('down')
    }
  }
  traffic.located([host])
  const dialled = await network.connect(host, leftMs())
  if (dialled === 'no_route') traffic.noRoute([host])
  if (dialled === 'refused') traffic.heard()
  if (dialled !== 'accepted') return verdictOf('down')
  traffic.connected(host, 443)
  if ((await network.connect(host, leftMs())) !== 'accepted') return verdictOf('down')
  traffic.heard()
  return verdictOf('up')
}

async function runRound(locations: readonly Location[], each: Watched, { told, wentDown }: History): Promise<void> {
  const { monitor, place } = each
  const { confirmationThreshold, failureThreshold } = monitor
  const round = openRound(locations.map((_, location) => String(location)))
  const fromMs = performance.now()
  let isDecided = false
  const decide = (isPastDeadline: boolean): void => {
    const outcome = isDecided ? null : outcomeOf(round, { confirmationThreshold, isPastDeadline })
    if (outcome === null) return
    isDecided = true
    const { standing, transition } = foldRound(each.standing, outcome, { failureThreshold, recoveryThreshold: 1 })
    each.standing = standing
    if (transition.type === 'went_down') wentDown.push({ place, atMs: performance.now() })
  }
  const all = locations.map(async ({ check }, location) => {
    const verdict = await check(monitor, place)
    told.push({ place, location, verdict, fromMs, toMs: performance.now() })
    addReport(round, String(location), verdict)
    decide(false)
  })
  await Promise.race([Promise.all(all), wait(timeoutMs + roundGraceMs)])
  decide(true)
}

function verdictOf(status: 'up' | 'down'): Verdict {
  return { status, statusCode: null, latencyMs: null, error: null, phases: noPhases, details: {} }
}

/** On the simulated clock. */
function wait(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, Math.max(0, ms))
  return promise
}
