import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { phaseMs } from '#core/monitors/schedule.ts'
import { noPhases, type Result } from '#core/results/result.ts'
import { toleratedJumpMs } from '#engine/clock-watch.ts'
import { createLocationIds } from '#engine/locations/location-ids.ts'
import { createPresenceBook } from '#engine/locations/presence.ts'
import { commitBatch, type CommitOptions } from '#engine/results/commit-batch.ts'
import { EvidenceKeeper } from '#engine/results/evidence-keeper.ts'
import { createWatchList } from '#engine/rounds/watch-list.ts'
import { resultKey } from '#store/results/store-batch.ts'
import { watchRowsAtOnce } from '#store/monitors/watch-rows.ts'
import { systemTime } from '#time/time.ts'
import { ModelDatabase } from '../../../test/simulation/model-database.ts'
import { modelEngineStore } from '../../../test/simulation/model-engine-store.ts'
import { readMonitors, readPartitions } from './read-into-memory.ts'

const [id, otherId] = ['00000000-0001-4000-8000-000000000005', '00000000-0001-4000-8000-000000000045']
const partition = 5
const [key, otherKey, location] = [1, 2, 'amsterdam']
const startedMs = Date.parse('2031-03-14T12:00:00Z') + phaseMs(id, 60_000)

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
function addMonitor(
  database: ModelDatabase,
  { id: monitorId, key: monitorKey, locations }: { id: string; key: number; locations: string[] },
): void {
  database.monitors.set(monitorKey, {
    id: monitorId,
    key: monitorKey,
    partition,
    workspaceId: randomUUID(),
    name: 'Shop',
    url: 'https://shop.example/',
    isEnabled: true,
    kind: 'http',
    version: 1,
    intervalSeconds: 60,
    timeoutMs: 10_000,
    graceSeconds: 0,
    locations,
    failureThreshold: 2,
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
  })
}

function addFailure(database: ModelDatabase, of: { monitorKey: number; atMs: number; locationId?: number }): void {
  const { monitorKey, atMs, locationId = 1 } = of
  const round = atMs * 1000
  const failed = { status: 'down' as const, statusCode: 500, latencyMs: null, error: 'HTTP status 500' }
  const verdict = { ...failed, phases: noPhases, details: {} }
  const failure = { monitorKey, round, locationId, version: 1, verdict, isInMaintenance: false, storedMs: atMs }
  const results = database.results.get(monitorKey) ?? new Map()
  database.results.set(monitorKey, results.set(resultKey(monitorKey, round, locationId), failure))
}

/** An engine that takes the partition over when the test lets it read the backlog. */
function takingOver(startMs: number, locations: string[]) {
  let nowMs = startMs
  let isAnswerLost = false
  let isBacklogLost = false
  let answering = Promise.resolve()
  const now = (): number => nowMs
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const database = interrupted(now, locations)
  const given = modelEngineStore(database)
  const readBacklog: typeof given.readBacklog = async (partitions) => {
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
    open,
    commit: (list: readonly Result[]) => commitBatch(options, [...list], []),
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
    compare: () => readPartitions(options, [partition], 'compare'),
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

function failureOf({ round, location: code }: Pick<Result, 'round' | 'location'>): Result {
  const failed = { status: 'down', statusCode: 500, latencyMs: null, error: 'HTTP status 500' } as const
  return { monitorId: id, version: 1, round, location: code, verdict: { ...failed, phases: noPhases, details: {} } }
}

describe('a takeover', () => {
  it('folds what was stored before it begins a round, however long that takes to read', async () => {
    const { watchList, assigned, open, read, tick } = takingOver(startedMs + 65_000, [location])
    const reading = read()
    for (let seconds = 65; seconds <= 125; seconds += 1) {
      tick(startedMs + seconds * 1_000)
      await Promise.resolve()
    }
    assert.deepEqual(assigned, [], 'no round begins while the backlog is read')
    open()
    await reading
    assert.equal(watchList.byId(id)?.standing.failures, 1, 'the stored failure counts')
    for (let seconds = 126; seconds <= 190; seconds += 1) tick(startedMs + seconds * 1_000)
    assert.ok(assigned.length > 0, 'rounds begin afterwards')
  })

  it('waits for no round of a time to come, from which the clock went back', async () => {
    const { database, watchList, assigned, open, read, tick } = takingOver(startedMs - 600_000, [location, 'boston'])
    open()
    await read()
    assert.equal(watchList.byId(id)?.open, null)
    const storedRound = (startedMs + 60_000) * 1000
    assert.equal(watchList.byId(id)?.foldedUntil, storedRound, 'the round of then gets another name')
    for (let seconds = 0; seconds <= 70; seconds += 1) tick(startedMs - 600_000 + seconds * 1_000)
    assert.ok(assigned.length > 0, 'the monitor is checked')
    const left = await modelEngineStore(database).readBacklog([partition])
    assert.deepEqual(left, [], 'no engine folds that result when its time comes')
  })

  it('begins anew with what the database holds where it does not know whether its fold was committed', async () => {
    const { watchList, open, read, loseAnswers } = takingOver(startedMs + 90_000, [location])
    open()
    loseAnswers(true)
    await assert.rejects(read())
    loseAnswers(false)
    await read()
    assert.equal(watchList.byId(id)?.standing.failures, 1)
  })

  it('that failed half-way only stores what comes, which the next attempt folds after what came before', async () => {
    const { database, watchList, open, read, commit, loseBacklog } = takingOver(startedMs + 125_000, [location])
    open()
    loseBacklog(true)
    await assert.rejects(read())
    loseBacklog(false)
    await commit([failureOf({ round: (startedMs + 120_000) * 1000, location })])
    assert.equal(database.results.get(key)?.size, 2, 'it is stored')
    assert.equal(database.states.get(key)?.failures, 0, 'it is not folded')
    await read()
    assert.equal(watchList.byId(id)?.standing.failures, 2)
    assert.equal(database.incidents.size, 1)
  })

  it('folds a round once whose first results are being stored while it begins here', async () => {
    const both = [location, 'boston']
    const { database, watchList, open, read, tick, reach, commit, holdAnswers } = takingOver(startedMs + 90_000, both)
    database.locations.set('boston', 2)
    open()
    await read()
    const before = watchList.byId(id)?.standing.failures ?? 0
    const round = (startedMs + 120_000) * 1000
    tick(startedMs + 119_000)
    reach(startedMs + 120_500)
    const answer = holdAnswers()
    const committing = commit(both.map((each) => failureOf({ round, location: each })))
    await new Promise((resolve) => setImmediate(resolve))
    tick(startedMs + 121_000)
    assert.equal(watchList.byId(id)?.open?.time, round, 'it began meanwhile')
    answer()
    await committing
    assert.equal(watchList.byId(id)?.standing.failures, before + 1)
    assert.equal(watchList.byId(id)?.open, null)
  })

  it('folds what an engine stored whose clock is as far ahead as clocks may be, and nothing beyond', async () => {
    const { database, watchList, open, read } = takingOver(startedMs + 60_000 - toleratedJumpMs, [location])
    addMonitor(database, { id: otherId, key: otherKey, locations: [location] })
    addFailure(database, { monitorKey: otherKey, atMs: startedMs + 60_001 })
    open()
    await read()
    assert.deepEqual([watchList.byId(id)?.standing.failures, watchList.byId(otherId)?.standing.failures], [1, 0])
  })

  it('folds every round with all that was stored of it, and of no other monitor', async () => {
    const both = [location, 'boston']
    const { database, watchList, open, read } = takingOver(startedMs + 205_000, both)
    database.locations.set('boston', 2)
    addMonitor(database, { id: otherId, key: otherKey, locations: both })
    for (const monitorKey of [key, otherKey])
      for (const locationId of [1, 2])
        for (const atMs of [60_000, 120_000, 180_000])
          addFailure(database, { monitorKey, atMs: startedMs + atMs, locationId })
    open()
    await read()
    assert.deepEqual([watchList.byId(id)?.standing.failures, watchList.byId(otherId)?.standing.failures], [3, 3])
    assert.equal(database.incidents.size, 2)
  })
})

describe('more monitors than are read at once', () => {
  it('are all taken over and compared, in pages of a bounded size, and those that are gone are forgotten', async () => {
    const count = 2 * watchRowsAtOnce
    const { database, watchList, open, read, compare, pages } = takingOver(startedMs + 65_000, [location])
    for (let added = 1; added < count; added += 1)
      addMonitor(database, { id: randomUUID(), key: key + added, locations: [location] })
    open()
    await read()
    assert.equal(watchList.size, count)
    assert.equal(watchList.scheduler.scheduled, count)
    database.monitors.delete(key + count - 1)
    await compare()
    assert.equal(watchList.size, count - 1)
    assert.deepEqual(pages, [watchRowsAtOnce, watchRowsAtOnce, 0, watchRowsAtOnce, watchRowsAtOnce - 1])
  })
})

describe('what is read anew', () => {
  it('leaves a stored round alone while a later one is open', async () => {
    const { database, watchList, open, read, compare, tick } = takingOver(startedMs + 90_000, [location])
    open()
    await read()
    tick(startedMs + 120_000)
    addFailure(database, { monitorKey: key, atMs: startedMs + 110_000 })
    await compare()
    const watched = watchList.byId(id)
    assert.deepEqual([watched?.standing.failures, watched?.open?.round.waiting], [1, [location]])
  })

  it('is watched no more where it is gone or paused, and the rest is watched as before', async () => {
    const { database, watchList, open, read, compare, readChanged } = takingOver(startedMs + 90_000, [location])
    const isEnabled = (is: boolean): void => {
      const monitor = database.monitors.get(otherKey)
      if (monitor !== undefined) monitor.isEnabled = is
    }
    addMonitor(database, { id: otherId, key: otherKey, locations: [location] })
    open()
    await read()
    const watched = watchList.byId(id)
    for (const readAgain of [compare, () => readChanged([id, otherId])]) {
      isEnabled(true)
      await compare()
      assert.equal(watchList.size, 2)
      isEnabled(false)
      await readAgain()
      assert.deepEqual([watchList.size, watchList.byId(id)], [1, watched])
    }
  })
})
