import { parseJsonObject } from './json.ts'
import { ManifestError, type Mention } from './manifest.ts'
import { entriesOf, isRecord, member, textOf } from './shapes.ts'

/** The packages of a Pipfile.lock in `default`, `develop` and the groups that a project adds. Throws ManifestError. */
export function* readPipfileLock(content: string): Generator<Mention> {
  const groups = Object.entries(parseJsonObject(content))
  if (!groups.some(([, packages]) => isRecord(packages)))
    throw new ManifestError('It is no Pipfile.lock: it has no group of packages.')
  for (const [group, packages] of groups) {
    if (group === '_meta') continue
    for (const [name, entry] of entriesOf(packages)) {
      if (member(entry, 'path') !== undefined) continue
      const version = /^===?\s*([^\s*]+)$/.exec(textOf(member(entry, 'version')) ?? '')?.[1] ?? null
      yield { ecosystem: 'pypi', name, version }
    }
  }
}
