import { linesOf } from './lines.ts'
import type { ManifestReading, ResolveName } from './manifest.ts'
import { maxPackages, packageSet, tooManyPackages } from './package-set.ts'

/**
 * A list of one product or package a line: `name version`, `name@version`, `name==version`, `name: version`, or the
 * name alone. Empty lines and comments count for nothing; what names nothing known is told (Specification, Import
 * rules 4).
 */
export function readPlainList(content: string, resolve: ResolveName): ManifestReading {
  const found = packageSet(resolve)
  const unrecognized: string[] = []
  for (const line of linesOf(content)) {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const isKnown = text.length <= maxLineLength && readings(text).some(found.add)
    if (!isKnown) unrecognized.push(line)
    if (unrecognized.length > maxPackages) throw tooManyPackages()
  }
  return { packages: found.list(), unrecognized }
}

/** Names have at most 300 characters, and versions 128. */
const maxLineLength = 500

type Reading = { software: string; version: string | null }

/**
 * What a line may mean, the likeliest first. A version begins with a digit and is the last word; names may have
 * spaces and numbers of their own. A colon without a space is last, because names have such colons too.
 */
function readings(line: string): Reading[] {
  const text = line.replace(/^[-*•]\s+/, '').replace(/[,;]$|\s+(?:#.*|lts)$/i, '')
  const spaced = /^(.*[^\s=@:])(?:\s*(?:==|@|:(?=\s))\s*|\s+)v?(\d\S*)$/i.exec(text)
  const joined = /^(.*[^\s:]):v?(\d\S*)$/i.exec(text)
  return [spaced, joined]
    .map((match) => (match === null ? null : { software: match[1] ?? '', version: match[2] ?? null }))
    .toSpliced(1, 0, { software: text, version: null })
    .filter((reading) => reading !== null)
}
