import { globSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A file, link or folder of an artefact. Paths are relative, with forward slashes. Who owns it is a number, root by default. */
export type Entry = { path: string; mode: number; owner?: number } & (
  | { type: 'file'; bytes: Buffer }
  | { type: 'link'; target: string }
  | { type: 'folder' }
)

export const modes = { plain: 0o644, program: 0o755, folder: 0o755, link: 0o777 } as const

export function fileEntry(path: string, bytes: Buffer | string, mode: number = modes.plain): Entry {
  return { type: 'file', path, mode, bytes: Buffer.from(bytes) }
}

export function linkEntry(path: string, target: string): Entry {
  return { type: 'link', path, mode: modes.link, target }
}

/** All files and links below a folder. Of a file's mode only counts whether its owner may run it, which no umask changes. */
export function entriesBelow(folder: string, isWanted: (path: string) => boolean = () => true): Entry[] {
  return globSync('**/*', { cwd: folder, withFileTypes: true }).flatMap((found): Entry[] => {
    const full = join(found.parentPath, found.name)
    const path = full.slice(folder.length).replace(/^\/+/, '')
    if (found.isDirectory() || !isWanted(path)) return []
    if (found.isSymbolicLink()) return [linkEntry(path, readlinkSync(full))]
    const isProgram = (statSync(full).mode & 0o100) !== 0
    return [fileEntry(path, readFileSync(full), isProgram ? modes.program : modes.plain)]
  })
}

export function under(folder: string, entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => moved(entry, `${folder}/${entry.path}`))
}

export function moved(entry: Entry, path: string): Entry {
  return { ...entry, path }
}

export function asProgram(entry: Entry): Entry {
  return { ...entry, mode: modes.program }
}

/**
 * Sorted by path and with every folder named once, so that the same files make the same artefact in whatever order they
 * were found. Throws when two entries claim one path.
 */
export function arranged(entries: readonly Entry[]): Entry[] {
  const byPath = new Map<string, Entry>()
  for (const entry of entries) {
    if (byPath.has(entry.path)) throw new Error(`Two files of the release are called ${entry.path}.`)
    byPath.set(entry.path, entry)
  }
  for (const { path } of entries)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end)
      if (!byPath.has(folder)) byPath.set(folder, { type: 'folder', path: folder, mode: modes.folder })
    }
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

export function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.type === 'file' ? entry.bytes.length : 0), 0)
}
