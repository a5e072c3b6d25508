import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import type { SourceFile } from '#core/imports/import-source.ts'
import { ImportError, importLimits } from '#core/imports/imported.ts'

/** `name` is what its owner calls it, `path` where it lies. */
export type StoredFile = { name: string; path: string }

/** What a database of SQLite begins with (https://www.sqlite.org/fileformat.html, 1.3). */
const sqliteMark = 'SQLite format 3\0'
/** Of UTF-8, where a character has four bytes at most. */
const usualMaxBytes = 4 * importLimits.length

/** The text of a file, or that it is a database. Throws ImportError. */
export function readSourceFile({ name, path }: StoredFile, maxTextBytes = usualMaxBytes): SourceFile {
  try {
    if (beginningOf(path) === sqliteMark) return { file: name, text: null, path }
    if (statSync(path).size > maxTextBytes)
      throw new ImportError(`it is a text of more than ${Math.floor(maxTextBytes / 1024 ** 2)} MB.`)
    return { file: name, text: readFileSync(path, 'utf8') }
  } catch (error) {
    throw new ImportError(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

function beginningOf(file: string): string {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(sqliteMark.length)
    const length = readSync(handle, bytes, 0, bytes.length, 0)
    return bytes.toString('latin1', 0, length)
  } finally {
    closeSync(handle)
  }
}
