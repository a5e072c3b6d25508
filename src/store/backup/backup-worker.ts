// The program of a thread that makes one backup (backup-thread.ts).
import { parentPort, workerData } from 'node:worker_threads'
import { StartError } from '#store/database/start-error.ts'
import { writeBackupFile } from './backup-file.ts'
import type { BackupOrder, BackupOutcome } from './backup-thread.ts'
import { takeBackup } from './take-backup.ts'

const { connection, file, secretKey, ...options }: BackupOrder = workerData

parentPort?.postMessage(await outcome())

async function outcome(): Promise<BackupOutcome> {
  const key = secretKey === null ? null : Buffer.from(secretKey)
  try {
    const bytes = await writeBackupFile(file, (to) =>
      takeBackup({ pool: { options: connection } }, to, { ...options, secretKey: key }),
    )
    return { bytes }
  } catch (error) {
    if (error instanceof StartError) return { problem: error.message }
    throw error
  }
}
