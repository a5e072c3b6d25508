import { after } from 'node:test'
import { type Database, openDatabase } from '#store/database/database.ts'
import { testDatabase } from './database.ts'

/**
 * A database whose clock a test sets: `now()` and `clock_timestamp()` of all statements are other functions than
 * PostgreSQL's own, found first by the sessions that begin from then on.
 */
export async function clockedDatabase(): Promise<Database> {
  const given = await testDatabase()
  const { host = '', user = '', password, database: name = '' } = given.pool.options
  await given.pool.query(`create schema clock
    create table clock.ahead (seconds float8 not null)`)
  await given.pool.query('insert into clock.ahead values (0)')
  await given.pool.query(`create function clock.now() returns timestamptz language sql stable
    return pg_catalog.now() + make_interval(secs => (select seconds from clock.ahead))`)
  await given.pool.query(`create function clock.clock_timestamp() returns timestamptz language sql volatile
    return pg_catalog.clock_timestamp() + make_interval(secs => (select seconds from clock.ahead))`)
  await given.pool.query(`alter database ${name} set search_path = public, clock, pg_catalog`)
  const connection = { socketFolder: host, user, password: String(password), database: name }
  const database = openDatabase({ connection, maxConnections: 5 })
  after(database.close)
  return database
}

/** Sets the clock to so many seconds ahead of the machine's. */
export async function setClock({ pool }: Database, seconds: number): Promise<void> {
  await pool.query('update clock.ahead set seconds = $1', [seconds])
}
