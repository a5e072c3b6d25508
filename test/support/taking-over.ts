// An engine's memory that takes over a partition of a database in memory, step by step as the test lets it.
import { randomUUID } from 'node:crypto'
import { phaseMs } from '#core/monitors/schedule.ts'
import { noPhases, type Result } from '#core/results/result.ts'
import { createLocationIds } from '#engine/locations/location-ids.ts'
import { createPresenceBook } from '#engine/locations/presence.ts'
import { commitBatch, type CommitOptions } from '#engine/results/commit-batch.ts'
import { EvidenceKeeper } from '#engine/results/evidence-keeper.ts'
import { ViewKeeper } from '#engine/results/view-keeper.ts'
import { createWatchList } from '#engine/rounds/watch-list.ts'
import { resultKey } from '#store/results/store-batch.ts'
import { systemTime } from '#time/time.ts'
import { ModelDatabase } from '../simulation/model-database.ts'
import { modelEngineStore } from '../simulation/model-engine-store.ts'
import { readMonitors, readPartitions } from '#engine/partitions/read-into-memory.ts'

export const [id, otherId] = ['00000000-0001-4000-8000-000000000005', '00000000-0001-4000-8000-000000000045']
export const partition = 5
export const [key, otherKey, location] = [1, 2, 'amsterdam']
export const startedMs = Date.parse('2031-03-14T12:00:00Z') + phaseMs(id, 60_000)

/** A database with a monitor that was up at `startedMs`, and a failure 60 s later that no engine has folded. */
function interrupted(now: () => number, locations: string[]): ModelDatabase {
  const database = new ModelDatabase({ nowMs: now, newId: randomUUID })
  database.locations.set(location, 1)
  database.partitions[partition] = { owner: 'this', epoch: 1, heldUntilMs: Infinity }
  addMonitor(database, { id, key, locations })
  addFailure(database, { monitorKey: key, atMs: startedMs + 60_000 })
  return database
}

/** It was up at `startedMs`. */
export function addMonitor(
  database: ModelDatabase,
  monitor: { id: string; key: number; locations: string[]; partition?: number },
): void {
  const { id: monitorId, key: monitorKey, locations, partition: at = partition } = monitor
  database.monitors.set(monitorKey, {
    id: monitorId,
    key: monitorKey,
    partition: at,
    workspaceId: randomUUID(),
    name: 'Shop',
    url: 'https://shop.example/',
    isEnabled: true,
    kind: 'http',
    version: 1,
    intervalSeconds: 60,
    timeoutMs: 10_000,
    graceSeconds: 0,
    schedule: null,
    maxRunSeconds: null,
    locations,
    failureThreshold: 2,
    retrySeconds: null,
    recoveryThreshold: 1,
    confirmationThreshold: locations.length,
  })
  database.states.set(monitorKey, {
    version: 1,
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
  })
}

export function addFailure(
  database: ModelDatabase,
  of: { monitorKey: number; atMs: number; locationId?: number },
): void {
  const { monitorKey, atMs, locationId = 1 } = of
  const round = atMs * 1000
  const failed = { status: 'down' as const, statusCode: 500, latencyMs: null, error: 'HTTP status 500' }
  const verdict = { ...failed, phases: noPhases, details: {} }
  const failure = { monitorKey, round, locationId, version: 1, verdict, isInMaintenance: false, storedMs: atMs }
  const results = database.results.get(monitorKey) ?? new Map()
  database.results.set(monitorKey, results.set(resultKey(monitorKey, round, locationId), failure))
}

/** An engine that takes the partition over when the test lets it read the backlog. */
export function takingOver(startMs: number, locations: string[]) {
  let nowMs = startMs
  let isAnswerLost = false
  let isBacklogLost = false
  let answering = Promise.resolve()
  const now = (): number => nowMs
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const database = interrupted(now, locations)
  const given = modelEngineStore(database)
  const backlogs: number[][] = []
  const readBacklog: typeof given.readBacklog = async (partitions) => {
    backlogs.push(partitions)
    const backlog = await given.readBacklog(partitions)
    await gate
    if (isBacklogLost) throw new Error('The connection broke.')
    return backlog
  }
  const pages: number[] = []
  const readWatchPage: typeof given.readWatchPage = async (wanted) => {
    const rows = await given.readWatchPage(wanted)
    pages.push(rows.length)
    return rows
  }
  const presence = createPresenceBook()
  const assigned: number[] = []
  const watchList = createWatchList({
    presence,
    isHeld: () => true,
    againUs: 1,
    assign: (_location, _prober, list) => assigned.push(...list.map(({ round }) => round)),
    onRound: () => {},
    onSkipped: () => {},
    onSelfMadeDue: () => {},
  })
  const options: CommitOptions = {
    store: {
      ...given,
      readBacklog,
      readWatchPage,
      transaction: async (work) => {
        const done = await given.transaction(work)
        await answering
        if (isAnswerLost) throw new Error('The connection broke.')
        return done
      },
    },
    watchList,
    changed: new Set(),
    readAgain: async () => {},
    locationIds: createLocationIds(given, now),
    leaseOf: () => ({ partition, epoch: 1 }),
    now,
    newId: randomUUID,
    witnessesOf: () => new Map(),
    evidence: new EvidenceKeeper({ keep: async () => {}, onLost: () => {}, time: systemTime }),
    views: new ViewKeeper({ keep: async () => {}, onLost: () => {}, time: systemTime }),
    onStored: () => {},
    onTurned: () => {},
    onParentDoubted: () => {},
    traces: null,
    onDecided: () => {},
    onRejected: () => {},
  }
  return {
    database,
    watchList,
    assigned,
    /** The number of rows of each page that was read. */
    pages,
    /** The partitions of each backlog that was read. */
    backlogs,
    open,
    commit: (list: readonly Result[]) => commitBatch(options, [...list], []),
    /** Folds the rounds whose deadline has passed. */
    settle: () => commitBatch(options, [], watchList.scheduler.expired(nowMs)),
    /** Commits are made, and answered when the function is called that it returns. */
    holdAnswers: (): (() => void) => {
      const { promise: held, resolve: answer } = Promise.withResolvers<void>()
      answering = held
      return answer
    },
    /** Commits are made, and their answers are lost. */
    loseAnswers: (isLost: boolean): void => {
      isAnswerLost = isLost
    },
    /** The backlog is asked for, and not answered. */
    loseBacklog: (isLost: boolean): void => {
      isBacklogLost = isLost
    },
    read: () => readPartitions(options, [partition], 'takeover'),
    compare: (partitions = [partition]) => readPartitions(options, partitions, 'compare'),
    readChanged: (ids: string[]) => readMonitors(options, [partition], ids),
    /** It is so late, and the scheduler has not looked yet. */
    reach: (atMs: number): void => {
      nowMs = atMs
    },
    tick: (atMs: number): void => {
      nowMs = atMs
      presence.note({ location, prober: 'p', isLeaving: false }, nowMs)
      watchList.scheduler.tick(nowMs)
    },
  }
}

export function failureOf({ round, location: code }: Pick<Result, 'round' | 'location'>): Result {
  const failed = { status: 'down', statusCode: 500, latencyMs: null, error: 'HTTP status 500' } as const
  return { monitorId: id, version: 1, round, location: code, verdict: { ...failed, phases: noPhases, details: {} } }
}
