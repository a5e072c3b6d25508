import type { Affected, AffectedRange } from '#core/software/advisory.ts'
import { compareVersions, type ParsedVersion, type VersionScheme, versionOrder } from './version-order.ts'

/** A range of keys: `from` belongs to it, `until` does not. */
type KeyRange = { readonly from: string; readonly until: string; readonly fixed: ParsedVersion | null }

export type CompiledAffected = {
  readonly ranges: readonly KeyRange[]
  /** Ranges with a bound that cannot be read, left open there: versions in them may be affected. */
  readonly vagueRanges: readonly KeyRange[]
  readonly versions: ReadonlySet<string>
  /** What `ranges` cover, in order and without overlaps. */
  readonly spans: readonly Pick<KeyRange, 'from' | 'until'>[]
}

/**
 * Reads the bounds once, so that a test costs two comparisons of strings. The scheme must be the one by which the
 * version to be compared was read, whatever the advisory's own ecosystem is.
 */
export function compileAffected(affected: Affected, scheme: VersionScheme): CompiledAffected {
  const { parse } = versionOrder(scheme)
  const ranges: KeyRange[] = []
  const vagueRanges: KeyRange[] = []
  for (const range of affected.ranges) {
    const bounds = readBounds(range, parse)
    const isVague = Object.values(bounds).includes('unreadable')
    ;(isVague ? vagueRanges : ranges).push(keyRange(bounds, range.isIntroducedIncluded))
  }
  const versions = affected.versions.map((version) => parse(version)?.key).filter((key) => key !== undefined)
  return { ranges, vagueRanges, versions: new Set(versions), spans: spansOf(ranges) }
}

/** Whether a version is affected for certain, by ranges with readable bounds. */
export function isAffected(compiled: CompiledAffected, version: ParsedVersion): boolean {
  return compiled.versions.has(version.key) || isWithin(compiled.spans, version.key)
}

/** Whether a version that is not affected for certain may be: an unknown one (null), or one in a vague range. */
export function mayBeAffected(compiled: CompiledAffected, version: ParsedVersion | null): boolean {
  const { ranges, vagueRanges, versions } = compiled
  if (version === null) return ranges.length + vagueRanges.length + versions.size > 0
  return vagueRanges.some((range) => contains(range, version))
}

export type Fixes = {
  /** The fix that ends the version's range, from the first of the group that names one; failing that, the last fix. */
  fixedIn: string | null
  /**
   * The next fix that nothing in the group affects. Where the version's release line has one it is that, since fixes of
   * later lines are higher.
   */
  fixVersion: string | null
}

/**
 * `group` is all that is known of one vulnerability and one product, the best source first. For an unknown version,
 * both fixes are the last ones.
 */
export function fixesOf(group: readonly CompiledAffected[], version: ParsedVersion | null): Fixes {
  const ranges = [...group.flatMap(({ ranges: sure }) => sure), ...group.flatMap(({ vagueRanges }) => vagueRanges)]
  const fixes = ranges
    .flatMap(({ fixed }) => fixed ?? [])
    .filter((fixed) => version === null || compareVersions(fixed, version) > 0)
    .toSorted(compareVersions)
  const own = version && ranges.find((range) => range.fixed !== null && contains(range, version))
  const isSound = (fix: ParsedVersion): boolean => !group.some((compiled) => isAffected(compiled, fix))
  const sound = version === null ? fixes.findLast(isSound) : fixes.find(isSound)
  return { fixedIn: (own?.fixed ?? fixes.at(-1))?.text ?? null, fixVersion: sound?.text ?? null }
}

type Parse = (text: string) => ParsedVersion | null
type Bound = ParsedVersion | 'unreadable' | null
type Bounds = { readonly introduced: Bound; readonly fixed: Bound; readonly lastAffected: Bound }

function readBounds(range: AffectedRange, parse: Parse): Bounds {
  const isFromBeginning = range.introduced === '0' && range.isIntroducedIncluded
  return {
    introduced: isFromBeginning ? null : readBound(range.introduced, parse),
    fixed: readBound(range.fixed, parse),
    lastAffected: readBound(range.lastAffected, parse),
  }
}

function readBound(text: string | null, parse: Parse): Bound {
  return text === null ? null : (parse(text) ?? 'unreadable')
}

function keyRange({ introduced, fixed, lastAffected }: Bounds, isIntroducedIncluded: boolean): KeyRange {
  const from = keyOf(introduced) ?? first
  const untilFixed = keyOf(fixed) ?? beyondAll
  const lastKey = keyOf(lastAffected)
  const untilLast = lastKey === undefined ? beyondAll : next(lastKey)
  return {
    from: isIntroducedIncluded ? from : next(from),
    until: untilFixed < untilLast ? untilFixed : untilLast,
    fixed: fixed === 'unreadable' ? null : fixed,
  }
}

const first = ''
/** Higher than any key, whose characters are far below. */
const beyondAll = '\uffff'

function keyOf(bound: Bound): string | undefined {
  return bound === null || bound === 'unreadable' ? undefined : bound.key
}

/** The next higher text: none lies between a text and the same text followed by the lowest character. */
function next(key: string): string {
  return `${key}\0`
}

/** Merges overlapping ranges, because a hostile record may have so many that testing each one would be slow. */
function spansOf(ranges: readonly KeyRange[]): Pick<KeyRange, 'from' | 'until'>[] {
  const spans: { from: string; until: string }[] = []
  const inOrder = ranges.length < 2 ? ranges : ranges.toSorted((one, other) => (one.from < other.from ? -1 : 1))
  for (const { from, until } of inOrder) {
    const last = spans.at(-1)
    if (from >= until) continue
    if (last === undefined || from > last.until) spans.push({ from, until })
    else if (until > last.until) last.until = until
  }
  return spans
}

function isWithin(spans: CompiledAffected['spans'], key: string): boolean {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.until ?? '') > key) high = middle
    else low = middle + 1
  }
  const span = spans[low]
  return span !== undefined && span.from <= key
}

function contains(range: KeyRange, { key }: ParsedVersion): boolean {
  return range.from <= key && key < range.until
}
