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
  /** Ranges and versions of all groups. */
  readonly size: number
}

/**
 * Compiles all that is known of a product, for comparing many versions with it. Of each vulnerability only the best
 * source that covers the product counts.
 */
export function compileAdvisories(known: readonly KnownAffected[], scheme: VersionScheme): CompiledAdvisories {
  const compiling = compileInTurns(known, scheme)
  for (;;) {
    const turn = compiling.next()
    if (turn.done === true) return turn.value
  }
}

/** Does the same, and yields now and then, so that other work can be done in between. */
export function* compileInTurns(
  known: readonly KnownAffected[],
  scheme: VersionScheme,
): Generator<void, CompiledAdvisories> {
  const groups: Group[] = []
  const lines = new Set<string>()
  let size = 0
  let turn = 0
  for (const records of Map.groupBy(known, ({ vulnerability }) => vulnerability).values()) {
    const group = compileGroup(ofBestSource(records), scheme)
    groups.push(group)
    for (const line of linesOf(group)) lines.add(line)
    size += group.size
    turn += group.size
    if (turn < turnSize) continue
    turn = 0
    yield
  }
  return { scheme, groups, lines, size }
}

/**
 * The vulnerabilities of one version; null is an unknown version. A component without a version, or with only a release
 * line, never has a certain match. It gets possible matches only for vulnerabilities that are exploited, have no fix or
 * are new: with all of them every component would appear vulnerable.
 */
export function matchVersion(compiled: CompiledAdvisories, text: string | null, now: Date): Match[] {
  const matching = beginMatching(compiled, text, now)
  for (const group of compiled.groups) matchGroup(matching, group)
  return matchesOf(matching)
}

/** Does the same, and yields now and then, so that other work can be done in between. */
export function* matchInTurns(compiled: CompiledAdvisories, text: string | null, now: Date): Generator<void, Match[]> {
  const matching = beginMatching(compiled, text, now)
  let size = 0
  for (const group of compiled.groups) {
    matchGroup(matching, group)
    size += group.size
    if (size < turnSize) continue
    size = 0
    yield
  }
  return matchesOf(matching)
}

/** Whether one version of the product takes more than a turn; few products have as many advisories. */
export function needsTurns({ size }: CompiledAdvisories): boolean {
  return size >= turnSize
}

type Matching = {
  readonly scheme: VersionScheme
  readonly version: ReadVersion
  readonly now: Date
  readonly matches: Match[]
  readonly vague: { group: Group; match: Match }[]
}

function beginMatching(compiled: CompiledAdvisories, text: string | null, now: Date): Matching {
  return { scheme: compiled.scheme, version: readVersion(compiled, text), now, matches: [], vague: [] }
}

function matchGroup({ scheme, version, now, matches, vague }: Matching, group: Group): void {
  const certainty = judge(group, version, scheme)
  if (certainty === 'none') return
  const match = matchOf(group, version, certainty)
  if (certainty === 'sure' || (version.parsed !== null && version.line === null)) matches.push(match)
  else if (isWorthTelling(group, now)) vague.push({ group, match })
}

function matchesOf({ matches, vague }: Matching): Match[] {
  const newest = vague.toSorted((one, other) => urgency(other.group) - urgency(one.group)).slice(0, maxVague)
  return [...matches, ...newest.map(({ match }) => match)]
}

/** Ranges and versions that are looked at in one turn: some milliseconds. Most products have fewer in all. */
const turnSize = 5_000

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
  /** Ranges and versions of all entries. */
  readonly size: number
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
    size: records.reduce((size, { affected: { ranges, versions } }) => size + 1 + ranges.length + versions.length, 0),
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
