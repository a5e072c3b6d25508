import { rmSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Pool } from 'pg'
import type { Database } from '#store/database/database.ts'
import { StartError } from '#store/database/start-error.ts'
import { partName } from './backup-file.ts'
import type { BackupOptions } from './take-backup.ts'

export type BackupOrder = Omit<BackupOptions, 'signal' | 'keys'> & {
  connection: Pool['options']
  file: string
  /** Between threads, a Buffer arrives as plain bytes. */
  keys: { current: Uint8Array; next?: Uint8Array | null; former?: readonly Uint8Array[] } | null
}

/** `problem` is a line for the operator. */
export type BackupOutcome = { bytes: number } | { problem: string }

/**
 * Writes a backup in a thread of its own, over its own connections, and returns the size of the file: the rows of the
 * whole database would take the time of everything else that a process does. A signal ends it, and nothing is left.
 */
export async function backUpInThread(
  { pool }: Pick<Database, 'pool'>,
  { file, signal, ...options }: BackupOptions & { file: string },
): Promise<number> {
  const { password } = pool.options
  // The password is no property that a spread takes along.
  const connection = { ...pool.options, ...(password === undefined ? {} : { password }) }
  const workerData: BackupOrder = { ...options, file, connection }
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), { workerData, env: {} })
  const end = (): void => void worker.terminate()
  signal?.addEventListener('abort', end)
  try {
    return await sizeFrom(worker)
  } catch (error) {
    rmSync(partName(file), { force: true })
    throw error
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

function sizeFrom(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('message', (outcome: BackupOutcome) => {
      if ('bytes' in outcome) resolve(outcome.bytes)
      else reject(new StartError(outcome.problem))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The thread of the backup ended with ${code}.`)))
  })
}
