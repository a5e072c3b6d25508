import type { Mention } from './manifest.ts'
import { itemsOf, member, textOf } from './shapes.ts'
import { parseToml } from './toml.ts'

/** The packages of a poetry.lock without folders of the project itself. Throws ManifestError. */
export function* readPoetryLock(content: string): Generator<Mention> {
  for (const entry of itemsOf(parseToml(content)['package'])) {
    const name = textOf(member(entry, 'name'))
    if (name === null || member(member(entry, 'source'), 'type') === 'directory') continue
    yield { ecosystem: 'pypi', name, version: textOf(member(entry, 'version')) }
  }
}

/**
 * The packages of a Cargo.lock that come from a registry. Those without a source belong to the project itself, and
 * advisories are about crates.io. Throws ManifestError.
 */
export function* readCargoLock(content: string): Generator<Mention> {
  for (const entry of itemsOf(parseToml(content)['package'])) {
    const name = textOf(member(entry, 'name'))
    const source = textOf(member(entry, 'source')) ?? ''
    if (name === null || !/^(?:registry|sparse)\+/.test(source)) continue
    yield { ecosystem: 'cargo', name, version: textOf(member(entry, 'version')) }
  }
}
