import { linesOf } from './lines.ts'
import { ManifestError, type Mention } from './manifest.ts'
import { npmMention, splitDescriptor } from './npm-specifier.ts'

type Entry = { descriptor: string; version: string | null; resolution: string | null }

/**
 * The packages of a yarn.lock. Classic and berry write the same lines, `name value` and `name: value`, and only lines
 * with two leading spaces matter, so one line reader serves both. Throws ManifestError.
 */
export function* readYarnLock(content: string): Generator<Mention> {
  for (const entry of readEntries(content)) {
    const mention = mentionOf(entry)
    if (mention !== null) yield mention
  }
}

function* readEntries(content: string): Generator<Entry> {
  let entry: Entry | null = null
  let lineNumber = 0
  for (const line of linesOf(content)) {
    lineNumber++
    // A lone ":" follows a key of more than 1,024 characters, which stands after "? ".
    if (/^\s*(?:#|$)/.test(line) || line === ':') continue
    if (/^\s/.test(line)) {
      if (entry === null) throw brokenLine(lineNumber)
      takeField(entry, line)
      continue
    }
    const key = line.startsWith('? ') ? line.slice(2) : line.endsWith(':') ? line.slice(0, -1) : null
    if (key === null) throw brokenLine(lineNumber)
    if (entry !== null) yield entry
    entry = { descriptor: firstDescriptor(key), version: null, resolution: null }
  }
  if (entry !== null) yield entry
}

function brokenLine(lineNumber: number): ManifestError {
  return new ManifestError(`It is no yarn.lock that can be read (line ${lineNumber}).`)
}

function takeField(entry: Entry, line: string): void {
  const field = /^ {2}"?(version|resolution)"?:? +(\S.*)$/.exec(line)
  const value = field?.[2] === undefined ? null : unquoted(field[2].trimEnd())
  if (field?.[1] === 'version') entry.version = value
  if (field?.[1] === 'resolution') entry.resolution = value
}

/** Classic quotes each descriptor of a key separately, berry all of them together. */
function firstDescriptor(key: string): string {
  const comma = key.indexOf(', ')
  return unquoted(comma === -1 ? key : key.slice(0, comma))
}

function unquoted(text: string): string {
  return text.replace(/^"/, '').replace(/"$/, '')
}

/** Berry's resolution has the real name where the descriptor has an alias; classic has the alias in its descriptor. */
function mentionOf({ descriptor, version, resolution }: Entry): Mention | null {
  const { name, reference } = splitDescriptor(resolution ?? descriptor) ?? { name: descriptor, reference: '' }
  return name === '__metadata' ? null : npmMention(name, reference, version)
}
