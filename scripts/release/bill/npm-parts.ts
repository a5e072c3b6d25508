// The packages of npm in an artefact, as the lock files have them.
import type { Locked } from '../../supply/locked.ts'
import type { Entry } from '../entries.ts'
import { type Component, hashesOf, licencesOf, type Parts, propertiesOf } from './components.ts'

/** By "name@version". */
export type PackageNames = ReadonlySet<string>

const licenceLists = new Set(['THIRD-PARTY-LICENSES.md', 'web/dist/licenses.md'])
const heading = /^## (\S+) - (\S+)/gm
/** The bundler lists modules alone. A style sheet names its maker in its first comment. */
const styleBanner = /\/\*! (\S+) v(\d[\w.-]*) \|/g
/** Small functions of theirs are in every bundle, and in none of the lists. */
const bundlers = new Set(['vite', 'rolldown'])

/** What the bundles of the service and of the console are made of. */
export function bundledPackages(program: readonly Entry[], locked: readonly Locked[]): Set<string> {
  const found = new Set(locked.filter(({ name }) => bundlers.has(name)).map(idOf))
  for (const entry of program) {
    if (entry.type !== 'file') continue
    const pattern = licenceLists.has(entry.path)
      ? heading
      : /^web\/dist\/.*\.css$/.test(entry.path)
        ? styleBanner
        : null
    if (pattern !== null)
      for (const [, name, version] of entry.bytes.toString().matchAll(pattern)) found.add(`${name}@${version}`)
  }
  return found
}

/** Throws for a name that no lock file has, because then its licence and checksum are not known. */
export function npmParts(names: PackageNames, locked: readonly Locked[]): Parts {
  const byName = new Map(locked.toReversed().map((each) => [idOf(each), each]))
  const packages = [...names].toSorted().map((name) => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`An artefact has ${name}, which no lock file names.`)
    return found
  })
  const byPath = new Map(locked.map((each) => [each.path, each]))
  return {
    components: packages.map((each) => npmComponent(each)),
    needs: new Map(
      packages.map((each) => {
        const needed = each.needs
          .map((name) => resolved(byPath, each.path, name))
          .filter((found) => found !== undefined)
        return [idOf(each), [...new Set(needed.map(idOf))].filter((id) => names.has(id)).toSorted()]
      }),
    ),
  }
}

export function npmComponent(locked: Locked, properties: Readonly<Record<string, string>> = {}): Component {
  const { name, version, licence, integrity } = locked
  return {
    type: 'library',
    'bom-ref': idOf(locked),
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...hashesOf(integrity),
    ...licencesOf(licence),
    ...(Object.keys(properties).length === 0 ? {} : propertiesOf(properties)),
  }
}

export function idOf({ name, version }: Locked): string {
  return `${name}@${version}`
}

/** Node's own look-up: the package's folder first, then each folder above it. */
function resolved(byPath: ReadonlyMap<string, Locked>, from: string, name: string): Locked | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = byPath.get(`${folder === '' ? '' : `${folder}/`}node_modules/${name}`)
    if (found !== undefined || folder === '') return found
  }
}
