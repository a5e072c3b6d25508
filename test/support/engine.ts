import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { createMemoryBus, type MemoryBus } from '#bus/memory.ts'
import type { Evidence } from '#core/incidents/evidence.ts'
import type { Assignment } from '#core/monitors/check.ts'
import { noPhases, type Result, type Verdict } from '#core/results/result.ts'
import type { Tracer } from '#otlp/tracer.ts'
import type { Database } from '#store/database/database.ts'
import { createEngineStore } from '#store/engine-store.ts'
import { keepEvidence } from '#store/incidents/evidence.ts'
import { keepViews } from '#store/incidents/views.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { type Engine, startEngine } from '../../src/engine/engine.ts'
import { createPresenceBook } from '#engine/locations/presence.ts'
import { systemTime } from '#time/time.ts'
import { type TestApi, testApi, type TestApiOptions } from './api.ts'
import { until } from './until.ts'

export type Told = Assignment & { location: string }

/** An engine with its API and a bus; the test plays the probers. */
export type EngineBench = {
  api: TestApi
  bus: MemoryBus
  database: Database
  engine: Engine
  /** The checks that the engine assigned, in order. */
  assignments: Told[]
  warnings: string[]
  /** What the engines logged, of every level. */
  lines: { message: string; details: Record<string, unknown> }[]
  counts: { stored: number; rejected: number; skipped: number }
  /** Makes a location come online, or go; it says on which machine it stands only where that is given. */
  announce: (location: string, options?: { isLeaving?: boolean; witness?: string }) => void
  /** The next round of a monitor that the test has not taken yet and that asks each of these locations. */
  taken: (monitorId: string, locations: string[]) => Promise<Told[]>
  answer: (told: Told, verdict: Partial<Verdict> | null, evidence?: Evidence) => Promise<void>
  startAnother: (name: string) => Promise<Engine>
}

export const locations = ['amsterdam', 'boston', 'chennai']

export type EngineBenchOptions = TestApiOptions & {
  engineNow?: () => number
  /** Its clock that never jumps. */
  engineSteady?: () => number
  onClockJump?: (jumpMs: number, database: Database) => Promise<void>
  tracer?: Tracer
  /** What happens after an engine has read what was stored of a partition and not folded. */
  onBacklogRead?: (partitions: number[]) => Promise<void>
  /** Makes the database of the bench, where that is not one as all others have. */
  makeDatabase?: () => Promise<Database>
  /** As of `createEngineStore`. */
  onWork?: () => void
}

export async function engineBench({
  engineNow = Date.now,
  engineSteady = () => performance.now(),
  onClockJump = async () => {},
  tracer,
  onBacklogRead = async () => {},
  onWork = () => {},
  makeDatabase,
  ...options
}: EngineBenchOptions = {}): Promise<EngineBench> {
  const bus = createMemoryBus()
  const running: Engine[] = []
  const heartbeats: NodeJS.Timeout[] = []
  // Hooks run in the order of their making: the engines stop before their database goes.
  after(async () => {
    for (const timer of heartbeats) clearInterval(timer)
    for (const started of running) await started.stop()
  })
  const api = await testApi({
    // As many as an engine has, which shares them with the API here.
    maxConnections: 4,
    ...options,
    ...(makeDatabase === undefined ? {} : { database: await makeDatabase() }),
    services: {
      announceChange: bus.announceChange,
      publishResults: bus.publishResults,
      ...options.services,
    },
  })
  const { database } = api
  await createResultPartitions(database, new Date())
  const presence = createPresenceBook()
  bus.onPresence((message) => presence.note(message, engineNow()))
  const assignments: Told[] = []
  const warnings: string[] = []
  const lines: EngineBench['lines'] = []
  const counts = { stored: 0, rejected: 0, skipped: 0 }
  const store = createEngineStore(database, { onWork })
  const start = async (name: string): Promise<Engine> => {
    const started = await startEngine({
      store: {
        ...store,
        readBacklog: async (partitions) => {
          const backlog = await store.readBacklog(partitions)
          await onBacklogRead(partitions)
          return backlog
        },
      },
      bus,
      presence,
      name,
      readConfigurations: (location, ids) => readCheckConfigurations(database, api.services.secrets, { location, ids }),
      keepEvidence: (list) => keepEvidence(database, api.services.secrets, list),
      keepViews: (list) => keepViews(database, api.services.secrets, list),
      observer: {
        round: () => {},
        skipped: () => (counts.skipped += 1),
        stored: (count) => (counts.stored += count),
        rejected: () => (counts.rejected += 1),
        jumped: () => {},
        batch: () => {},
      },
      log: {
        debug: (message, details = {}) => lines.push({ message, details }),
        info: (message, details = {}) => lines.push({ message, details }),
        warn: (message, details = {}) => {
          warnings.push(message)
          lines.push({ message, details })
        },
      },
      tracer: tracer ?? null,
      time: { ...systemTime, nowMs: engineNow, steadyMs: engineSteady },
      newId: randomUUID,
      random: Math.random,
      onClockJump: (jumpMs) => onClockJump(jumpMs, database),
    })
    running.push(started)
    return started
  }
  const announce: EngineBench['announce'] = (location, { isLeaving = false, ...said } = {}) => {
    const tell = (): void => bus.announce({ location, prober: `${location}-1`, isLeaving, ...said })
    tell()
    if (!isLeaving) heartbeats.push(setInterval(tell, 1000))
  }
  for (const location of locations) {
    bus.onAssignments(location, `${location}-1`, (list) =>
      assignments.push(...list.map((assignment) => ({ ...assignment, location }))),
    )
    if (options.online?.includes(location) ?? true) announce(location)
  }
  const seen = new Set<Told>()
  return {
    api,
    bus,
    database,
    engine: await start('first'),
    assignments,
    warnings,
    lines,
    counts,
    announce,
    taken: async (monitorId, from) => {
      const left = (): Told[] =>
        assignments.filter((told) => told.monitorId === monitorId && from.includes(told.location) && !seen.has(told))
      const fresh = (): Told[] => inOneRound(left(), from)
      await until(`assignments for ${from.join(', ')}`, async () => fresh().length === from.length, 30_000)
      const told = fresh()
      const last = Math.max(...told.map((each) => assignments.indexOf(each)))
      for (const each of left()) if (assignments.indexOf(each) <= last) seen.add(each)
      return told
    },
    answer: ({ monitorId, version, round, location }, verdict, evidence) => {
      const result = { monitorId, version, round, location, verdict: verdictOf(verdict) }
      return bus.publishResults(location, [evidence === undefined ? result : { ...result, evidence }])
    },
    startAnother: start,
  }
}

/**
 * One assignment for each location, all of the first round that has them: a location that owes an answer is left out of
 * a round.
 */
function inOneRound(told: Told[], from: string[]): Told[] {
  const rounds = new Set(told.map(({ round }) => round))
  const whole = Array.from(rounds, (of) =>
    from.flatMap((location) => told.find((each) => each.round === of && each.location === location) ?? []),
  ).find((asked) => asked.length === from.length)
  return whole ?? []
}

export const failing: Partial<Verdict> = { status: 'down', statusCode: 500, error: 'HTTP status 500' }
export const degraded: Partial<Verdict> = { status: 'degraded', error: 'slow' }

export function verdictOf(verdict: Partial<Verdict> | null): Result['verdict'] {
  if (verdict === null) return null
  return { status: 'up', statusCode: 200, latencyMs: 12, error: null, phases: noPhases, details: {}, ...verdict }
}

/** A monitor's state and counts in the database. */
export async function standingOf(database: Database, monitorId: string) {
  const row = await database.query
    .selectFrom('monitor_state')
    .innerJoin('monitors', 'monitors.key', 'monitor_state.monitor_key')
    .select([
      'current_status',
      'consecutive_failures',
      'round_at',
      'last_checked_at',
      'incident_id',
      'problem_at',
      'key',
    ])
    .where('monitors.id', '=', monitorId)
    .executeTakeFirstOrThrow()
  const counted = await database.query
    .selectFrom('uptime_days')
    .select((sums) => [sums.fn.sum<string>('checks').as('checks'), sums.fn.sum<string>('down').as('down')])
    .where('monitor_key', '=', row.key)
    .executeTakeFirstOrThrow()
  const stored = await database.query
    .selectFrom('results')
    .select((rows) => rows.fn.countAll<string>().as('count'))
    .where('monitor_key', '=', row.key)
    .executeTakeFirstOrThrow()
  return { ...row, checks: Number(counted.checks ?? 0), down: Number(counted.down ?? 0), stored: Number(stored.count) }
}

export async function incidentsOf(database: Database, monitorId: string) {
  return database.query
    .selectFrom('incidents')
    .selectAll()
    .where('monitor_id', '=', monitorId)
    .orderBy('started_at')
    .execute()
}

/** Inserts a confirmed contact. */
export async function addContact(database: Database, workspaceId: string): Promise<string> {
  const id = randomUUID()
  await database.query
    .insertInto('alert_channels')
    .values({
      id,
      workspace_id: workspaceId,
      name: 'Hook',
      kind: 'webhook',
      destination: 'https://example.com/hook',
      confirmed: true,
    })
    .execute()
  return id
}

export function only<T>(list: readonly T[]): T {
  assert.equal(list.length, 1, `one was expected, there are ${list.length}`)
  return list[0] ?? assert.fail('none')
}
