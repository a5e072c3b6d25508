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
  /** A clock of this machine that does not jump when its time is set. */
  ownNow?: () => number
  /** What this machine's clock is set to; `onSkew` is told by how much that differs. */
  wallNow?: () => number
  onSkew?: (skewMs: number) => void
  compareMs?: number
}

const usualCompareMs = 10_000
const lookApartMs = 1_000
/** Clocks that differ by less count as the same, so that the times of rounds do not change with every comparison. */
const toleratedMs = 50
/** A greater difference is told to the operator. */
export const remarkableMs = 1_000

/**
 * The database's clock as this process reads it: one of its own that nobody sets, corrected where the two differ. Rounds are named by it, so
 * that machines whose clocks disagree still give one moment one name. Throws when the database cannot be asked once.
 */
export async function followClock(database: Pick<Database, 'pool'>, options: ClockOptions = {}): Promise<Clock> {
  const { ownNow = steadyNow, onSkew, compareMs = usualCompareMs } = options
  const { wallNow = options.ownNow ?? Date.now } = options
  let skewMs = 0
  let apartMs = wallNow() - ownNow()
  // Rounds are named in whole milliseconds.
  const now = (): number => Math.floor(ownNow() + skewMs)
  const look = async (): Promise<void> => {
    const found = await measureSkew(database, ownNow)
    if (Math.abs(found.skewMs - skewMs) <= Math.max(toleratedMs, found.errorMs)) return
    skewMs = found.skewMs
    const wrongMs = Math.round(now() - wallNow())
    if (Math.abs(wrongMs) >= remarkableMs) onSkew?.(wrongMs)
  }
  await look()
  let running = Promise.resolve()
  // While the database is away the difference stays what it was.
  const compare = (): Promise<void> => (running = running.then(look).catch(() => {}))
  // A machine that slept has missed that time by its steady clock alone, and one whose clock was set may have slept.
  const lookApart = (): void => {
    const nowApartMs = wallNow() - ownNow()
    if (Math.abs(nowApartMs - apartMs) < remarkableMs) return
    apartMs = nowApartMs
    void compare()
  }
  const timers = [setInterval(() => void compare(), compareMs), setInterval(lookApart, lookApartMs)]
  return {
    now,
    compare,
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      await running
    },
  }
}

/** Goes on as the machine's clock would if nobody set it. */
function steadyNow(): number {
  return performance.timeOrigin + performance.now()
}

/** By how much the database's clock is ahead of one of this machine, and what that may be wrong by. */
export type Skew = { skewMs: number; errorMs: number }

/** The answer was true at some moment of the question; half its length is what that may be wrong by. */
export async function measureSkew({ pool }: Pick<Database, 'pool'>, ownNow: () => number): Promise<Skew> {
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
