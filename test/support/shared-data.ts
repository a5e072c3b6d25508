import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Recorded advisories, versions and manifests of others. They lie beside the repository, not in it.
const folder = new URL('../../../shared/data/', import.meta.url)

/** For the `skip` of a test: false where the data is there, else why the test cannot run. */
export const withoutSharedData: string | false = existsSync(folder) ? false : 'no ../shared/data beside the repository'

/** The path of a file or folder of the data. */
function sharedPath(name: string): string {
  return fileURLToPath(new URL(name, folder))
}

export function sharedText(name: string): string {
  return readFileSync(sharedPath(name), 'utf8')
}

/** The names of all files in a folder and its subfolders, relative to the data, in order. Empty without the data. */
export function sharedFiles(name: string): string[] {
  if (withoutSharedData !== false) return []
  return readdirSync(sharedPath(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(fileURLToPath(folder).length))
    .toSorted((one, other) => (one < other ? -1 : 1))
}
