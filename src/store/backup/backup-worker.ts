// The program of a thread that makes one backup (backup-thread.ts).
import { parentPort, workerData } from 'node:worker_threads'
import type { SecretKeys } from '#store/database/secrets.ts'
import { StartError } from '#store/database/start-error.ts'
import { writeBackupFile } from './backup-file.ts'
import type { BackupOrder, BackupOutcome } from './backup-thread.ts'
import { takeBackup } from './take-backup.ts'

const { connection, file, keys, ...options }: BackupOrder = workerData

parentPort?.postMessage(await outcome())

async function outcome(): Promise<BackupOutcome> {
  try {
    const bytes = await writeBackupFile(file, (to) =>
      takeBackup({ pool: { options: connection } }, to, { ...options, keys: keysOf(keys) }),
    )
    return { bytes }
  } catch (error) {
    if (error instanceof StartError) return { problem: error.message }
    throw error
  }
}

function keysOf(sent: BackupOrder['keys']): SecretKeys | null {
  if (sent === null) return null
  const { current, next = null, former = [] } = sent
  return {
    current: Buffer.from(current),
    next: next === null ? null : Buffer.from(next),
    former: former.map((key) => Buffer.from(key)),
  }
}
