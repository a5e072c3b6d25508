import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { standingOf } from '../../test/support/engine.ts'
import { type EngineBench, engineBench, incidentsOf } from '../../test/support/engine.ts'
import { aheadOf, createHeartbeat, passDeadline } from '../../test/support/heartbeat.ts'
import { until } from '../../test/support/until.ts'
import { unstoring, unstoringDatabase } from '../../test/support/unstoring-database.ts'
import { createCallStore } from '#store/call-store.ts'
import type { Database } from '#store/database/database.ts'
import { type CallIntakeOptions, keepCallIntake, rememberLostCalls } from './call-intake.ts'
import { createSecrets } from '#store/database/secrets.ts'

const graceSeconds = 45

async function keepIntake({
  database,
  ...options
}: { database: Database } & Partial<CallIntakeOptions>): Promise<string[]> {
  const warnings: string[] = []
  const log = { info: (): void => {}, warn: (message: string): void => void warnings.push(message) }
  const ends: (() => Promise<void>)[] = []
  after(async () => {
    for (const end of ends) await end()
  })
  const store = createCallStore(database, createSecrets(randomBytes(32)))
  ends.push(await keepCallIntake({ store, areCallsKept: () => true, wasCallLost: () => false, log, ...options }))
  return warnings
}

/** Counts how often the engine looks at deadlines that have passed. */
function watchLooks(bench: EngineBench): () => number {
  let looks = 0
  bench.bus.hasHeard = async () => {
    looks += 1
    return true
  }
  return () => looks
}

describe('while calls cannot be stored', () => {
  for (const { what, says: _, ...setting } of unstoring)
    it(`because the database ${what}, a deadline is put off by that time and one grace`, async () => {
      const bench = await engineBench()
      const looks = watchLooks(bench)
      const { database, begin, end } = unstoringDatabase(bench.database, setting)
      const { id, call } = await createHeartbeat(bench, {
        failure_threshold: 1,
        heartbeat_grace_seconds: graceSeconds,
      })
      await call()
      const warnings = await keepIntake({ database })
      await begin()
      await until('the intake is known to fail', () => warnings.length > 0)
      await passDeadline(bench, id, 0)
      const before = looks()
      await until('the engine has looked, and looked again', () => looks() >= before + 3)
      await end()
      await until('it is put off', async () => (await aheadOf(bench, id)) > graceSeconds)
      assert.ok((await aheadOf(bench, id)) < graceSeconds + 30)
      assert.equal((await standingOf(bench.database, id)).current_status, 'up')
      assert.deepEqual(await incidentsOf(bench.database, id), [])
      assert.deepEqual(warnings, ['The state of the call intake could not be stored.'])
    })

  it('although the database stores other things, a deadline that was near is put off by one grace', async () => {
    const bench = await engineBench()
    const { noteLostCall, wasCallLost } = rememberLostCalls()
    const { id, call } = await createHeartbeat(bench, { heartbeat_grace_seconds: graceSeconds })
    await call()
    await keepIntake({ database: bench.database, wasCallLost })
    await passDeadline(bench, id, -20)
    await until('it is near', async () => (await aheadOf(bench, id)) < 20)
    noteLostCall()
    await until('it is put off', async () => (await aheadOf(bench, id)) > graceSeconds - 1)
    assert.equal(wasCallLost(), false, 'it was told once')
  })
})

describe('a call that is turned away while the word of its process waits for the database', () => {
  it('is known to that word already', async () => {
    const bench = await engineBench()
    const { database } = unstoringDatabase(bench.database, unstoring[0])
    const { noteLostCall, wasCallLost } = rememberLostCalls()
    const { id, call } = await createHeartbeat(bench, { heartbeat_grace_seconds: graceSeconds })
    await call()
    await keepIntake({ database, wasCallLost })
    await passDeadline(bench, id, -20)
    await until('it is near', async () => (await aheadOf(bench, id)) < 20)
    const only = await database.pool.connect()
    const before = await lastWord(bench)
    await until('a word waits', () => database.pool.waitingCount > 0)
    noteLostCall()
    only.release()
    let word = before
    await until('it is given', async () => (word = await lastWord(bench)).at > before.at)
    assert.ok(word.aheadSeconds > graceSeconds - 1, `the deadline is ${word.aheadSeconds} s ahead`)
  })
})

/** When it was given, and how far away the only deadline was then. */
async function lastWord({ database }: EngineBench): Promise<{ at: Date; aheadSeconds: number }> {
  const { rows } = await database.pool.query<{ at: Date; aheadSeconds: number }>(
    `select seen_at as at, extract(epoch from deadline_at - seen_at)::float8 as "aheadSeconds"
    from intakes
    cross join monitor_state`,
  )
  return rows[0] ?? assert.fail()
}

describe('an intake that begins without room on the disk', () => {
  it('is open once there is some', async () => {
    const bench = await engineBench()
    const [, fullDisk] = unstoring
    const { database, begin, end } = unstoringDatabase(bench.database, fullDisk)
    await begin()
    const warnings = await keepIntake({ database })
    assert.equal(warnings.length, 1)
    await end()
    await until('it is noted', async () => (await bench.database.pool.query('select from intakes')).rowCount === 1)
  })
})
