import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { createCommits } from '#store/database/commits.ts'
import { runWhatWaits } from './look.ts'
import type { Chore } from './timer.ts'

const refuse = (): Promise<never> => Promise.reject(new Error('no such table'))
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

describe('chores that wait for work', async () => {
  // Undone in the order of their making: the looks have to stop before their database goes.
  const ends: (() => Promise<void>)[] = []
  after(async () => {
    for (const end of ends) await end()
  })
  const database = await testDatabase({ maxConnections: 3 })
  const start = (chores: readonly Chore[], options: Partial<Parameters<typeof runWhatWaits>[1]> = {}) => {
    const looking = { database, now: () => new Date(), log: silent, onJobs: () => {}, commits: null, ...options }
    const running = runWhatWaits(chores, looking)
    ends.push(running.stop)
    return running
  }
  const wait = (product: string): Promise<unknown> =>
    database.pool.query('insert into match_queue (product) values ($1) on conflict do nothing', [product])
  const forget = (): Promise<unknown> => database.pool.query('delete from match_queue')

  /** When it looked, where each look finds this. */
  const looksThatFind = (found: { waiting: string[]; is_soon: boolean }) => {
    const commits = createCommits()
    const looks: number[] = []
    const query = async (): Promise<unknown> => {
      looks.push(performance.now())
      return { rows: [found] }
    }
    // @ts-expect-error -- Of a pool, a look uses `query` alone.
    const { stop } = start([], { database: { pool: { query } }, commits })
    const gaps = (): number[] => looks.slice(1).map((atMs, index) => atMs - (looks[index] ?? 0))
    return { commits, looks, gaps, stop }
  }

  it('run once at the start, and again only when work waits', async () => {
    const runs: string[] = []
    const chore = (name: string): Chore => ({ name, everyMs: 1, run: async () => void runs.push(name) })
    const { stop } = start([chore('match_software'), chore('tell_findings')])
    await until('both', () => runs.length === 2)
    const seen = countLooks(database)
    await until('three looks', () => seen() >= 3)
    assert.deepEqual(runs.toSorted(), ['match_software', 'tell_findings'])
    await wait('nginx')
    await until('two more', () => runs.length >= 4)
    await stop()
    await forget()
    assert.deepEqual(new Set(runs.slice(2)), new Set(['match_software']))
  })

  it('rest for as long as they say, while work goes on waiting', async () => {
    const began: number[] = []
    await wait('php')
    const run = async (): Promise<void> => void began.push(performance.now())
    const { stop } = start([{ name: 'match_software', everyMs: 700, run }])
    await until('three runs', () => began.length === 3)
    await stop()
    await forget()
    const [first = 0, second = 0, third = 0] = began
    assert.ok(second - first >= 700 && third - second >= 700, String(began))
  })

  it('never run twice at the same time, and a stop waits for what runs', async () => {
    await wait('perl')
    let running = 0
    let most = 0
    let runs = 0
    const { promise: goOn, resolve: end } = Promise.withResolvers<void>()
    const run = async (): Promise<void> => {
      running += 1
      runs += 1
      most = Math.max(most, running)
      await goOn
      running -= 1
    }
    const { stop } = start([{ name: 'match_software', everyMs: 1, run }])
    await until('a run', () => runs === 1)
    const seen = countLooks(database)
    await until('two looks', () => seen() >= 2)
    const stopped = stop()
    end()
    await stopped
    await forget()
    assert.deepEqual({ running, most, runs }, { running: 0, most: 1, runs: 1 })
  })

  it('run again after a failure, which is logged with their name', async () => {
    const warned: unknown[] = []
    let runs = 0
    const run = async (): Promise<void> => {
      runs += 1
      if (runs === 1) throw new Error('no luck')
    }
    const log = {
      ...silent,
      warn: (_: string, details?: Record<string, unknown>) => void warned.push(details?.['task']),
    }
    const { stop } = start([{ name: 'tell_expiries', everyMs: 1, run }], { log })
    await until('a second run', () => runs === 2)
    await stop()
    assert.deepEqual(warned, ['tell_expiries'])
  })

  it('run unasked also where no look succeeds', async () => {
    let runs = 0
    const run = async (): Promise<void> => void (runs += 1)
    // @ts-expect-error -- Of a pool, a look uses `query` alone.
    const { stop } = start([{ name: 'tell_expiries', everyMs: 1, run }], { database: { pool: { query: refuse } } })
    await until('a run', () => runs === 1)
    await stop()
  })

  it('leave a database alone for a second that did not answer, and look again', async () => {
    const warned: unknown[] = []
    let asked = 0
    const query = async (): Promise<unknown> => {
      asked += 1
      if (asked === 1) throw new Error('gone')
      return { rows: [{ waiting: ['jobs'] }] }
    }
    let hurried = 0
    const log = {
      ...silent,
      warn: (_: string, details?: Record<string, unknown>) => void warned.push(details?.['task']),
    }
    // @ts-expect-error -- Of a pool, a look uses `query` alone.
    const { stop } = start([], { database: { pool: { query } }, log, onJobs: () => void (hurried += 1) })
    await until('jobs', () => hurried > 0)
    await stop()
    assert.deepEqual(warned, ['look_for_work'])
  })

  describe('in the only process that writes', { concurrency: true }, () => {
    const nothing = { waiting: [], is_soon: false }

    it('are looked for again after five seconds, where nothing waits', async () => {
      const { looks, gaps, stop } = looksThatFind(nothing)
      await until('a third look', () => looks.length === 3)
      await stop()
      const [, rest = 0] = gaps()
      assert.ok(rest >= 4_900, String(gaps()))
    })

    it('are looked for at once when it has written something, and twice', async () => {
      const { commits, looks, gaps, stop } = looksThatFind(nothing)
      await until('two looks', () => looks.length === 2)
      await until('a rest', () => performance.now() - (looks[1] ?? 0) > 600)
      commits.note()
      await until('two more', () => looks.length === 4)
      await stop()
      const [, rest = 0, next = 0] = gaps()
      assert.ok(rest < 4_900 && next < 4_900, String(gaps()))
    })

    for (const [name, found] of [
      ['something waits', { ...nothing, waiting: ['tell_status'] }],
      ['something is due soon', { ...nothing, is_soon: true }],
    ] as const)
      it(`are looked for without a rest while ${name}`, async () => {
        const { looks, gaps, stop } = looksThatFind({ ...found, waiting: [...found.waiting] })
        await until('five looks', () => looks.length === 5)
        await stop()
        assert.ok(Math.max(...gaps()) < 4_900, String(gaps()))
      })
  })
})

/** How many looks the database has had since. */
function countLooks({ pool }: Awaited<ReturnType<typeof testDatabase>>): () => number {
  let looks = 0
  pool.on('acquire', () => {
    looks += 1
  })
  return () => looks
}
