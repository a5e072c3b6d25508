import { linesOf } from './lines.ts'
import type { ManifestReading, ResolveName } from './manifest.ts'
import { maxPackages, packageSet, tooManyPackages } from './package-set.ts'

/**
 * A list with one product or package in each line: `name version`, `name@version`, `name==version`, `name: version`, or
 * the name alone. Empty lines and comments are skipped; lines that name nothing known are reported
 * (docs/software-imports.md).
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
  return { packages: found.list(), unrecognized, doubt: null }
}

/** Names have at most 300 characters, and versions 128. */
const maxLineLength = 500

type Reading = { software: string; version: string | null }

/**
 * The possible meanings of a line, the likeliest first. A version begins with a digit and is the last word; names may
 * have spaces and numbers. A colon without a space comes last, because names contain such colons too.
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
