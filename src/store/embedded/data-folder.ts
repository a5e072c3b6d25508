import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Holder, acquireLock, lockHolder } from './folder-lock.ts'
import { type FolderKeys, readFolderKeys, storeKey } from './folder-keys.ts'
import { StartError } from '#store/database/start-error.ts'

/** The folder of this installation, held by this process alone until `release`. */
export type DataFolder = {
  path: string
  /** Mail is kept here while no mail server is configured. */
  outboxFolder: string
  /** The generated keys; the first one is made when it does not exist yet. */
  readSecretKeys: () => FolderKeys
  /** Lets a second start say where the first one listens. */
  publishAddress: (address: string) => void
  release: () => void
}

/** Throws StartError when the folder cannot be written or another process has it. */
export function openDataFolder(path: string): DataFolder {
  return explained(path, () => {
    prepare(path)
    const lock = acquireLock(lockFolder(path))
    if ('pid' in lock) throw new StartError(inUse(path, lock))
    return {
      path,
      outboxFolder: outboxFolder(path),
      readSecretKeys: () => explained(path, () => readSecretKeys(path)),
      publishAddress: (address) => lock.publishAddress(address),
      release: () => lock.release(),
    }
  })
}

/** The process that runs on this folder, null when there is none. */
export function folderHolder(path: string): Holder | null {
  return explained(path, () => lockHolder(lockFolder(path)))
}

/**
 * The embedded PostgreSQL of a root user runs as another one, who has to pass through the folder: it may enter, not
 * list. What is inside is closed one by one.
 */
export function makeDataFolder(path: string): void {
  makeFolder(path, process.getuid?.() === 0 ? 0o711 : 0o700)
}

function prepare(path: string): void {
  makeDataFolder(path)
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  makeFolder(outboxFolder(path), 0o700)
}

/** With its parents. Not mkdir's `recursive`, which never returns where the system answers ENOENT to any name (/proc). */
export function makeFolder(path: string, mode: number): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent, mode)
  mkdirSync(path, { mode })
}

function readSecretKeys(path: string): FolderKeys {
  const stored = readFolderKeys(path)
  if (stored !== null) return stored
  const current = randomBytes(32)
  storeKey(path, current)
  return { current, former: [] }
}

export function backupFolder(path: string): string {
  return join(path, 'backups')
}

function inUse(path: string, { pid, address }: Holder): string {
  const where = address === null ? 'which is still starting or runs a single command' : `which listens at ${address}`
  return `The data folder ${path} is in use by process ${pid}, ${where}; stop it first, or choose another folder with PERIGEE_DATA_DIR.`
}

/** A refusal of the file system is for the operator to mend, so it becomes a StartError. */
function explained<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new StartError(
      `The data folder ${path} cannot be used (${error.message}). Make it writable, or choose another folder with PERIGEE_DATA_DIR.`,
      {
        cause: error,
      },
    )
  }
}

function lockFolder(path: string): string {
  return join(path, 'lock')
}

function outboxFolder(path: string): string {
  return join(path, 'outbox')
}
