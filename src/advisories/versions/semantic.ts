import { end, numberKey, releaseKey, wordKey } from './order-key.ts'

/**
 * Semantic Versioning 2.0.0, section 11, read as loosely as npm reads it: with a leading `v`, `1.0.0alpha`, leading
 * zeros, fewer than three numbers (the others are 0) or more (which count). Build metadata does not count.
 */
export function semanticKey(text: string): string | null {
  const version = text.replace(prefix, '')
  const release = dottedNumbers.exec(version)?.[0]
  if (release === undefined) return null
  const build = version.indexOf('+')
  const rest = version.slice(release.length, build === -1 ? undefined : build)
  const suffix = suffixKey(rest.startsWith('-') ? rest.slice(1) : rest, rest !== '')
  return suffix === null ? null : releaseKey(release.split('.')) + suffix
}

/** NuGet has up to four numbers, and letters without case. */
export function nugetKey(text: string): string | null {
  return semanticKey(text.toLowerCase())
}

/** Modules have semantic versions; toolchains have names of their own: `go1.21rc2` is 1.21.0-rc.2. */
export function goKey(text: string): string | null {
  const version = text.replace(/^go(?=\d)/, '')
  return semanticKey(version.replace(toolchainCandidate, '$1.0-$2.$3'))
}

const prefix = /^=?[vV]?/
const dottedNumbers = /^\d+(?:\.\d+)*/
const toolchainCandidate = /^(\d+\.\d+)(beta|rc)(\d+)$/

/**
 * A release sorts above its pre-releases. Among those, numbers sort below words, and a longer one above its own
 * beginning.
 */
function suffixKey(preRelease: string, isPreRelease: boolean): string | null {
  if (!isPreRelease) return releaseTag
  const identifiers = preRelease.split('.')
  if (!identifiers.every((identifier) => isIdentifier.test(identifier))) return null
  return identifiers.map(identifierKey).join('') + end
}

const releaseTag = '2'
const isIdentifier = /^[0-9A-Za-z-]+$/

function identifierKey(identifier: string): string {
  return /^\d+$/.test(identifier) ? `0${numberKey(identifier)}` : `1${wordKey(identifier)}`
}
