import { parseJsonObject } from './json.ts'
import { ManifestError, type Mention } from './manifest.ts'
import { npmMention, splitDescriptor } from './npm-specifier.ts'
import { hasOwnMembers } from './own-members.ts'
import { entriesOf, isRecord, member, textOf } from './shapes.ts'

/**
 * The packages of a package-lock.json or npm-shrinkwrap.json. Version 2 has both forms, of which one is enough. Throws
 * ManifestError.
 */
export function readPackageLock(content: string): Generator<Mention> {
  const lock = parseJsonObject(content)
  if (!hasOwnMembers(lock, marks))
    throw new ManifestError('It is no package-lock.json: it has neither version nor packages.')
  const { packages, dependencies } = lock
  return isRecord(packages) ? readPlaces(packages) : readTree(dependencies)
}

/** A project without packages has one of these, or its name and version, at least. */
const marks = ['lockfileVersion', 'packages', 'dependencies']

const folder = 'node_modules/'

/** Versions 2 and 3 list packages by their place. Places outside of node_modules are the project's own code. */
function* readPlaces(packages: unknown): Generator<Mention> {
  for (const [place, entry] of entriesOf(packages)) {
    const at = place.lastIndexOf(folder)
    if (at === -1 || member(entry, 'link') === true) continue
    const version = textOf(member(entry, 'version'))
    const resolved = textOf(member(entry, 'resolved'))
    // An optional package that does not fit this platform has an entry with nothing but its place.
    if (version === null && resolved === null) continue
    const name = textOf(member(entry, 'name')) ?? place.slice(at + folder.length)
    const mention = npmMention(name, resolved ?? '', version)
    if (mention !== null) yield mention
  }
}

/** Version 1 is a tree. `version` is an address where the package does not come from the registry. */
function* readTree(dependencies: unknown): Generator<Mention> {
  const waiting = [dependencies]
  for (let tree = waiting.pop(); tree !== undefined; tree = waiting.pop())
    for (const [name, entry] of entriesOf(tree)) {
      const version = textOf(member(entry, 'version'))
      const mention = version === null ? null : npmMention(name, version, installedVersion(version))
      if (mention !== null) yield mention
      const below = member(entry, 'dependencies')
      if (below !== undefined) waiting.push(below)
    }
}

function installedVersion(version: string): string | null {
  if (version.startsWith('npm:')) return splitDescriptor(version.slice(4))?.reference ?? null
  return /[:/]/.test(version) ? null : version
}
