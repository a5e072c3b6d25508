import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { randomUUID } from 'node:crypto'
import { toleratedJumpMs } from '#engine/clock-watch.ts'
import { LeaseLostError } from '#store/results/store-batch.ts'
import { watchRowsAtOnce } from '#store/monitors/watch-rows.ts'
import { modelEngineStore } from '../../../test/simulation/model-engine-store.ts'
import {
  addFailure,
  addMonitor,
  failureOf,
  id,
  key,
  location,
  otherId,
  otherKey,
  partition,
  startedMs,
  takingOver,
} from '../../../test/support/taking-over.ts'

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

  it('keeps nothing from folds that another engine holds by now', async () => {
    const { database, open, read } = takingOver(startedMs - 600_000, [location, 'boston'])
    database.partitions[partition] = { owner: 'another', epoch: 2, heldUntilMs: Infinity }
    open()
    await assert.rejects(read(), LeaseLostError)
    const left = await modelEngineStore(database).readBacklog([partition])
    assert.equal(left.length, 1, 'the engine that holds it may fold the result')
  })

  it('forgets an open round of a time to come, whose results no fold counts', async () => {
    const { database, watchList, open, read, compare, reach, commit } = takingOver(startedMs + 90_000, [
      location,
      'boston',
    ])
    open()
    await read()
    reach(startedMs + 121_000)
    await commit([failureOf({ round: (startedMs + 120_000) * 1000, location })])
    assert.notEqual(watchList.byId(id)?.open, null)
    reach(startedMs - 600_000)
    await compare()
    assert.equal(watchList.byId(id)?.open, null)
    assert.deepEqual(await modelEngineStore(database).readBacklog([partition]), [])
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

describe('the backlogs of partitions', () => {
  it('are read together where their monitors are few', async () => {
    const { database, open, compare, backlogs } = takingOver(startedMs + 65_000, [location])
    for (let added = 1; added <= 1_300; added += 1) {
      const at = added <= 600 ? 7 : 9
      const monitorId = `${randomUUID().slice(0, -2)}0${at}`
      addMonitor(database, { id: monitorId, key: key + added, locations: [location], partition: at })
    }
    open()
    await compare([4, 5, 6, 7, 8, 9, 10])
    assert.deepEqual(backlogs, [
      [4, 5, 6, 7, 8],
      [9, 10],
    ])
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
