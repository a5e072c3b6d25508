// The way of results through an engine, on clocks, timers and a database that the test holds.
import { randomUUID } from 'node:crypto'
import { createMemoryBus } from '#bus/memory.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import type { EngineObserver } from '#engine/engine-options.ts'
import { createEngineParts } from '#engine/engine-parts.ts'
import { createPresenceBook } from '#engine/locations/presence.ts'
import type { EngineStore } from '#store/engine-store.ts'
import { ModelDatabase, type MonitorRow, type StateRow } from '../simulation/model-database.ts'
import { modelEngineStore } from '../simulation/model-engine-store.ts'

export const startedMs = Date.parse('2031-03-14T12:00:00Z')
export const monitorId = '00000000-0001-4000-8000-000000000005'

type Batch = Parameters<EngineObserver['batch']>[0]

/** An engine that watches one monitor, which was checked last at `startedMs`, a minute ago. */
export async function resultFlowBench(changes: Partial<MonitorRow & StateRow> = {}) {
  const clocks = { nowMs: startedMs + 60_000, steadyMs: 0 }
  const database = databaseWith(changes, () => clocks.nowMs)
  const batches: Batch[] = []
  const warnings: string[] = []
  /** What it waits for: the next turn of the event loop, or so many milliseconds. */
  const waits: { what: 'turn' | number; work: () => void }[] = []
  const wait = (what: 'turn' | number, work: () => void): (() => void) => {
    const entry = { what, work }
    waits.push(entry)
    return () => {
      if (waits.includes(entry)) waits.splice(waits.indexOf(entry), 1)
    }
  }
  /** How a transaction goes: how long it takes, what it waits for, and whether it fails. */
  const how = { tookMs: 40, until: Promise.resolve(), isRefused: false }
  let transactions = 0
  const given = modelEngineStore(database)
  const transaction: EngineStore['transaction'] = async (work) => {
    transactions += 1
    clocks.steadyMs += how.tookMs
    await how.until
    if (how.isRefused) throw new Error('no database')
    return given.transaction(work)
  }
  const parts = createEngineParts(
    {
      store: { ...given, transaction },
      bus: createMemoryBus(),
      presence: createPresenceBook(),
      name: 'this',
      readConfigurations: async () => [],
      observer: {
        round: () => {},
        skipped: () => {},
        stored: () => {},
        rejected: () => {},
        jumped: () => {},
        batch: (batch) => batches.push(batch),
      },
      log: { debug: () => {}, info: () => {}, warn: (message) => warnings.push(message) },
      time: {
        nowMs: () => clocks.nowMs,
        steadyMs: () => clocks.steadyMs,
        after: wait,
        every: () => () => {},
        soon: (work) => wait('turn', work),
        pause: () => Promise.withResolvers<void>().promise,
      },
      newId: randomUUID,
      random: () => 0,
    },
    { planned: new Map(), onNextDue: () => {} },
  )
  await parts.holdings.settle()
  await parts.holdings.settled()
  return {
    flow: parts.resultFlow,
    watchList: parts.watchList,
    batches,
    warnings,
    waits,
    how,
    transactions: () => transactions,
    stored: () => database.results.get(1)?.size ?? 0,
    nowMs: () => clocks.nowMs,
    pass: (ms: number): void => {
      clocks.nowMs += ms
      clocks.steadyMs += ms
    },
    /** What it waits for has come, and all that follows. */
    go: async (): Promise<void> => {
      waits.shift()?.work()
      await turns()
    },
  }
}

/** Everything that needs no time has happened. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

function databaseWith(changes: Partial<MonitorRow & StateRow>, nowMs: () => number): ModelDatabase {
  const database = new ModelDatabase({ nowMs, newId: randomUUID })
  database.locations.set('amsterdam', 1)
  const common = { version: 1, ...changes }
  database.monitors.set(1, {
    id: monitorId,
    key: 1,
    partition: partitionOf(monitorId),
    workspaceId: randomUUID(),
    name: 'Shop',
    url: 'https://shop.example/',
    isEnabled: true,
    kind: 'http',
    intervalSeconds: 60,
    timeoutMs: 10_000,
    graceSeconds: 0,
    schedule: null,
    maxRunSeconds: null,
    locations: ['amsterdam'],
    failureThreshold: 1,
    retrySeconds: null,
    recoveryThreshold: 1,
    confirmationThreshold: 1,
    ...common,
  })
  database.states.set(1, {
    status: 'up',
    failures: 0,
    successes: 0,
    round: startedMs * 1000,
    lastCheckedAt: startedMs * 1000,
    incidentId: null,
    problemAt: null,
    deadline: null,
    callStartedMs: null,
    runDue: null,
    ...common,
  })
  return database
}
