import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createCallStore } from '#store/call-store.ts'
import { callIntakeWordMs } from '#store/monitors/calls.ts'
import { testDatabase } from '../../test/support/database.ts'
import { until } from '../../test/support/until.ts'
import { keepCallIntake } from './call-intake.ts'

describe('the intake of calls', async () => {
  let areCallsKept = true
  const ends: (() => Promise<void>)[] = []
  after(async () => {
    for (const end of ends) await end()
  })
  const database = await testDatabase()
  const store = createCallStore(database)

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
