import { end, numberKey, releaseKey, wordKey } from './order-key.ts'

/**
 * Semantic Versioning 2.0.0, section 11, read loosely as npm does: `v` in front, `1.0.0alpha`, numbers with zeros in
 * front, also fewer numbers than three (the others are 0) and more (which count). Build metadata does not count.
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

/** NuGet: up to four numbers, and letters without case. */
export function nugetKey(text: string): string | null {
  return semanticKey(text.toLowerCase())
}

/** Modules as semantic versions; toolchains as they name themselves: `go1.21rc2` is 1.21.0-rc.2. */
export function goKey(text: string): string | null {
  const version = text.replace(/^go(?=\d)/, '')
  return semanticKey(version.replace(toolchainCandidate, '$1.0-$2.$3'))
}

const prefix = /^=?[vV]?/
const dottedNumbers = /^\d+(?:\.\d+)*/
const toolchainCandidate = /^(\d+\.\d+)(beta|rc)(\d+)$/

/** A release lies above its pre-releases; of those, numbers lie below words, and what is longer above its beginning. */
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
