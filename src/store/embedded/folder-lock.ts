import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { processIdentity } from './process-identity.ts'

/** `identity` tells the process from a later one with its pid; `address` is where it listens, once it does. */
const holderSchema = z.object({ pid: z.int().positive(), identity: z.string(), address: z.string().nullable() })
export type Holder = z.infer<typeof holderSchema>

export type FolderLock = { publishAddress: (address: string) => void; release: () => void }

/** Attempts to become the holder before giving up: each one lost means that another process moved on. */
const maxAttempts = 100

/**
 * Makes this process the only holder of `folder`, or returns who holds it. The lock is a file that outlives kill -9; it
 * is then recognised as dead by its process. Holders form a line: files named 1, 2, 3 and so on, the highest being the
 * holder. Only a process that saw the holder dead tries to create the next number, complete with its content and only
 * if it is not there (link), so one of them wins. The highest file is never removed, not even on release, so that
 * numbers never start again. A process that comes late and creates a lower number finds the higher one when it looks
 * again, and withdraws.
 */
export function acquireLock(folder: string): FolderLock | Holder {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const newest = newestNumber(folder)
    const holder = readHolder(folder, newest)
    if (holder !== null) return holder
    const own = newest + 1
    if (!createHolder(folder, own)) continue
    if (newestNumber(folder) !== own) {
      rmSync(join(folder, String(own)), { force: true })
      continue
    }
    removeOthers(folder, own)
    return lockOf(folder, own)
  }
  throw new Error(`Other processes kept taking the lock ${folder}.`)
}

/** The holder of the lock, null when there is none. */
export function lockHolder(folder: string): Holder | null {
  return readHolder(folder, newestNumber(folder))
}

function lockOf(folder: string, own: number): FolderLock {
  const replace = (content: string): void => {
    const temporary = writeTemporary(folder, content)
    renameSync(temporary, join(folder, String(own)))
  }
  return {
    publishAddress: (address) => replace(describeSelf(address)),
    release: () => {
      try {
        replace('')
      } catch (error) {
        // A folder that was removed meanwhile holds nothing.
        if (!hasCode(error, 'ENOENT')) throw error
      }
    },
  }
}

/** The files of a lock are few: the holder removes all but its own. */
function newestNumber(folder: string): number {
  try {
    return Math.max(
      0,
      ...readdirSync(folder)
        .filter((name) => /^\d{1,9}$/.test(name))
        .map(Number),
    )
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0
    throw error
  }
}

/** Null when the file is gone, released, torn by a power cut, or of a process that ended. */
function readHolder(folder: string, number: number): Holder | null {
  try {
    const holder = holderSchema.parse(JSON.parse(readFileSync(join(folder, String(number)), 'utf8')))
    return processIdentity(holder.pid) === holder.identity ? holder : null
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError || error instanceof z.ZodError) return null
    throw error
  }
}

/** False when another process was first. */
function createHolder(folder: string, number: number): boolean {
  const temporary = writeTemporary(folder, describeSelf(null))
  try {
    linkSync(temporary, join(folder, String(number)))
    return true
  } catch (error) {
    // ENOENT: a new holder swept the temporary file away.
    if (hasCode(error, 'EEXIST') || hasCode(error, 'ENOENT')) return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

function removeOthers(folder: string, own: number): void {
  for (const name of readdirSync(folder)) if (name !== String(own)) rmSync(join(folder, name), { force: true })
}

function writeTemporary(folder: string, content: string): string {
  const file = join(folder, `new-${randomUUID()}`)
  writeFileSync(file, content, { flag: 'wx', mode: 0o600 })
  return file
}

function describeSelf(address: string | null): string {
  return JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) ?? '', address } satisfies Holder)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
