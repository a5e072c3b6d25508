import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { type SilentWay, silentWay } from '../../../test/support/silent-way.ts'
import { until } from '../../../test/support/until.ts'
import type { Database } from '#store/database/database.ts'
import { StartError } from '#store/database/start-error.ts'
import { becomeOnlyProcess, type OnlyProcess, type OnlyProcessOptions } from './only-process.ts'

const ends: (() => Promise<void>)[] = []

/** A database of its own, by a URL, as those of processes without a broker are named. */
async function openPlace(): Promise<{ database: Database; url: string; way: SilentWay }> {
  const database = await testDatabase()
  const { host = '', user = '', password, database: name = '' } = database.pool.options
  const way = await silentWay(join(host, '.s.PGSQL.5432'))
  ends.push(way.close)
  return {
    database,
    way,
    url: `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${way.port}/${name}`,
  }
}

async function become(options: Pick<OnlyProcessOptions, 'url'> & Partial<OnlyProcessOptions>): Promise<OnlyProcess> {
  const only = await becomeOnlyProcess({ log: { info: () => {} }, ...options })
  ends.unshift(only.release)
  return only
}

function locksOn(database: Database): Promise<number> {
  return database.pool
    .query(`select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`)
    .then(({ rowCount }) => rowCount ?? 0)
}

describe('the only process on a database', () => {
  after(async () => {
    for (const end of ends) await end()
  })

  it('keeps a second one out, which is told in one line after its wait', async () => {
    const { url } = await openPlace()
    await become({ url })
    const told: string[] = []
    const error = await become({ url, waitMs: 200, log: { info: (text) => void told.push(text) } }).then(
      () => assert.fail('there are two'),
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof StartError, String(error))
    assert.match(
      error.message,
      /^Another Perigee works on the database test_\w+ at 127\.0\.0\.1:\d+, and did not end within 0\.2 s\. Stop it first; [^\n]*PERIGEE_NATS_URL\)\.$/,
    )
    assert.deepEqual(told, ['Another Perigee is using this database. This one waits up to 0.2 s for it to stop.'])
  })

  it('is followed by the next one as soon as it ends', async () => {
    const { url } = await openPlace()
    const first = await become({ url })
    const told: string[] = []
    const next = become({ url, log: { info: (text) => void told.push(text) } })
    await until('the next one waits', () => told.length === 1)
    await first.release()
    await next
  })

  it('ends its wait when its start is given up', async () => {
    const { url } = await openPlace()
    await become({ url })
    const told: string[] = []
    const giveUp = new AbortController()
    const log = { info: (text: string): void => void told.push(text) }
    const next = become({ url, log, signal: giveUp.signal })
    await until('it waits', () => told.length === 1)
    giveUp.abort()
    await assert.rejects(next)
  })

  it('comes back when its connection was lost, whatever limits the database has for idle transactions', async () => {
    const { url, database } = await openPlace()
    await database.pool.query(`do $$ begin
      execute format('alter database %I set idle_in_transaction_session_timeout = 1', current_database());
      execute format('alter database %I set statement_timeout = 1000', current_database());
      execute format('alter database %I set default_transaction_isolation = %L', current_database(), 'serializable');
    end $$`)
    await become({ url })
    const { rows } = await database.pool.query<{ pid: number; backend_xmin: string | null }>(
      `select pid, backend_xmin from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`,
    )
    const [held, ...others] = rows
    assert.ok(held !== undefined && others.length === 0)
    assert.equal(held.backend_xmin, null, 'it keeps dead rows alive')
    await database.pool.query('select pg_terminate_backend($1, 5000)', [held.pid])
    await until('it is back', async () => (await locksOn(database)) === 1)
  })

  it('is released at once while it comes back to a database that does not answer', async () => {
    const { url, way } = await openPlace()
    const only = await become({ url })
    way.hush(true)
    const before = way.admitted()
    way.cut()
    await until('it connects again', () => way.admitted() > before)
    const releasedAt = performance.now()
    await only.release()
    assert.ok(performance.now() - releasedAt < 5_000)
  })

  it('says so when another one took its place while its connection was lost', async () => {
    const { url, database } = await openPlace()
    const first = await become({ url, waitMs: 200 })
    const next = become({ url })
    await until('the next one waits', async () => {
      const { rowCount } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rowCount === 1
    })
    await database.pool.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`,
    )
    await next
    assert.match((await first.lost).message, /^Another Perigee works on/)
  })
})
