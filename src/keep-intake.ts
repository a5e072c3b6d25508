import { noteIntake } from '#store/calls.ts'
import type { Database } from '#store/database.ts'
import type { Log } from './log.ts'
import { processName } from './process-name.ts'

const intakeMs = 1_000

export type IntakeOptions = {
  database: Database
  /** False while calls are refused because there is no broker to keep them. */
  areCallsKept: () => boolean
  log: Pick<Log, 'info' | 'warn'>
}

/**
 * Says again and again that calls are taken here, from the moment they are and while they can be kept: the engine calls
 * no deadline missed while nobody says so. Returns its end.
 */
export async function keepIntake({ database, areCallsKept, log }: IntakeOptions): Promise<() => Promise<void>> {
  const name = processName()
  let isNoting = false
  let hasFailed = false
  const note = async (isFirst: boolean): Promise<void> => {
    const gapSeconds = await noteIntake(database, { name, isFirst })
    if (gapSeconds !== null) log.info('Deadlines were put off: no calls could be taken.', { seconds: gapSeconds })
    hasFailed = false
  }
  const noteAgain = async (): Promise<void> => {
    if (isNoting || !areCallsKept()) return
    isNoting = true
    try {
      // After a failure nobody can have been heard since the last word, however short that was.
      await note(hasFailed)
    } catch (error) {
      if (!hasFailed) log.warn('The intake of calls could not be noted.', { error: String(error) })
      hasFailed = true
    } finally {
      isNoting = false
    }
  }
  await note(true)
  const timer = setInterval(() => void noteAgain(), intakeMs)
  return async () => clearInterval(timer)
}
