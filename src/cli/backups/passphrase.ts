import { readFileSync } from 'node:fs'
import { StartError } from '#store/database/start-error.ts'

const fewest = 12

/** The first line of the file; null where none is named. */
export function readPassphrase(file: string | undefined): string | null {
  if (file === undefined) return null
  const [line = ''] = textOf(file).split(/\r?\n/)
  if (line.length < fewest) throw new StartError(`The first line of ${file} has fewer than ${fewest} characters.`)
  return line
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new StartError(`The passphrase in ${file} cannot be read (${code}).`, { cause: error })
  }
}
