import { linesOf, withoutComment } from './lines.ts'
import { ManifestError, type Mention } from './manifest.ts'

/** Node.js in a .nvmrc: a version or its beginning, or a name for the newest one. Throws ManifestError. */
export function* readNvmrc(content: string): Generator<Mention> {
  for (const line of linesOf(content)) {
    const text = withoutComment(line, '#').trim().toLowerCase()
    // Settings of nvm, `key=value`, may stand beside the version.
    if (text === '' || /^[a-z_-]+=/.test(text)) continue
    if (!/^[\w.*/-]{1,64}$/.test(text) || text.startsWith('iojs'))
      throw new ManifestError('It is no .nvmrc: it names no version of Node.js.')
    yield { software: 'nodejs', version: nodeVersion(text) }
    return
  }
}

/**
 * A release, or a release line; null for `lts/*`, `node` and other names of the newest one at the time of installation.
 */
export function nodeVersion(text: string): string | null {
  const line = ltsLines.get(text.replace(/^lts[/-]/, ''))
  return line ?? /^v?(\d+(?:\.\d+){0,2})$/.exec(text)?.[1] ?? null
}

/** The code names of the release lines with long-term support (nodejs/Release). */
const ltsLines: ReadonlyMap<string, string> = new Map([
  ['argon', '4'],
  ['boron', '6'],
  ['carbon', '8'],
  ['dubnium', '10'],
  ['erbium', '12'],
  ['fermium', '14'],
  ['gallium', '16'],
  ['hydrogen', '18'],
  ['iron', '20'],
  ['jod', '22'],
  ['krypton', '24'],
])
