import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { addJobs } from '#store/database/job-queue.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { keepRunning } from './runner.ts'

const held = 5

describe('the job workers', () => {
  it('start again when the ends of several jobs could not be written, and stop when they are told to', async () => {
    const gates = Array.from({ length: held }, () => Promise.withResolvers<void>())
    const seen: string[] = []
    let stop: (() => Promise<void>) | null = null
    after(() => stop?.())
    const database = await testDatabase({ maxConnections: 8 })
    const runner = await keepRunning({
      database,
      concurrency: held,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      tasks: {
        held: async (payload) => {
          const { index } = z.object({ index: z.int() }).parse(payload)
          seen.push(`held ${index}`)
          await gates[index]?.promise
        },
        plain: () => void seen.push('plain'),
      },
    })
    stop = runner.stop
    await database.pool.query(`
      create sequence refusals;
      create function refuse() returns trigger language plpgsql as $$
      begin
        perform nextval('refusals');
        raise exception 'refused';
      end $$;
      create trigger refuse before delete on graphile_worker._private_jobs for each row execute function refuse()`)
    const refusals = async (): Promise<number> => {
      const { rows } = await database.pool.query<{ count: number }>(
        'select case when is_called then last_value::integer else 0 end as count from refusals',
      )
      return rows[0]?.count ?? assert.fail()
    }
    await database.transaction((tx) =>
      addJobs(
        tx,
        gates.map((_, index) => ({ task: 'held', payload: { index }, maxAttempts: 1 })),
      ),
    )
    await until('all are under way', async () => seen.length === held)
    for (const [index, gate] of gates.entries()) {
      gate.resolve()
      await until('its end was refused', async () => (await refusals()) === index + 1)
    }
    await database.pool.query('drop trigger refuse on graphile_worker._private_jobs')
    await database.transaction((tx) => addJobs(tx, [{ task: 'plain', payload: {}, maxAttempts: 1 }]))
    await until('the next job runs', async () => seen.includes('plain'))
    await runner.stop()
    stop = null
  })
})
