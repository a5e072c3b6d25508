import type { Task } from 'graphile-worker'
import type { Database } from '#store/database/database.ts'
import { readSendingHeld } from '#store/installation/sending.ts'
import type { JobLog } from './job-parts.ts'
import { type Chore, repeat } from './timer.ts'

/** Jobs and chores that begin together. */
export type Work = { tasks: Readonly<Record<string, Task>>; chores: readonly Chore[] }

type Stoppable = { stop: () => Promise<void> }
type Gate = { database: Database; log: JobLog; inward: Work; outward: Work }

const lookEveryMs = 2_000

/**
 * Begins all work, or, in a database that was restored, the inward work alone, and the outward work once the operator
 * lets it send. Jobs that wait meanwhile stay in the queue, because no worker knows their tasks.
 */
export async function beginSending(
  { database, log, inward, outward }: Gate,
  begin: (work: Work) => Promise<Stoppable>,
): Promise<Stoppable> {
  const held = await readSendingHeld(database)
  if (held === null)
    return begin({
      tasks: { ...inward.tasks, ...outward.tasks },
      chores: [...inward.chores, ...outward.chores],
    })
  log.warn('This installation was restored from a backup, and sends nothing until "perigee resume-sending".', {
    backup_at: held.backupAt,
  })
  const working = [await begin(inward)]
  const looking = repeat({ name: 'await_sending', everyMs: lookEveryMs, run: look }, log)
  return {
    stop: async () => {
      await looking.stop()
      await Promise.all(working.map(({ stop }) => stop()))
    },
  }

  async function look(): Promise<void> {
    if (working.length > 1 || (await readSendingHeld(database)) !== null) return
    working.push(await begin(outward))
    log.warn('This installation sends again.')
  }
}
