import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type EngineBench, engineBench, failing, incidentsOf, standingOf } from '../../test/support/engine.ts'
import { addResults, createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'
import { nextDueAt } from '#core/monitors/schedule.ts'
import { createPresenceBook } from '#engine/locations/presence.ts'

type ClockedBench = EngineBench & {
  /** Both clocks go on while the process does nothing. */
  standStill: (ms: number) => void
  /** Somebody sets the clock. */
  jump: (ms: number) => void
  /** In seconds, as the database was told. */
  jumps: number[]
  /** What happens while the database is told. */
  whileNoted: () => void
}

/** An engine whose clocks the test moves. */
async function clockedBench(): Promise<ClockedBench> {
  let gapMs = 0
  let setMs = 0
  const jumps: number[] = []
  const bench = await engineBench({
    engineNow: () => Date.now() + gapMs + setMs,
    engineSteady: () => performance.now() + gapMs,
    onClockJump: async (ms) => {
      jumps.push(Math.round(ms / 1000))
      clocked.whileNoted()
    },
  })
  const clocked: ClockedBench = {
    ...bench,
    jumps,
    whileNoted: () => {},
    standStill: (ms) => (gapMs += ms),
    jump: (ms) => (setMs += ms),
  }
  return clocked
}

async function giveToAnother({ database }: EngineBench): Promise<void> {
  await database.pool.query(
    `update partitions set epoch = epoch + 1, owner = 'another', held_until = now() + interval '10 seconds'`,
  )
}

describe('an engine that stood still', { concurrency: 3 }, () => {
  it('asks for nothing and says nothing of what another has taken meanwhile', async () => {
    const bench = await clockedBench()
    const { id } = await createMonitor(bench.api, { interval_seconds: 10, locations: ['amsterdam'] })
    const [told] = await bench.taken(id, ['amsterdam'])
    assert.ok(told)
    const asked = bench.assignments.length
    await giveToAnother(bench)
    bench.standStill(30_000)
    await until('it knows', async () => bench.engine.partitions === 0)
    await assert.rejects(bench.answer(told, failing))
    assert.equal(bench.assignments.length, asked, 'no check was ordered')
    const stored = await bench.database.pool.query('select 1 from results')
    assert.equal(stored.rowCount, 0)
    assert.equal(bench.engine.watching, 0)
  })

  it('goes on with what it still holds, and names no round after a time that has passed', async () => {
    const bench = await clockedBench()
    const { id } = await createMonitor(bench.api, { interval_seconds: 10, locations: ['amsterdam'] })
    const [first] = await bench.taken(id, ['amsterdam'])
    assert.ok(first)
    await bench.answer(first, {})
    bench.standStill(3_600_000)
    const awokeMs = Date.now() + 3_600_000
    const [next] = await bench.taken(id, ['amsterdam'])
    assert.ok(next)
    assert.ok(next.round / 1000 >= awokeMs - 10_000, `${next.round / 1000} was ${awokeMs - next.round / 1000} ms ago`)
    await bench.answer(next, {})
    assert.equal((await standingOf(bench.database, id)).stored, 2)
  })
})

describe('an engine whose clock goes back', { concurrency: 3 }, () => {
  it('schedules anew by the time that it is, and folds nothing twice', async () => {
    const bench = await clockedBench()
    const { id } = await createMonitor(bench.api, {
      interval_seconds: 10,
      locations: ['amsterdam'],
      recovery_threshold: 1,
    })
    const [first] = await bench.taken(id, ['amsterdam'])
    assert.ok(first)
    await bench.answer(first, failing)
    assert.equal((await standingOf(bench.database, id)).current_status, 'down')
    bench.jump(-3_600_000)
    const [next] = await bench.taken(id, ['amsterdam'])
    assert.ok(next)
    assert.ok(Math.abs(next.round / 1000 - (Date.now() - 3_600_000)) < 15_000, 'it is named by the new time')
    await bench.answer(next, {})
    await until('it is up again', async () => (await standingOf(bench.database, id)).current_status === 'up')
    // An engine that takes over now finds a failure that was stored for a time to come, and was folded.
    await bench.engine.stop()
    await bench.startAnother('second')
    const standing = await standingOf(bench.database, id)
    assert.deepEqual([standing.current_status, standing.stored], ['up', 2])
    assert.equal((await incidentsOf(bench.database, id)).length, 1)
  })

  it('counts what it finds in a time that it comes through again', async () => {
    const bench = await clockedBench()
    const settings = { interval_seconds: 10, locations: ['amsterdam'] }
    const { id } = await createMonitor(bench.api, settings)
    const [first] = await bench.taken(id, ['amsterdam'])
    assert.ok(first)
    await bench.answer(first, {})
    // As if it had been checked at all of its times before that.
    const nextMs = nextDueAt(id, 10, new Date()).getTime()
    const times = Array.from({ length: 60 }, (_, place) => new Date(nextMs - (place + 1) * 10_000))
    await addResults(
      bench.database,
      id,
      times.map((at) => ({ at, location: 'amsterdam' })),
    )
    bench.jump(-300_000)
    const [next] = await bench.taken(id, ['amsterdam'])
    assert.ok(next)
    await bench.answer(next, failing)
    assert.equal((await standingOf(bench.database, id)).current_status, 'down')
  })

  it('follows a clock that jumps again before it has begun anew', async () => {
    const bench = await clockedBench()
    const { id } = await createMonitor(bench.api, { interval_seconds: 10, locations: ['amsterdam'] })
    const [first] = await bench.taken(id, ['amsterdam'])
    assert.ok(first)
    await bench.answer(first, {})
    bench.whileNoted = () => {
      bench.whileNoted = () => {}
      bench.jump(-600_000)
    }
    bench.jump(-3_600_000)
    const [next] = await bench.taken(id, ['amsterdam'])
    assert.ok(next)
    assert.ok(Math.abs(next.round / 1000 - (Date.now() - 4_200_000)) < 15_000, 'it is named by the newest time')
    assert.deepEqual(bench.jumps, [-3600, -600])
  })

  const hours = 3_600_000
  for (const jumpMs of [3 * hours + 5_000, -5 * hours - 5_000])
    it(`leaves out no round when the clock jumps by ${jumpMs / 1000} s, and takes nobody for unchecked`, async () => {
      const bench = await clockedBench()
      const turns = new Map<string, number[]>()
      bench.bus.onAssignments('amsterdam', 'amsterdam-1', (list) => {
        for (const { monitorId, version, round } of list) {
          turns.set(monitorId, [...(turns.get(monitorId) ?? []), performance.now()])
          void bench.answer({ monitorId, version, round, location: 'amsterdam' }, {}).catch(() => {})
        }
      })
      const made = Array.from({ length: 12 }, () =>
        createMonitor(bench.api, { interval_seconds: 10, locations: ['amsterdam'] }),
      )
      const ids = (await Promise.all(made)).map(({ id }) => id)
      const count = (id: string): number => turns.get(id)?.length ?? 0
      await until('each is checked twice', async () => ids.every((id) => count(id) >= 2), 30_000)
      const before = new Map(ids.map((id) => [id, count(id)]))
      bench.jump(jumpMs)
      await until('the engine goes on', async () => bench.jumps.length === 1)
      assert.deepEqual(bench.jumps, [jumpMs / 1000])
      await until('each is checked again', async () => ids.every((id) => count(id) > (before.get(id) ?? 0)), 30_000)
      for (const id of ids) {
        const times = turns.get(id) ?? []
        const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
        assert.ok(Math.max(...gaps) < 13_000, `its checks lay ${gaps.map(Math.round).join(', ')} ms apart`)
      }
      assert.equal(bench.engine.unchecked(), 0)
      assert.deepEqual(
        bench.warnings.filter((warning) => warning.startsWith('Monitors are not being checked')),
        [],
      )
    })

  it('takes probers that were heard by the old time for present, and no longer than others', () => {
    const book = createPresenceBook()
    book.note({ location: 'here', prober: 'p', isLeaving: false }, 3_600_000)
    assert.equal(book.isOnline('here', 1_000), true)
    assert.equal(book.isOnline('here', 6_999), true)
    assert.equal(book.isOnline('here', 7_000), false)
  })
})
