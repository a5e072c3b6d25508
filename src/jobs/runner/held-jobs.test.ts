import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openDatabase } from '#store/database/database.ts'
import { addJobs } from '#store/database/job-queue.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { openWay } from '../../../test/support/way.ts'
import { keepRunning } from './runner.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
/** Two looks, five seconds apart, and the next question for a job. */
const withinMs = 20_000

describe('a job that is locked and in no hand', async () => {
  // Undone in the order of their making: the workers have to stop before their database goes.
  const ends: (() => Promise<void>)[] = []
  after(async () => {
    for (const end of ends) await end()
  })
  const direct = await testDatabase({ maxConnections: 8 })
  const add = (task: string, payload: Record<string, string>, maxAttempts: number): Promise<void> =>
    direct.transaction((tx) => addJobs(tx, [{ task, payload, maxAttempts }]))
  const jobs = async (): Promise<{ attempts: number; isLocked: boolean }[]> => {
    const found = await direct.pool.query<{ attempts: number; isLocked: boolean }>(
      `select attempts, locked_at is not null as "isLocked" from graphile_worker.jobs order by id`,
    )
    return found.rows
  }

  it('is handed back when the answer to the question for it was lost', { timeout: 60_000 }, async () => {
    const { host, user, password, database: name } = direct.pool.options
    let hasLost = false
    const loses = (bytes: Buffer): boolean => {
      if (hasLost || !bytes.includes('precious')) return false
      hasLost = true
      return true
    }
    const way = await openWay(
      { path: join(host ?? '', '.s.PGSQL.5432') },
      { watch: () => ({ forth: () => true, back: (bytes) => !loses(bytes) }) },
    )
    const url = `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${way.port}/${name}`
    const database = openDatabase({ connection: { url }, maxConnections: 4 })
    const seen: number[] = []
    const tasks = { lost: () => void seen.push(seen.length) }
    const runner = await keepRunning({ database, concurrency: 1, log, tasks })
    ends.push(runner.stop, database.close, way.close)
    await add('lost', { name: 'precious' }, 1)
    await until('the answer was lost', async () => hasLost)
    await until('the job is locked', async () => (await jobs()).some(({ isLocked }) => isLocked))
    assert.deepEqual(seen, [])
    way.cut()
    // The only attempt was never made, so it is still there to be made.
    await until('the job is done', async () => seen.length === 1 && (await jobs()).length === 0, withinMs)
  })

  it('is handed back when its end could not be written and its workers have ended', { timeout: 60_000 }, async () => {
    const seen: number[] = []
    const tasks = { ending: () => void seen.push(seen.length) }
    const runner = await keepRunning({ database: direct, concurrency: 2, log, tasks })
    ends.unshift(runner.stop)
    await direct.pool.query(`
      create sequence refusals;
      create function refuse() returns trigger language plpgsql as $$
      begin
        perform nextval('refusals');
        raise exception 'refused';
      end $$;
      create trigger refuse before delete on graphile_worker._private_jobs for each row execute function refuse()`)
    await add('ending', {}, 3)
    await until('its end was refused', async () => {
      const { rows } = await direct.pool.query('select 1 from refusals where is_called')
      return rows.length === 1
    })
    assert.deepEqual([seen.length, await jobs()], [1, [{ attempts: 1, isLocked: true }]])
    await direct.pool.query('drop trigger refuse on graphile_worker._private_jobs')
    await until('the job is done', async () => seen.length === 2 && (await jobs()).length === 0, withinMs)
  })
})
