import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it, type TestContext } from 'node:test'
import { createCallStore } from '#store/call-store.ts'
import { areCallsAwaited, callIntakeWordMs } from '#store/monitors/calls.ts'
import { testApi } from '../../test/support/api.ts'
import { testDatabase } from '../../test/support/database.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'
import { keepCallIntake } from './call-intake.ts'
import { createSecrets } from '#store/database/secrets.ts'

describe('the intake of calls', async () => {
  let areCallsKept = true
  const ends: (() => Promise<void>)[] = []
  after(async () => {
    for (const end of ends) await end()
  })
  const database = await testDatabase()
  const store = createCallStore(database, createSecrets(randomBytes(32)))

  async function silentSeconds(): Promise<number> {
    const { rows } = await database.pool.query<{ seconds: number }>(
      'select extract(epoch from now() - max(seen_at))::float8 as seconds from intakes',
    )
    return rows[0]?.seconds ?? assert.fail()
  }

  async function lastWord(): Promise<Date> {
    const { rows } = await database.pool.query<{ at: Date }>('select max(seen_at) as at from intakes')
    return rows[0]?.at ?? assert.fail()
  }

  it('is said to be open while calls can be kept, and only then', async () => {
    const log = { info: (): void => {}, warn: (message: string): void => assert.fail(message) }
    const end = await keepCallIntake({ store, areCallsKept: () => areCallsKept, wasCallLost: () => false, log })
    ends.push(end)
    const first = await lastWord()
    await until('it is said again', async () => (await lastWord()) > first)
    areCallsKept = false
    await until('it is said no more', async () => (await silentSeconds()) > 3)
    areCallsKept = true
    await until('it is said once more', async () => (await silentSeconds()) < 1)
    areCallsKept = false
  })

  it('counts as closed from the moment that it ends, also for deadlines that pass while the process does', async () => {
    await database.pool.query('delete from intakes')
    const log = { info: (): void => {}, warn: (message: string): void => assert.fail(message) }
    const end = await keepCallIntake({ store, areCallsKept: () => true, wasCallLost: () => false, log })
    assert.ok((await silentSeconds()) < callIntakeWordMs / 1000)
    await end()
    assert.ok((await silentSeconds()) >= callIntakeWordMs / 1000)
  })
})

describe('the intake of calls of the only process', async () => {
  const database = await testDatabase()
  const store = createCallStore(database, createSecrets(randomBytes(32)))

  /** Whose looks the test makes, so many seconds after the one before. */
  async function intake(t: TestContext, monitors: { isOneCalled: boolean }) {
    const words: (number | null)[] = []
    const gaps: unknown[] = []
    let steadyMs = 0
    let look: (() => void) | null = null
    const end = await keepCallIntake({
      name: t.name,
      store: {
        ...store,
        noteCallIntake: (word) => {
          words.push(word.sinceLastSeconds())
          return store.noteCallIntake(word)
        },
      },
      areCallsKept: () => true,
      wasCallLost: () => false,
      areCallsAwaited: async () => monitors.isOneCalled,
      log: {
        info: (_, details) => void gaps.push(details?.['seconds']),
        warn: (message) => assert.fail(message),
      },
      time: {
        steadyMs: () => steadyMs,
        every: (_, work) => {
          look = work
          return () => {}
        },
      },
    })
    gaps.length = 0
    t.after(end)
    const lookAfter = (seconds: number): void => {
      steadyMs += seconds * 1000
      look?.()
    }
    return { words, gaps, lookAfter }
  }

  it('is said at every fifth look while no monitor is called, and no gap is told for that', async (t) => {
    const { words, gaps, lookAfter } = await intake(t, { isOneCalled: false })
    await putBackWords(5)
    for (let looks = 0; looks < 4; looks += 1) lookAfter(1)
    assert.equal(words.length, 1)
    lookAfter(1)
    await until('the word is given', async () => (await lastWordAgo()) < 4)
    assert.deepEqual({ words, gaps }, { words: [null, 1], gaps: [] })
  })

  it('is said at every look from then on, once a monitor is called', async (t) => {
    const monitors = { isOneCalled: false }
    const { words, lookAfter } = await intake(t, monitors)
    monitors.isOneCalled = true
    for (let looks = 1; looks <= 7; looks += 1) {
      await putBackWords(5)
      lookAfter(1)
      if (looks >= 5) await until(`word ${looks}`, async () => (await lastWordAgo()) < 4)
    }
    assert.equal(words.length, 4)
  })

  it('tells the gap where the process stood still at rest', async (t) => {
    const { words, gaps, lookAfter } = await intake(t, { isOneCalled: false })
    lookAfter(1)
    await putBackWords(10)
    lookAfter(4)
    await until('the gap is told', () => gaps.length > 0)
    assert.deepEqual({ words, gaps }, { words: [null, 4], gaps: [4] })
  })

  function putBackWords(seconds: number): Promise<unknown> {
    return database.pool.query('update intakes set seen_at = now() - make_interval(secs => $1)', [seconds])
  }

  async function lastWordAgo(): Promise<number> {
    const { rows } = await database.pool.query<{ seconds: number }>(
      'select extract(epoch from now() - max(seen_at))::float8 as seconds from intakes',
    )
    return rows[0]?.seconds ?? assert.fail()
  }
})

it('calls are awaited where a monitor is called', async () => {
  const api = await testApi()
  assert.equal(await areCallsAwaited(api.database), false)
  await createMonitor(api, { kind: 'heartbeat', url: null })
  assert.equal(await areCallsAwaited(api.database), true)
})
