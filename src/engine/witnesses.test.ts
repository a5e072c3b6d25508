import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPresenceBook } from '#engine/locations/presence.ts'
import { type EngineBench, engineBench, failing, locations, standingOf } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'

/** Three locations, the first two of them on one machine, and a monitor that two have to confirm. */
async function monitorOnTwoMachines(): Promise<{ bench: EngineBench; id: string }> {
  const bench = await engineBench({ online: [] })
  for (const location of locations)
    bench.announce(location, { witness: location === 'chennai' ? 'another machine' : 'one machine' })
  const thresholds = { failure_threshold: 1, recovery_threshold: 1, confirmation_threshold: 2 }
  const { id } = await createMonitor(bench.api, { interval_seconds: 10, locations, ...thresholds })
  return { bench, id }
}

describe('locations of one machine', { concurrency: 3 }, () => {
  it('confirm nothing to each other while another machine takes part', async () => {
    const { bench, id } = await monitorOnTwoMachines()
    for (const told of await bench.taken(id, locations))
      await bench.answer(told, told.location === 'chennai' ? {} : failing)
    await until('the round is folded', async () => (await standingOf(bench.database, id)).current_status !== 'pending')
    const { current_status: status, consecutive_failures: failures } = await standingOf(bench.database, id)
    assert.deepEqual([status, failures], ['degraded', 0])
    for (const told of await bench.taken(id, locations))
      await bench.answer(told, told.location === 'boston' ? {} : failing)
    await until('it is down', async () => (await standingOf(bench.database, id)).current_status === 'down')
  })

  it('are counted alike by an engine that takes over a round half answered', async () => {
    const { bench, id } = await monitorOnTwoMachines()
    const asked = await bench.taken(id, locations)
    for (const told of asked.filter(({ location }) => location !== 'chennai')) await bench.answer(told, failing)
    await bench.engine.stop()
    await bench.startAnother('second')
    assert.equal((await standingOf(bench.database, id)).consecutive_failures, 0)
    for (const told of asked.filter(({ location }) => location === 'chennai')) await bench.answer(told, failing)
    await until('it is down', async () => (await standingOf(bench.database, id)).current_status === 'down')
  })
})

describe('the book of probers', () => {
  it('knows the witness of the prober that checks a monitor', () => {
    const book = createPresenceBook()
    const ids = Array.from({ length: 50 }, (_, index) => `monitor ${index}`)
    book.note({ location: 'a', prober: 'p1', witness: 'x', isLeaving: false }, 0)
    book.note({ location: 'a', prober: 'p2', witness: 'y', isLeaving: false }, 0)
    book.note({ location: 'b', prober: 'p3', witness: 'x', isLeaving: false }, 0)
    book.note({ location: 'old', prober: 'p4', isLeaving: false }, 0)
    for (const id of ids) {
      const expected = book.proberFor('a', { id, needsBrowser: false }, 1) === 'p1' ? 'x' : 'y'
      const known = book.witnesses(['a', 'b', 'old', 'gone'], { id, needsBrowser: false }, 1)
      assert.deepEqual(Object.fromEntries(known), { a: expected, b: 'x', old: 'location old' })
    }
    assert.deepEqual([book.witnessOf('b', 1), book.witnessOf('old', 1)], ['x', 'location old'])
    assert.equal(book.witnessOf('b', 6_000), null, 'its prober was silent for six seconds')
  })
})
