import { join } from 'node:path'
import { backupName, forgetBackups } from '#store/backup/backup-file.ts'
import { backUpInThread } from '#store/backup/backup-thread.ts'
import type { SecretKeys } from '#store/database/secrets.ts'
import { inBackupTurn } from '#store/installation/last-backup.ts'
import { noteBackupTrouble } from '#store/installation/own-troubles.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

export type BackupOrders = {
  folder: string
  everyMs: number
  /** So many of the newest are left in the folder. */
  keep: number
  passphrase: string | null
  release: string
  /** The installation's own, which may change; they are put into backups that are encrypted. */
  readKeys: () => SecretKeys | null
}

const lookEveryMs = 60_000
/** A backup that failed reads the whole database again. */
const retryMs = 15 * 60_000

type ChoreParts = Pick<JobParts, 'database' | 'log' | 'now'>

/** Makes a backup whenever the last one is old enough. A failure is a trouble of the installation until one is made. */
export function backupChore({ database, log, now }: ChoreParts, orders: BackupOrders): Chore {
  const { folder, everyMs, keep, passphrase, release, readKeys } = orders
  let nextAtMs = 0

  async function make(at: Date, signal: AbortSignal): Promise<number> {
    const file = join(folder, backupName(at))
    return backUpInThread(database, { file, release, keys: readKeys(), passphrase, now: at, signal })
  }

  async function run(signal: AbortSignal): Promise<void> {
    const at = now()
    if (at.getTime() < nextAtMs) return
    try {
      const made = await inBackupTurn(database, { everyMs, now: at }, () => make(at, signal))
      if (made === null) return
      const removed = forgetBackups(folder, keep)
      log.info('A backup was made.', { bytes: made.bytes, removed: removed.length })
    } catch (error) {
      if (signal.aborted) return
      nextAtMs = at.getTime() + retryMs
      await noteBackupTrouble(database, error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  return { name: 'make_backup', everyMs: lookEveryMs, run }
}
