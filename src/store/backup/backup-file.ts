import { createWriteStream, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import { StartError } from '#store/database/start-error.ts'
import { makeFolder } from '#store/embedded/data-folder.ts'

/** `perigee-backup-20261121T120000Z.pgb`, so that names are in the order of time. */
export function backupName(at: Date): string {
  return `perigee-backup-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.pgb`
}

const ownNames = /^perigee-backup-\d{8}T\d{6}Z\.pgb$/
const abandonedMs = 3_600_000
const unfinished = /^perigee-backup-\d{8}T\d{6}Z\.pgb\.part$/

/** Where a file is written until it is whole. */
export function partName(file: string): string {
  return `${file}.part`
}

/**
 * A file that is there whole or not at all: it has another name until all of it is on the disk. Returns its size.
 */
export async function writeBackupFile(file: string, write: (to: Writable) => Promise<unknown>): Promise<number> {
  if (existsSync(file)) throw new StartError(`${file} exists already. Name another file.`)
  const part = partName(file)
  return explained(file, async () => {
    makeFolder(dirname(file), 0o700)
    const to = createWriteStream(part, { mode: 0o600, flush: true })
    try {
      await write(to)
      await finished(to)
      renameSync(part, file)
    } catch (error) {
      to.destroy()
      rmSync(part, { force: true })
      throw error
    }
    await flushFolder(dirname(file))
    return statSync(file).size
  })
}

/** Removes the oldest backups of a folder beyond so many, and what a killed process left. Files of others stay. */
export function forgetBackups(folder: string, keep: number): string[] {
  const names = readdirSync(folder).toSorted()
  const old = names.filter((name) => ownNames.test(name)).slice(0, -keep)
  const left = names.filter((name) => unfinished.test(name) && isAbandoned(join(folder, name)))
  for (const name of [...old, ...left]) rmSync(join(folder, name), { force: true })
  return old
}

/** One that is being written changes all the time. */
function isAbandoned(file: string): boolean {
  const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  return Date.now() - changedAt > abandonedMs
}

/** A file that was renamed is there after a power cut once its folder is on the disk. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** What the file system refuses is for the operator to mend. */
async function explained<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new StartError(`The backup cannot be written to ${file} (${error.message}).`, { cause: error })
  }
}
