import { mock } from 'node:test'
import type { Database } from '#store/database/database.ts'

/** The one time that this process, the service in it and its database have. It stands still until it is set. */
export type StoryClock = {
  now: () => Date
  /** Nothing may be under way meanwhile. */
  set: (at: Date) => Promise<void>
}

/**
 * Stops the time of this process: what is stored, shown and expired is the same whenever the pictures are made.
 * Timers and deadlines go on as they always do.
 */
export function stopClock(at: Date): { of: (database: Database) => StoryClock; release: () => void } {
  mock.timers.enable({ apis: ['Date'], now: at })
  return {
    of: ({ pool }) => ({
      now: () => new Date(),
      set: async (to) => {
        await pool.query('update story_clock set at = $1', [to])
        mock.timers.setTime(to.getTime())
      },
    }),
    release: () => mock.timers.reset(),
  }
}

/** Has an empty database take its time from a table, for all connections to come. */
export async function shadowClock({ pool }: Database, at: Date): Promise<void> {
  await pool.query(shadowing)
  await pool.query('insert into story_clock (at) values ($1)', [at])
}

// Functions are looked for along the search path, in which PostgreSQL's own come first unless it names their schema.
const shadowing = `
create table story_clock (at timestamptz not null);
create function now() returns timestamptz language sql stable return (select at from public.story_clock);
create function clock_timestamp() returns timestamptz language sql stable return (select at from public.story_clock);
create function statement_timestamp() returns timestamptz language sql stable return (select at from public.story_clock);
alter database postgres set search_path = public, pg_catalog`
