// Finds the program that was made of the sources, while these are still the same. It loads with every start, so that it
// reads no source: sizes and times of change tell.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What the record beside the programs says. Paths are of the folder of the project. */
export type Built = {
  /** The module that is the program. */
  program: string
  /** The stamps of every file below src/, of every folder there, which a new file changes, and of the lock file. */
  sources: Record<string, Stamp>
}

/** Bytes, or 0 of a folder, and milliseconds since 1970. */
type Stamp = [bytes: number, changedMs: number]

export const programFolder = 'node_modules/.cache/perigee-program'
export const recordPath = `${programFolder}/built.json`

/** The address of the program; null where none was made of the sources as they are. */
export function freshProgram(root: string): string | null {
  try {
    const { program, sources }: Built = JSON.parse(readFileSync(join(root, recordPath), 'utf8'))
    const path = join(root, program)
    const isFresh = Object.entries(sources).every(([name, stamp]) => isSame(stamp, stampOf(join(root, name))))
    return isFresh && statSync(path).isFile() ? pathToFileURL(path).href : null
  } catch {
    return null
  }
}

export function stampSources(root: string): Built['sources'] {
  const below = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  const paths = below.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => !path.endsWith('.test.ts'))
  const all = [join(root, 'src'), join(root, 'package-lock.json'), ...paths]
  const stamps = all.map((path) => [relative(root, path), stampOf(path)] as const)
  return Object.fromEntries(stamps)
}

function stampOf(path: string): Stamp {
  const stats = statSync(path)
  return [stats.isDirectory() ? 0 : stats.size, stats.mtimeMs]
}

function isSame([bytes, changedMs]: Stamp, [otherBytes, otherMs]: Stamp): boolean {
  return bytes === otherBytes && changedMs === otherMs
}
