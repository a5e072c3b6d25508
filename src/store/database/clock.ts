import type { Database } from './database.ts'

/** The time that all processes of an installation agree on. */
export type Clock = {
  /** Milliseconds since 1970. */
  now: () => number
  /** Looks at the database's clock once more; never rejects. */
  compare: () => Promise<void>
  close: () => Promise<void>
}

export type ClockOptions = {
  /** This machine's clock. */
  ownNow?: () => number
  onSkew?: (skewMs: number) => void
  compareMs?: number
}

const usualCompareMs = 10_000
/** Clocks that differ by less count as the same, so that the times of rounds do not change with every comparison. */
const toleratedMs = 50
/** A greater difference is logged for the operator. */
const remarkableMs = 1_000

/**
 * The database's clock as this process reads it: its own, corrected where the two differ. Rounds are named by it, so
 * that machines whose clocks disagree still give one moment one name. Throws when the database cannot be asked once.
 */
export async function followClock(database: Pick<Database, 'pool'>, options: ClockOptions = {}): Promise<Clock> {
  const { ownNow = Date.now, onSkew, compareMs = usualCompareMs } = options
  let skewMs = 0
  const look = async (): Promise<void> => {
    const found = await measure(database, ownNow)
    if (Math.abs(found.skewMs - skewMs) <= Math.max(toleratedMs, found.errorMs)) return
    skewMs = found.skewMs
    if (Math.abs(skewMs) >= remarkableMs) onSkew?.(skewMs)
  }
  await look()
  let running = Promise.resolve()
  // While the database is away the difference stays what it was.
  const compare = (): Promise<void> => (running = running.then(look).catch(() => {}))
  const timer = setInterval(() => void compare(), compareMs)
  return {
    now: () => ownNow() + skewMs,
    compare,
    close: async () => {
      clearInterval(timer)
      await running
    },
  }
}

/** The answer was true at some moment of the question; half its length is what that may be wrong by. */
async function measure(
  { pool }: Pick<Database, 'pool'>,
  ownNow: () => number,
): Promise<{ skewMs: number; errorMs: number }> {
  const client = await pool.connect()
  try {
    const askedMs = ownNow()
    const told = await client.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    )
    const errorMs = (ownNow() - askedMs) / 2
    return { skewMs: Math.round((told.rows[0]?.ms ?? askedMs) - askedMs - errorMs), errorMs }
  } finally {
    client.release()
  }
}
