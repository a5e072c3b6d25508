import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { clockedDatabase, setClock } from '../../../test/support/clocked-database.ts'
import { addResults, createMonitor } from '../../../test/support/monitors.ts'
import { until } from '../../../test/support/until.ts'
import { lockCallIntake, noteCallIntake } from '#store/monitors/calls.ts'
import type { Database } from '#store/database/database.ts'
import { followClockJumps, noteClockJump } from './own-troubles.ts'

const hours = 3_600
const grace = 45

/** A heartbeat that was called a while ago and whose next call is missed in a hundred seconds. */
async function heartbeatOn(
  database: Database,
): Promise<{ id: string; ahead: () => Promise<number>; calledNow: () => Promise<void> }> {
  const api = await testApi({ database, locations: [{ code: 'ams', name: 'Amsterdam' }] })
  const input = { kind: 'heartbeat', url: undefined, heartbeat_grace_seconds: grace, locations: ['ams'] }
  const { id } = await createMonitor(api, input)
  const set = async (calledAgo: number): Promise<void> => {
    await database.pool.query(
      `update monitor_state
      set last_checked_at = now() - make_interval(secs => $1), deadline_at = now() + interval '100 s'`,
      [calledAgo],
    )
  }
  await set(200)
  return {
    id,
    ahead: async () => {
      const { rows } = await database.pool.query<{ ahead: number }>(
        'select extract(epoch from deadline_at - now())::float8 as ahead from monitor_state',
      )
      return rows[0]?.ahead ?? assert.fail('it has no deadline')
    },
    calledNow: () => set(0),
  }
}

/** The word of a process that gave its last one a second ago. */
function say(database: Database): Promise<number | null> {
  return noteCallIntake(database, { name: 'here', isFirst: () => false, sinceLastSeconds: () => 1 })
}

function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 15, `${actual} s instead of ${expected}`)
}

for (const jump of [3 * hours, -5 * hours])
  describe(`a jump of the clock by ${jump} s`, () => {
    it('moves each deadline once, however many engines notice it, and the next jump moves it again', async () => {
      const database = await clockedDatabase()
      const { ahead } = await heartbeatOn(database)
      await setClock(database, jump)
      await Promise.all([jump, jump + 1, jump].map((seconds) => noteClockJump(database, seconds)))
      assertNear(await ahead(), 100)
      await setClock(database, 2 * jump)
      await noteClockJump(database, jump)
      assertNear(await ahead(), 100)
      await setClock(database, 0)
      await noteClockJump(database, -2 * jump)
      assertNear(await ahead(), 100)
    })

    it('leaves calls of the new time to be folded, and those of a time to come to none', async () => {
      const database = await clockedDatabase()
      const { id } = await heartbeatOn(database)
      await database.pool.query('update monitor_state set round_at = now()')
      await addResults(database, id, [{ at: new Date() }])
      await setClock(database, jump)
      await noteClockJump(database, jump)
      const found = await database.pool.query('select from monitor_state where round_at <= now()')
      assert.equal(found.rowCount, 1)
      const { rows } = await database.pool.query<{ version: number }>('select version from results')
      assert.deepEqual(rows, [{ version: jump < 0 ? 0 : 1 }])
    })

    it('moves each deadline once, also where an engine that stood still notices it late', async () => {
      const database = await clockedDatabase()
      const { ahead } = await heartbeatOn(database)
      const [noteOfOne, noteOfOther] = [await followClockJumps(database), await followClockJumps(database)]
      await setClock(database, jump)
      await noteOfOne(jump)
      assertNear(await ahead(), 100)
      await setClock(database, jump + 90)
      await noteOfOther(jump)
      assertNear(await ahead(), 10)
      await setClock(database, 2 * jump + 90)
      await noteOfOther(jump)
      assertNear(await ahead(), grace)
      await setClock(database, 2 * jump + 170)
      await noteOfOne(jump)
      assertNear(await ahead(), grace - 80)
    })

    for (const isEngineNew of [false, true])
      it(`moves what an engine wrote late by the former time, once ${isEngineNew ? 'one begins' : 'it notices, too'}`, async () => {
        const database = await clockedDatabase()
        const { id, ahead } = await heartbeatOn(database)
        const noteOfOther = await followClockJumps(database)
        await setClock(database, jump)
        await noteClockJump(database, jump)
        await database.pool.query(
          `update monitor_state
          set last_checked_at = called.at, round_at = called.at, deadline_at = called.at + interval '60 s'
          from (select now() - make_interval(secs => $1) as at) as called`,
          [jump],
        )
        await addResults(database, id, [{ at: new Date() }])
        if (isEngineNew) await followClockJumps(database)
        else await noteOfOther(jump)
        // A new engine cannot know what was written by a time that is over.
        if (jump > 0 && isEngineNew) return assertNear(await ahead(), 60 - jump)
        assertNear(await ahead(), 60)
        await followClockJumps(database)
        assertNear(await ahead(), 60)
        const found = await database.pool.query('select from monitor_state where round_at <= now()')
        assert.equal(found.rowCount, 1)
      })

    for (const isWordFirst of [true, false])
      it(`is no gap in the intake of calls, when that speaks ${isWordFirst ? 'before' : 'after'} the engine`, async () => {
        const database = await clockedDatabase()
        const { ahead } = await heartbeatOn(database)
        await say(database)
        await setClock(database, jump)
        if (isWordFirst) assert.equal(await say(database), null)
        await noteClockJump(database, jump)
        assert.equal(await say(database), null)
        assertNear(await ahead(), 100)
      })

    it('moves no deadline that followed from a call of the new time, and leaves each a grace', async () => {
      const database = await clockedDatabase()
      const { ahead, calledNow } = await heartbeatOn(database)
      await setClock(database, jump)
      await calledNow()
      await noteClockJump(database, jump)
      assertNear(await ahead(), 100)
      await database.pool.query(
        `update monitor_state set last_checked_at = now() - interval '1 day', deadline_at = now() + interval '1 s'`,
      )
      await setClock(database, 0)
      await noteClockJump(database, -jump)
      assertNear(await ahead(), grace)
    })

    it('moves no deadline that followed from a call while an engine waited for its turn', async () => {
      const database = await clockedDatabase()
      const { ahead, calledNow } = await heartbeatOn(database)
      await setClock(database, jump)
      const noted = await database.transaction(async ({ client }) => {
        await lockCallIntake(client)
        const noting = noteClockJump(database, jump)
        await untilWaiting(database)
        await calledNow()
        return { noting }
      })
      await noted.noting
      assertNear(await ahead(), 100)
    })
  })

/** Until somebody waits for the lock of the intakes. */
async function untilWaiting({ pool }: Database): Promise<void> {
  await until('the engine waits', async () => {
    const { rowCount } = await pool.query(`select from pg_locks where locktype = 'advisory' and not granted`)
    return rowCount !== 0
  })
}

/** One that is due at midnight and was called so many seconds ago. */
async function scheduledOn(database: Database, calledAgo: number): Promise<() => Promise<number>> {
  const api = await testApi({ database, locations: [{ code: 'ams', name: 'Amsterdam' }] })
  const options = { schedule: '0 0 * * *', time_zone: 'UTC' }
  const input = { kind: 'heartbeat', url: undefined, heartbeat_grace_seconds: grace, check_options: options }
  const { id } = await createMonitor(api, { ...input, locations: ['ams'] })
  await database.pool.query(
    `update monitor_state
    set last_checked_at = now() - make_interval(secs => $2), deadline_at = now() + interval '100 s'
    where monitor_key = (select key from monitors where id = $1)`,
    [id, calledAgo],
  )
  return async () => {
    const { rows } = await database.pool.query<{ deadline: number }>(
      `select extract(epoch from deadline_at)::float8 as deadline from monitor_state
      where monitor_key = (select key from monitors where id = $1)`,
      [id],
    )
    return rows[0]?.deadline ?? assert.fail('it has no deadline')
  }
}

const day = 24 * hours

/** Midnight in UTC after this moment, in seconds since 1970. */
function midnightAfter(seconds: number): number {
  return (Math.floor(seconds / day) + 1) * day
}

describe('after a jump of the clock, what is called by a schedule', () => {
  for (const jump of [2 * day, -2 * day])
    it(`of ${jump} s is due at the first time after its last call`, async () => {
      const database = await clockedDatabase()
      const deadline = await scheduledOn(database, 200)
      const calledAt = Date.now() / 1000 - 200
      await setClock(database, jump)
      await noteClockJump(database, jump)
      assert.equal(await deadline(), midnightAfter(calledAt + jump) + grace)
    })

  for (const jump of [2 * day, -2 * day])
    it(`of ${jump} s, and was called late by the former time, is due at the first time after that call`, async () => {
      const database = await clockedDatabase()
      const deadline = await scheduledOn(database, 200)
      const calledAt = Date.now() / 1000
      await setClock(database, jump)
      await noteClockJump(database, jump)
      await database.pool.query(
        `update monitor_state
        set last_checked_at = to_timestamp($1), round_at = to_timestamp($1), deadline_at = to_timestamp($1 + 100)`,
        [calledAt],
      )
      await noteClockJump(database, jump)
      assert.equal(await deadline(), midnightAfter(calledAt + jump) + grace)
    })

  it('has a grace left where its time has passed', async () => {
    const database = await clockedDatabase()
    const deadline = await scheduledOn(database, 3 * day)
    await setClock(database, day)
    await noteClockJump(database, day)
    assertNear((await deadline()) - (Date.now() / 1000 + day), grace)
  })

  it('is moved with the others, however many there are, but for one that was called since', async () => {
    const database = await clockedDatabase()
    const { ahead } = await heartbeatOn(database)
    const deadline = await scheduledOn(database, 200)
    const before = await deadline()
    await setClock(database, 2 * hours)
    const since = await scheduledOn(database, 1)
    const kept = await since()
    await noteClockJump(database, 2 * hours)
    assertNear(await ahead(), 100)
    assert.notEqual(await deadline(), before)
    assert.equal(await since(), kept)
  })
})
