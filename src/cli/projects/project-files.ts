import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readVariable } from '#config/config-service.ts'
import type { Project } from '#core/projects/project.ts'
import { refused } from '#core/projects/project-error.ts'
import type { Surroundings } from '#core/projects/variables.ts'
import { maxFileLength, type Source } from '#core/projects/yaml-tree.ts'
import { readProject } from '#operations/projects/read-project.ts'

const maxFiles = 500
const maxSecretBytes = 65_536

/**
 * The project of the files that are named; of a folder all below it that end in .yaml or .yml, but hidden ones. Throws
 * ProjectError.
 */
export function loadProject(paths: readonly string[]): Project {
  return readProject(paths.flatMap(filesOf).map(sourceOf), around)
}

const around: Surroundings = { environment: (name) => readVariable(name), readFile: readSecret }

export function filesOf(path: string): string[] {
  const stats = attempt(path, () => statSync(path))
  if (!stats.isDirectory()) return [path]
  const found = attempt(path, () => yamlBelow(path))
  if (found.length === 0) throw refused({ file: path, line: 1 }, 'The folder has no .yaml or .yml file.')
  return found
}

/** In the order of their names, so that problems come in the same order everywhere. Links to folders are not followed. */
function yamlBelow(folder: string): string[] {
  const found: string[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...yamlBelow(path))
    else if (/\.ya?ml$/.test(entry.name)) found.push(path)
    if (found.length > maxFiles) throw refused({ file: folder, line: 1 }, `The folder has more than ${maxFiles} files.`)
  }
  return found
}

function sourceOf(file: string): Source {
  const text = attempt(file, () => {
    if (statSync(file).size > 4 * maxFileLength) throw new Error('it is too large')
    return readFileSync(file, 'utf8')
  })
  return { file, text: text.replace(/^\uFEFF/, '') }
}

function attempt<Value>(file: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw refused({ file, line: 1 }, `Cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** Seen from the folder of the file that names it. */
function readSecret(path: string, from: string): string | null {
  const file = resolve(dirname(from), path)
  try {
    const stats = statSync(file)
    return stats.isFile() && stats.size <= maxSecretBytes ? readFileSync(file, 'utf8') : null
  } catch {
    return null
  }
}
