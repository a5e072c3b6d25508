// What is kept of the times of calls, after a jump of the clock. What `m` and `s` are called in SQL are a monitor and its
// state. An engine that moves them has waited for a lock, and waits for folds: a call that came meanwhile is later than the
// beginning of the transaction, which `now()` is, and not of a time to come.
import { calledKinds } from '#core/monitors/kind-traits.ts'
import type { Transaction } from '#store/database/database.ts'
import { isScheduled, moveScheduled } from './scheduled-calls.ts'
import { versionOfNone } from '#store/results/results-to-come.ts'

/** A call that came so shortly before is of the new time already, and so is the deadline that followed from it. */
const newTimeSeconds = 10
/** A clock that is ahead by less did not jump. */
const toleratedSeconds = 2

/** A deadline that followed from a call of the last $2 seconds is of the new time already. */
const isOfFormerTime = `s.deadline_at is not null
  and (
    s.last_checked_at is null
    or s.last_checked_at not between clock_timestamp() - make_interval(secs => $2) and clock_timestamp()
  )`

/**
 * After a jump of the clock: each deadline stays as far away as it was, and what was said of the intake as long ago. Of a
 * machine that slept the clock seems to have jumped as well, and calls were lost, so that each deadline is left a grace.
 * Those of schedules are found anew. Where it went back, calls of the new time are still to be folded.
 */
export async function moveCallTimes(client: Transaction['client'], seconds: number): Promise<void> {
  const sinceSeconds = sinceSecondsOf(seconds)
  await moveDeadlines(client, { seconds, withinSeconds: sinceSeconds, isMoved: isOfFormerTime })
  await client.query(
    `update monitor_state
    set call_started_at = call_started_at + make_interval(secs => $1), run_due_at = run_due_at + make_interval(secs => $1)
    where call_started_at not between clock_timestamp() - make_interval(secs => $2) and clock_timestamp()`,
    [seconds, sinceSeconds],
  )
  if (seconds < 0) await foldFromNow(client)
  // A word that was given since the jump is of the new time already.
  await client.query(
    `update intakes
    set seen_at = least(seen_at + make_interval(secs => $1), clock_timestamp())
    where $1 > 0
      or seen_at > clock_timestamp()`,
    [seconds],
  )
}

/**
 * Engines and APIs notice the same jump within ten seconds of one another. What one of them wrote by the former time,
 * after another had moved everything, is moved here: all that lies in the future where the clock went back, and where it
 * went ahead each deadline that was not left a grace when all were moved.
 */
export async function moveLateCallTimes(client: Transaction['client'], seconds: number): Promise<void> {
  if (seconds > 0)
    return moveDeadlines(client, { seconds, withinSeconds: sinceSecondsOf(seconds), isMoved: isWrittenLate })
  await moveDeadlines(client, { seconds, withinSeconds: toleratedSeconds, isMoved: isInFuture })
  await client.query(
    `update monitor_state
    set call_started_at = call_started_at + make_interval(secs => $1), run_due_at = run_due_at + make_interval(secs => $1)
    where call_started_at > clock_timestamp() + make_interval(secs => $2)`,
    [seconds, toleratedSeconds],
  )
  await foldFromNow(client)
}

const isInFuture = `s.deadline_at is not null
  and s.round_at > clock_timestamp() + make_interval(secs => $2)
  and m.kind in (${calledKinds.map((kind) => `'${kind}'`).join(', ')})`

const isWrittenLate = `exists (
  select
  from own_troubles jump
  where jump.name = 'clock'
    and s.deadline_at < jump.since + make_interval(secs => coalesce(m.heartbeat_grace_seconds, 0))
    and s.last_checked_at not between jump.since - make_interval(secs => $2) and clock_timestamp()
)`

function sinceSecondsOf(seconds: number): number {
  return Math.min(newTimeSeconds, Math.abs(seconds) / 2)
}

/** `isMoved` is SQL, with the seconds of `withinSeconds` as $2. */
async function moveDeadlines(
  client: Transaction['client'],
  { seconds, withinSeconds, isMoved }: { seconds: number; withinSeconds: number; isMoved: string },
): Promise<void> {
  await client.query(
    `update monitor_state s
    set deadline_at = greatest(
      s.deadline_at + make_interval(secs => $1),
      clock_timestamp() + make_interval(secs => coalesce(m.heartbeat_grace_seconds, 0))
    )
    from monitors m
    where m.key = s.monitor_key
      and not (${isScheduled})
      and ${isMoved}`,
    [seconds, withinSeconds],
  )
  await moveScheduled(client, { seconds, withinSeconds, isMoved })
}

/**
 * Calls that an engine is to fold which takes over would count as folded until the former time comes again, and those of
 * that time would be folded once more.
 */
async function foldFromNow(client: Transaction['client']): Promise<void> {
  await client.query(
    `update monitor_state s
    set round_at = clock_timestamp()
    from monitors m
    where m.key = s.monitor_key
      and m.kind = any($1)
      and s.round_at > clock_timestamp()`,
    [calledKinds],
  )
  await client.query(
    `update results r
    set version = ${versionOfNone}
    from monitors m
    where m.key = r.monitor_key
      and m.kind = any($1)
      and r.round_at > clock_timestamp()`,
    [calledKinds],
  )
}
