import {
  type AdvisorySource,
  type AffectedProduct,
  type AffectedRange,
  advisorySources,
} from '#core/software/advisory.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { type CompiledAffected, compileAffected, fixesOf, isAffected, mayBeAffected } from './affected.ts'
import { type ParsedVersion, type VersionScheme, versionOrder } from './version-order.ts'

/** What one advisory says of a product, under its own key or under one of its names elsewhere. */
export type KnownAffected = Omit<AffectedProduct, 'product'> & {
  vulnerability: string
  source: AdvisorySource
  publishedAt: Date | null
  isExploited: boolean
}

export type Match = {
  vulnerability: string
  /** False where the vulnerability only may apply. */
  versionKnown: boolean
  fixedIn: string | null
  fixVersion: string | null
}

export type CompiledAdvisories = {
  readonly scheme: VersionScheme
  readonly groups: readonly Group[]
  /** Release lines (`20`, `8.2`) to which a bound or a listed version belongs. */
  readonly lines: ReadonlySet<string>
}

/**
 * Compiles all that is known of a product, for comparing many versions with it. Of each vulnerability only the best
 * source that covers the product counts.
 */
export function compileAdvisories(known: readonly KnownAffected[], scheme: VersionScheme): CompiledAdvisories {
  const groups = [...Map.groupBy(known, ({ vulnerability }) => vulnerability).values()]
    .map(ofBestSource)
    .map((records) => compileGroup(records, scheme))
  return { scheme, groups, lines: new Set(groups.flatMap(linesOf)) }
}

/**
 * The vulnerabilities of one version; null is an unknown version. A component without a version, or with only a release
 * line, never has a certain match. It gets possible matches only for vulnerabilities that are exploited, have no fix or
 * are new: with all of them every component would appear vulnerable.
 */
export function matchVersion(compiled: CompiledAdvisories, text: string | null, now: Date): Match[] {
  const version = readVersion(compiled, text)
  const matches: Match[] = []
  const vague: { group: Group; match: Match }[] = []
  for (const group of compiled.groups) {
    const certainty = judge(group, version, compiled.scheme)
    if (certainty === 'none') continue
    const match = matchOf(group, version, certainty)
    if (certainty === 'sure' || (version.parsed !== null && version.line === null)) matches.push(match)
    else if (isWorthTelling(group, now)) vague.push({ group, match })
  }
  const newest = vague.toSorted((one, other) => urgency(other.group) - urgency(one.group)).slice(0, maxVague)
  return [...matches, ...newest.map(({ match }) => match)]
}

/** Limit of possible matches of one component; the most recent are kept. */
const maxVague = 100
const newForMs = 365 * dayMs

type Certainty = 'sure' | 'possible' | 'none'

type Entry = {
  readonly ranges: readonly AffectedRange[]
  readonly versions: readonly string[]
  readonly compiled: CompiledAffected
  readonly isCertain: boolean
}

type Group = {
  readonly vulnerability: string
  readonly publishedAt: Date | null
  readonly isExploited: boolean
  readonly entries: readonly Entry[]
}

/** `line` is set where the version names a release line within which an advisory distinguishes versions. */
type ReadVersion = { readonly parsed: ParsedVersion | null; readonly line: string | null }

function ofBestSource(records: readonly KnownAffected[]): KnownAffected[] {
  const rank = ({ source }: KnownAffected): number => advisorySources.indexOf(source)
  const best = Math.min(...records.map(rank))
  return records.filter((record) => rank(record) === best)
}

function compileGroup(records: readonly KnownAffected[], scheme: VersionScheme): Group {
  const [first] = records
  return {
    vulnerability: first?.vulnerability ?? '',
    publishedAt: first?.publishedAt ?? null,
    isExploited: first?.isExploited ?? false,
    entries: records.map(({ affected, isConditional, mayApply }) => ({
      ...affected,
      compiled: compileAffected(affected, scheme),
      isCertain: !isConditional && !mayApply,
    })),
  }
}

function linesOf({ entries }: Group): string[] {
  const bounds = entries.flatMap(({ ranges, versions }) => [...ranges.flatMap(boundsOf), ...versions])
  return bounds.flatMap((bound) => {
    const [major, minor, ...rest] = bare(bound).split('.')
    if (major === undefined || minor === undefined) return []
    return rest.length === 0 ? [major] : [major, `${major}.${minor}`]
  })
}

/** A line begins with its `.0`, so a fix in that version does not concern the line. */
function boundsOf({ introduced, fixed, lastAffected }: AffectedRange): string[] {
  return [introduced, fixed === null ? null : fixed.replace(/(?:\.0)+$/, ''), lastAffected].filter(
    (bound) => bound !== null,
  )
}

function bare(version: string): string {
  return version.replace(/^v/i, '')
}

function readVersion({ scheme, lines }: CompiledAdvisories, text: string | null): ReadVersion {
  const parsed = text === null ? null : versionOrder(scheme).parse(text)
  const line = parsed === null ? '' : bare(parsed.text)
  return { parsed, line: lines.has(line) ? line : null }
}

function judge({ entries }: Group, { parsed, line }: ReadVersion, scheme: VersionScheme): Certainty {
  let certainty: Certainty = 'none'
  for (const entry of entries) {
    const ofLine = line === null ? null : apart(entry, line, scheme)
    const compiled = ofLine?.compiled ?? entry.compiled
    const isHit = parsed !== null && isAffected(compiled, parsed)
    if (isHit && entry.isCertain) return 'sure'
    if (isHit || ofLine?.isPossible === true || mayBeAffected(compiled, parsed)) certainty = 'possible'
  }
  return certainty
}

/** An entry's effect on a line as a whole; `isPossible` where it affects some versions of the line and not others. */
function apart(
  { ranges, versions }: Entry,
  line: string,
  scheme: VersionScheme,
): { compiled: CompiledAffected; isPossible: boolean } {
  const isInside = (bound: string): boolean => bare(bound).startsWith(`${line}.`)
  const others = ranges.filter((range) => !boundsOf(range).some(isInside))
  const isPossible = others.length < ranges.length || versions.some(isInside)
  return { compiled: compileAffected({ ranges: others, versions: [...versions] }, scheme), isPossible }
}

function matchOf({ vulnerability, entries }: Group, { parsed }: ReadVersion, certainty: Certainty): Match {
  const compiled = entries.map((entry) => entry.compiled)
  return { vulnerability, versionKnown: certainty === 'sure', ...fixesOf(compiled, parsed) }
}

function isWorthTelling({ entries, publishedAt, isExploited }: Group, now: Date): boolean {
  const isUnfixed = entries.some(({ ranges }) => ranges.some((range) => (range.fixed ?? range.lastAffected) === null))
  return isExploited || isUnfixed || (publishedAt !== null && now.getTime() - publishedAt.getTime() < newForMs)
}

function urgency({ publishedAt, isExploited }: Group): number {
  return isExploited ? Infinity : (publishedAt?.getTime() ?? 0)
}
