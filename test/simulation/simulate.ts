// The whole way from schedule to alert on virtual time, with everything going wrong that a seed says.
import assert from 'node:assert/strict'
import { partitionOf } from '#core/monitors/schedule.ts'
import { type Api, startApiProcess } from './api-process.ts'
import { startCaller } from './callers.ts'
import type { Context } from './context.ts'
import { assertEnd, isAlertDue } from './end-check.ts'
import { createMischief, type Faults } from './faults.ts'
import { ModelBus } from './model-bus.ts'
import { isCalled, ModelDatabase, type MonitorRow } from './model-database.ts'
import { act, plan, resumeAll } from './people.ts'
import { startEngineProcess, startJobsProcess, startProberProcess, type Stoppable } from './processes.ts'
import { createRandom, type Random } from './random.ts'
import { createTargets } from './targets.ts'
import { createTrace } from './trace.ts'
import { Clock, followMs, Process, VirtualTime } from './virtual-time.ts'
import { createWatchdogs } from './watchdogs.ts'

export type SimulationOptions = {
  /** Virtual hours in which faults happen; some minutes without any follow, in which all comes right. */
  hours: number
  monitors: number
  /** How many of these wait to be called. */
  called: number
  engines: number
  locations: number
  faults: Faults
}

export type Simulated = {
  digest: string
  /** The last lines of what happened. */
  trace: string[]
  /** Null where everything held. */
  failure: unknown
  monitorHours: number
  incidents: number
  results: number
  /** Results that were acknowledged and are not there in the end. */
  lost: number
  /** Faults that happened. */
  faults: number
}

const startedMs = Date.parse('2031-03-14T12:00:00Z')
const intervalMs = 60_000
const quietMs = 15 * 60_000
const mostQuiets = 4
const hourMs = 3_600_000
const restartMs = [1_000, 15_000] as const
const stallMs = [500, 9_000] as const
const jumpMs = [3_000, 2_400_000] as const
const awayMs = [500, 20_000] as const

export async function run(seed: number, options: SimulationOptions): Promise<Simulated> {
  let failure: unknown = null
  const onBroken = (error: unknown): void => {
    failure ??= error
    virtual.stop()
  }
  const virtual = new VirtualTime()
  const { context, play } = createSimulation(seed, { ...options, virtual, onBroken })
  const { database, trace } = context
  process.on('unhandledRejection', onBroken)
  try {
    await play()
  } catch (error) {
    onBroken(error)
  } finally {
    process.off('unhandledRejection', onBroken)
  }
  let results = 0
  for (const of of database.results.values()) results += of.size
  return {
    digest: trace.digest(),
    trace: trace.last(),
    failure,
    monitorHours: (options.monitors * virtual.nowMs) / hourMs,
    incidents: database.incidents.size,
    results,
    lost: context.watchdogs.lost(),
    faults: context.mischief.struck(),
  }
}

type Simulation = { context: Context; play: () => Promise<void> }
type Playing = SimulationOptions & { virtual: VirtualTime; onBroken: (error: unknown) => void }

function createSimulation(seed: number, { virtual, onBroken, ...options }: Playing): Simulation {
  const random = createRandom(seed)
  const clock = new Clock(startedMs)
  const nowMs = (): number => clock.startedMs + clock.aheadMs + virtual.nowMs
  const database = new ModelDatabase({ nowMs, newId: random.uuid })
  const starters = new Map<Process, () => void>()
  const context: Context = {
    virtual,
    clock,
    random,
    mischief: createMischief(random, options.faults),
    database,
    trace: createTrace(() => virtual.nowMs),
    watchdogs: createWatchdogs({ database, clock, virtual, onBroken }),
    crash: (crashed) => {
      const start = starters.get(crashed)
      if (!starters.delete(crashed)) return
      crashed.kill()
      virtual.after(random.within(...restartMs), () => start?.())
    },
  }
  const bus = new ModelBus(context)
  const monitorIds = fill(database, { random, ...options })
  const faultyMs = options.hours * hourMs
  const apis = new Set<Api>()
  const targets = createTargets({ monitorIds, endMs: faultyMs, intervalMs, random })
  const parts = { context, bus, targets }

  /** Starts a process, and another one whenever it has ended. */
  function keep(name: string, start: (of: Process) => Stoppable | Promise<Stoppable>, number = 1): void {
    const started = new Process(`${name}/${number}`, virtual, clock)
    starters.set(started, () => keep(name, start, number + 1))
    const running = Promise.resolve(start(started))
    running.catch(() => context.crash(started))
    started.time.every(1_000, () => {
      const { strikes } = context.mischief
      if (strikes('stall')) started.stall(random.within(...stallMs))
      if (strikes('away')) bus.cut(started, random.within(...awayMs))
      if (strikes('stop'))
        void running
          .then((part) => part.stop())
          .catch(() => {})
          .then(() => context.crash(started))
    })
  }

  /** It takes calls until it is stopped or dies. */
  async function listen(of: Process): Promise<Stoppable> {
    const api = await startApiProcess(parts, of)
    apis.add(api)
    of.onDeath(() => apis.delete(api))
    const stop = async (): Promise<void> => {
      apis.delete(api)
      await api.stop()
    }
    return { stop }
  }

  function jump(): void {
    const byMs = random.within(...jumpMs) * (random.happens(0.5) ? 1 : -1)
    context.trace.say(`the clock jumps by ${byMs} ms`)
    clock.jump(byMs, virtual.nowMs)
    for (const each of starters.keys()) each.time.after(random.within(0, followMs), () => each.followClock())
  }

  return {
    context,
    play: async () => {
      for (let number = 1; number <= options.engines; number += 1)
        keep(`engine-${number}`, (of) => startEngineProcess(parts, of))
      for (const location of database.locations.keys())
        keep(`prober-${location}`, (of) => startProberProcess(parts, of, location))
      for (const name of options.called === 0 ? [] : ['api-1', 'api-2']) keep(name, (of) => listen(of))
      for (const monitor of database.monitors.values())
        if (isCalled(monitor)) startCaller({ context, targets, apis: () => [...apis] }, monitor)
      for (const name of ['jobs-1', 'jobs-2']) keep(name, (of) => startJobsProcess(parts, of))
      const ticking = new Process('people', virtual, clock)
      ticking.time.every(1_000, () => {
        if (context.mischief.strikes('person')) void act({ context, bus })
        if (context.mischief.strikes('maintenance')) plan(context)
        if (context.mischief.strikes('jump')) jump()
      })
      await virtual.runUntil(faultyMs)
      context.mischief.end()
      void resumeAll({ context, bus })
      // What waited for a contact that failed leaves one after the other, behind attempts that are made minutes apart.
      for (let quiets = 1; quiets === 1 || (quiets <= mostQuiets && isAlertDue(context)); quiets += 1)
        await virtual.runUntil(faultyMs + quiets * quietMs)
      const engines = Array.from(starters.keys(), ({ name }) => name).filter((name) => name.startsWith('engine'))
      if (!virtual.isStopped) assertEnd(context, { bus, targets, engines })
    },
  }
}

type Filling = { random: Random } & Pick<SimulationOptions, 'monitors' | 'called' | 'locations'>

function fill(database: ModelDatabase, { random, monitors, called, locations }: Filling): string[] {
  const workspaceId = random.uuid()
  const codes = Array.from({ length: locations }, (_, place) => `location-${place + 1}`)
  for (const [place, code] of codes.entries()) database.locations.set(code, place + 1)
  for (const name of ['Operations', 'Night shift']) {
    const id = random.uuid()
    database.contacts.set(id, { id, workspaceId, name, kind: 'webhook', isEnabled: true, failingSinceMs: null })
  }
  const keys = Array.from({ length: monitors }, (_, place) => place + 1)
  return keys.map((key) => addMonitor(database, { key, workspaceId, codes, random, isCalled: key <= called }))
}

type Adding = { key: number; workspaceId: string; codes: string[]; random: Random; isCalled: boolean }

function addMonitor(database: ModelDatabase, adding: Adding): string {
  const { key, workspaceId, random } = adding
  const id = random.uuid()
  const partition = partitionOf(id)
  const round = (database.nowMs() - intervalMs) * 1000
  database.monitors.set(key, {
    id,
    key,
    partition,
    workspaceId,
    name: `Shop ${key}`,
    isEnabled: true,
    version: 1,
    intervalSeconds: intervalMs / 1000,
    timeoutMs: 5_000,
    ...sourceOf(adding),
    failureThreshold: random.within(1, 3),
    retrySeconds: random.happens(0.3) ? random.within(10, 40) : null,
    recoveryThreshold: random.within(1, 2),
  })
  const untold = { deadline: null, callStartedMs: null, runDue: null }
  const none = { lastCheckedAt: null, incidentId: null, problemAt: null, ...untold }
  database.states.set(key, { version: 1, status: 'pending', failures: 0, successes: 0, round, ...none })
  database.gaps.set(`${key}/${round}`, { monitorKey: key, startedAt: round, endedAt: null })
  return id
}

/** As often as the interval, and at set times of the clock. */
const everyMinute = { expression: '* * * * *', timeZone: 'Europe/Vienna' }

type Sourced = Pick<
  MonitorRow,
  'kind' | 'url' | 'locations' | 'confirmationThreshold' | 'graceSeconds' | 'schedule' | 'maxRunSeconds'
>

function sourceOf({ codes, random, isCalled: isToBeCalled }: Adding): Sourced {
  if (isToBeCalled) {
    const kind = random.happens(0.5) ? 'heartbeat' : 'webhook'
    return {
      kind,
      url: null,
      locations: codes.slice(0, 1),
      confirmationThreshold: 1,
      graceSeconds: random.pick([15, 30, 60]) ?? 30,
      schedule: kind === 'heartbeat' && random.happens(0.5) ? everyMinute : null,
      maxRunSeconds: kind === 'heartbeat' && random.happens(0.5) ? random.within(25, 50) : null,
    }
  }
  const confirmationThreshold = random.within(1, Math.min(2, codes.length))
  const shop = {
    kind: 'http',
    url: 'https://shop.example/',
    graceSeconds: 0,
    schedule: null,
    maxRunSeconds: null,
  } as const
  return { ...shop, locations: codes, confirmationThreshold }
}

/** For a failing seed: what broke, and what happened before. */
export function reportOf(seed: number, { failure, trace }: Simulated): string {
  const what = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  return [`Seed ${seed}: ${what}`, 'What happened before:', ...trace].join('\n')
}

export function assertHeld(seed: number, simulated: Simulated): void {
  assert.ok(simulated.failure === null, reportOf(seed, simulated))
}
