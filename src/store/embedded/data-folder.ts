import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Holder, acquireLock, lockHolder } from './folder-lock.ts'
import { StartError } from '#store/database/start-error.ts'
import { writeDurably } from './write-durably.ts'

/** The folder of this installation, held by this process alone until `release`. */
export type DataFolder = {
  path: string
  /** Mail is kept here while no mail server is configured. */
  outboxFolder: string
  /** The generated key of 32 bytes, made when it does not exist yet. */
  readSecretKey: () => Buffer
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
      readSecretKey: () => explained(path, () => readSecretKey(path)),
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

function readSecretKey(path: string): Buffer {
  const stored = readStoredKey(path)
  if (stored !== null) return stored
  const key = randomBytes(32)
  storeKey(path, key)
  return key
}

/** The key that a start has made there, or null; of a folder that another process may hold. */
export function readStoredKey(path: string): Buffer | null {
  const file = keyFile(path)
  const stored = readIfThere(file)
  if (stored === null) return null
  const key = Buffer.from(stored.trim(), 'base64')
  if (key.length !== 32) throw new StartError(`${file} does not hold 32 bytes in base64. Restore it from a backup.`)
  return key
}

/** Gives a folder that was restored the key of the original. */
export function storeKey(path: string, key: Buffer): void {
  writeDurably(keyFile(path), `${key.toString('base64')}\n`)
}

export function backupFolder(path: string): string {
  return join(path, 'backups')
}

function keyFile(path: string): string {
  return join(path, 'secret.key')
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
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
