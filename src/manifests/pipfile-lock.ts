import { parseJsonObject } from './json.ts'
import type { Mention } from './manifest.ts'
import { entriesOf, member, textOf } from './shapes.ts'

/** The packages of a Pipfile.lock in `default`, `develop` and the groups that a project adds. */
export function* readPipfileLock(content: string): Generator<Mention> {
  for (const [group, packages] of Object.entries(parseJsonObject(content))) {
    if (group === '_meta') continue
    for (const [name, entry] of entriesOf(packages)) {
      if (member(entry, 'path') !== undefined) continue
      const version = /^===?\s*([^\s*]+)$/.exec(textOf(member(entry, 'version')) ?? '')?.[1] ?? null
      yield { ecosystem: 'pypi', name, version }
    }
  }
}
