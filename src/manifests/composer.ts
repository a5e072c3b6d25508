import { parseJsonObject } from './json.ts'
import { ManifestError, type Mention } from './manifest.ts'
import { entriesOf, hasAnyOf, itemsOf, member, textOf } from './shapes.ts'

/** The requirements of a composer.json, with a version where only one satisfies the constraint. */
export function* readComposerJson(content: string): Generator<Mention> {
  const manifest = parseJsonObject(content)
  const platform = member(manifest['config'], 'platform')
  for (const group of ['require', 'require-dev'])
    for (const [name, constraint] of entriesOf(manifest[group]))
      if (name.toLowerCase() === 'php') yield phpMention(constraint, platform)
      else yield { ecosystem: 'composer', name, version: pinned(constraint) }
}

/** The packages of a composer.lock, and PHP, for which the file has a constraint. Throws ManifestError. */
export function* readComposerLock(content: string): Generator<Mention> {
  const lock = parseJsonObject(content)
  if (!hasAnyOf(lock, ['packages', 'packages-dev', 'platform', 'content-hash', 'hash']))
    throw new ManifestError('It is no composer.lock: it has no packages.')
  for (const group of ['packages', 'packages-dev'])
    for (const entry of itemsOf(lock[group])) {
      const name = textOf(member(entry, 'name'))
      if (name !== null) yield { ecosystem: 'composer', name, version: released(member(entry, 'version')) }
    }
  for (const group of ['platform', 'platform-dev']) {
    const constraint = member(lock[group], 'php')
    if (constraint !== undefined) yield phpMention(constraint, lock['platform-overrides'])
  }
}

/** The PHP version on which the project says that it runs takes precedence over its constraint. */
function phpMention(constraint: unknown, platform: unknown): Mention {
  return { software: 'php', version: pinned(member(platform, 'php')) ?? pinned(constraint) }
}

function pinned(constraint: unknown): string | null {
  const text = textOf(constraint) ?? ''
  return /^\s*={0,2}\s*v?(\d+(?:\.\d+){0,3}(?:-?(?:alpha|beta|rc|patch|pl|a|b|p)\.?\d*)?)\s*$/i.exec(text)?.[1] ?? null
}

/** Branches (`dev-main`, `2.x-dev`) have no version. */
function released(version: unknown): string | null {
  const text = textOf(version) ?? ''
  return /^dev-|\bx-dev$/i.test(text) ? null : text.replace(/^v(?=\d)/i, '')
}
