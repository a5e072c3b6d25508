import type { Database } from '#store/database/database.ts'

export type MovedClock = { set: (at: Date) => Promise<void> }

/**
 * Makes `now()` and `clock_timestamp()` in all statements of these connections say what the test says. PostgreSQL looks for functions in the
 * schemas of the search path, and its own come first only where the path does not name them. Defaults of columns keep
 * the real time. Called before the first use of the database.
 */
export async function moveClock({ pool }: Database): Promise<MovedClock> {
  pool.options.options = `${pool.options.options ?? ''} -c search_path=moved_clock,public,pg_catalog`
  await pool.query(`
    create schema moved_clock;
    create table moved_clock.clock as select pg_catalog.now() as at;
    create function moved_clock.now() returns timestamptz language sql stable as 'select at from moved_clock.clock';
    create function moved_clock.clock_timestamp() returns timestamptz language sql volatile
      as 'select at from moved_clock.clock';
  `)
  return {
    set: async (at) => {
      await pool.query('update moved_clock.clock set at = $1', [at])
    },
  }
}
