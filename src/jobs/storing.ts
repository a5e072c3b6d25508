import { attemptTimeoutMs } from '#contacts/send.ts'
import { storingMail } from '#contacts/notices.ts'
import { assertStoring } from '#store/database/assert-storing.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const lookMs = 30_000
/** A database that is restarted is back by the next look. */
const failuresToTell = 2

/**
 * Tells the operator that the database stores nothing, once a process, and once that it stores again. No job can carry
 * that mail, because jobs are rows, so it leaves at once or with the next look.
 */
export function storingChore(parts: JobParts): Chore {
  let failures = 0
  let isTold = false

  async function turn(error: string | null, signal: AbortSignal): Promise<void> {
    const { log, operatorEmail: to, publicUrl, carriers } = parts
    if (error !== null) log.error('The database cannot store anything.', { error })
    else log.warn('The database stores data again.')
    if (to !== null) {
      const limit = AbortSignal.any([AbortSignal.timeout(attemptTimeoutMs), signal])
      const outcome = await carriers.sendMail(storingMail({ to, error, publicUrl }), limit)
      if (!outcome.ok) throw new Error(outcome.failure)
    }
    isTold = error !== null
  }

  async function run(signal: AbortSignal): Promise<void> {
    const error = await failureOf(parts)
    failures = error === null ? 0 : failures + 1
    const isTurn = error === null ? isTold : !isTold && failures >= failuresToTell
    if (isTurn) await turn(error, signal)
  }

  return { name: 'tell_storing', everyMs: lookMs, run }
}

async function failureOf({ database }: JobParts): Promise<string | null> {
  try {
    await assertStoring(database)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
