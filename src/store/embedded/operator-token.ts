import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataFolder } from './data-folder.ts'
import { writeDurably } from './write-durably.ts'

/** The token with which a person at this machine asks a process that has the folder; null where it cannot be read. */
export function readOperatorToken(folder: string): string | null {
  try {
    return readFileSync(fileIn(folder), 'utf8').trim() || null
  } catch {
    return null
  }
}

/**
 * Makes it where there is none. A process that cannot write there goes on without: its operator has
 * PERIGEE_METRICS_TOKEN.
 */
export function ensureOperatorToken(folder: string): void {
  try {
    makeDataFolder(folder)
    if (existsSync(fileIn(folder))) return
    writeDurably(fileIn(folder), `${randomBytes(32).toString('base64url')}\n`)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}

function fileIn(folder: string): string {
  return join(folder, 'operator.token')
}
