// Jumps of the clock as engines note them, each of which moves what was planned by the former time.
import { intakesLock } from './model-calls.ts'
import { moveCallTimes, moveLateCallTimes } from './model-moved-calls.ts'
import type { ModelDatabase } from './model-database.ts'

const sameJumpMs = 60_000
const sameJumpByMs = 2_000
const leftForMs = 3_600_000

/** As `followClockJumps`, by whole seconds: several engines notice the same jump. */
export async function followJumps(database: ModelDatabase): Promise<(bySeconds: number) => Promise<void>> {
  await moveWhatWasLeft(database)
  let known = lastOf(database)
  return async (bySeconds) => {
    await noteJump(database, bySeconds * 1000, known)
    known = lastOf(database)
  }
}

function lastOf({ jumps }: ModelDatabase): number | null {
  return jumps.at(-1)?.atMs ?? null
}

async function noteJump(database: ModelDatabase, byMs: number, known: number | null): Promise<void> {
  const { jumps, intakeLock } = database
  const transaction = {}
  const nowMs = database.nowMs()
  await intakeLock.take([intakesLock], transaction)
  try {
    const last = jumps.at(-1)
    const isAgain = last !== undefined && (Math.abs(nowMs - last.atMs) <= sameJumpMs || last.atMs !== known)
    if (isAgain && Math.abs(last.byMs - byMs) <= sameJumpByMs)
      return await moveLateCallTimes(database, { byMs, sinceMs: last.atMs })
    await moveCallTimes(database, { byMs })
    jumps.push({ atMs: nowMs, byMs })
    if (byMs < 0) moveAlertTimes(database, { byMs, nowMs })
  } finally {
    intakeLock.release(transaction)
  }
}

async function moveWhatWasLeft(database: ModelDatabase): Promise<void> {
  const { jumps, intakeLock } = database
  const nowMs = database.nowMs()
  const last = jumps.at(-1)
  if (last === undefined || last.byMs >= 0 || last.atMs > nowMs || last.atMs < nowMs - leftForMs) return
  const transaction = {}
  await intakeLock.take([intakesLock], transaction)
  try {
    await moveLateCallTimes(database, { byMs: last.byMs, sinceMs: last.atMs })
  } finally {
    intakeLock.release(transaction)
  }
}

function moveAlertTimes({ deliveries, jobs }: ModelDatabase, { byMs, nowMs }: { byMs: number; nowMs: number }): void {
  const moved = (timeMs: number): number => (timeMs > nowMs ? timeMs + byMs : timeMs)
  for (const delivery of deliveries.values())
    if (delivery.state === 'pending') {
      delivery.dueMs = moved(delivery.dueMs)
      if (delivery.claimedMs !== null) delivery.claimedMs = moved(delivery.claimedMs)
    }
  for (const job of jobs.values()) job.runMs = moved(job.runMs)
}
