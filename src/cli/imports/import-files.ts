import { writeFileSync } from 'node:fs'
import type { StoredFile } from '#operations/imports/source-files.ts'
import { StartError } from '#store/database/start-error.ts'
import { filesOf } from '#cli/projects/project-files.ts'

/** The files that are named; of a folder all below it that end in .yaml or .yml, in the order of their names. */
export function namedFiles(paths: readonly string[]): StoredFile[] {
  return paths.flatMap((path) => filesOf(path)).map((path) => ({ name: path, path }))
}

const ownersOnly = 0o600

/** A file that is there is not replaced. What may hold secrets is for its owner alone. */
export function writeNew(path: string, text: string, { isSecret }: { isSecret: boolean }): void {
  try {
    writeFileSync(path, text, { flag: 'wx', ...(isSecret ? { mode: ownersOnly } : {}) })
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
}

/** Lines that a shell reads: `NAME='value'`. */
export function variablesText(secrets: ReadonlyMap<string, string>): string {
  return [...secrets].map(([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'\n`).join('')
}
