// Rows for upgrades: for each table some, inserted at the migration that makes the table, in the file of its name.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The statements of a migration's rows, with a made-up id for each `@name@`; null where it has none. */
export function rowsOf(migrationFile: string, folder = new URL('./', import.meta.url)): string | null {
  const file = new URL(migrationFile, folder)
  if (!existsSync(file)) return null
  return readFileSync(file, 'utf8').replaceAll(/@([a-z]+)@/g, (_, name: string) => `'${idOf(name)}'`)
}

/** Files whose migration does not exist. */
export function strayRows(migrationFiles: readonly string[]): string[] {
  const known = new Set(migrationFiles)
  return readdirSync(new URL('./', import.meta.url)).filter((file) => file.endsWith('.sql') && !known.has(file))
}

/** The same for the same name. */
export function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
