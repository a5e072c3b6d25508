import { z } from 'zod'
import type { Advisory, Affected, AffectedProduct, AffectedRange } from '#core/software/advisory.ts'
import { osvPrefixes } from '#core/software/feed-sources.ts'
import { type ProductKey, productKey } from '#core/software/software-name.ts'
import { isCve } from '#core/software/vulnerability-name.ts'
import { compileAffected, isAffected } from './affected.ts'
import { boundedAffected } from './bounded-affected.ts'
import { type OsvEvent, rangesOfEvents } from './osv-events.ts'
import { isRecordId, parseRecord, readTime, recordId, summaryOf, versionText } from './record-text.ts'
import { rateVectors, rateWord, type Rating, unrated } from './severity.ts'
import { schemeOf, versionOrder } from './version-order.ts'

/** Reads one record (OSV schema 1.7) and leaves out packages of other ecosystems. Throws AdvisoryError. */
export function readOsv(record: unknown): Advisory {
  const read = parseRecord(recordSchema, record, 'An OSV record')
  const { id, aliases, affected } = read
  return {
    source: 'osv',
    id,
    aliases: [...new Set(aliases)].filter((alias) => alias !== id),
    publishedAt: readTime(read.published),
    modifiedAt: readTime(read.modified),
    withdrawnAt: readTime(read.withdrawn),
    summary: summaryOf(read.summary, read.details),
    ...ratingOf(read),
    url: urlOf(read),
    affected: boundedAffected(affected.flatMap(readAffected)),
  }
}

const text = z.string()
const eventSchema = z.object({
  introduced: text.optional(),
  fixed: text.optional(),
  last_affected: text.optional(),
  limit: text.optional(),
})
/** Some records have a word in place of the list. */
const severitySchema = z
  .array(z.object({ score: text }))
  .nullish()
  .catch(null)
const osSchema = z
  .object({ os: z.array(text).optional() })
  .nullish()
  .catch(null)
const importsSchema = z
  .array(z.object({ goos: z.array(text).optional() }))
  .nullish()
  .catch(null)
const affectedSchema = z.object({
  package: z.object({ ecosystem: text, name: text }).nullish(),
  severity: severitySchema,
  ranges: z.array(z.object({ type: text, events: z.array(eventSchema).max(10_000) })).nullish(),
  versions: z.array(text).max(100_000).nullish(),
  ecosystem_specific: z.object({ imports: importsSchema, affects: osSchema }).nullish().catch(null),
  database_specific: z
    .object({
      last_known_affected_version_range: text.optional().catch(undefined),
      informational: z.unknown().optional(),
    })
    .nullish()
    .catch(null),
})
/** Leaves out texts that are no names. */
const aliasesSchema = z
  .array(text)
  .max(1000)
  .nullish()
  .transform((aliases) => (aliases ?? []).map((alias) => alias.trim()).filter((alias) => isRecordId.test(alias)))
const recordSchema = z.object({
  id: recordId,
  modified: text.optional(),
  published: text.optional(),
  withdrawn: text.nullish(),
  aliases: aliasesSchema,
  summary: text.optional(),
  details: text.optional(),
  severity: severitySchema,
  affected: z
    .array(affectedSchema)
    .max(10_000)
    .nullish()
    .transform((affected) => affected ?? []),
  database_specific: z
    .object({ severity: text.optional().catch(undefined) })
    .nullish()
    .catch(null),
})
type Record = z.output<typeof recordSchema>
type ReadAffected = z.output<typeof affectedSchema>

/**
 * The rating of the whole record, else the highest of its packages, else the rating in words where no vector can be
 * read.
 */
function ratingOf({ id, severity, affected, database_specific: specific }: Record): Rating {
  const whole = rateVectors(vectorsOf(severity))
  if (whole !== unrated) return whole
  const [highest = unrated] = affected
    .map((one) => rateVectors(vectorsOf(one.severity)))
    .toSorted((one, other) => (other.score ?? -1) - (one.score ?? -1))
  if (highest !== unrated) return highest
  return id.startsWith('MAL-') ? { severity: 'critical', score: null } : rateWord(specific?.severity)
}

function vectorsOf(severity: ReadAffected['severity']): string[] {
  return severity?.map(({ score }) => score) ?? []
}

/** Bitnami has a record for each product of a vulnerability, so the page of the CVE tells more. */
function urlOf({ id, aliases }: Record): string {
  if (id.startsWith('GHSA-')) return `https://github.com/advisories/${id}`
  const number = id.startsWith('BIT-') ? aliases.find(isCve) : undefined
  return number === undefined
    ? `https://osv.dev/vulnerability/${encodeURIComponent(id)}`
    : `https://nvd.nist.gov/vuln/detail/${number}`
}

/** The part behind a colon names a registry whose packages have names in the same space. */
function productOf({ ecosystem, name }: { ecosystem: string; name: string }): ProductKey | null {
  const [base = ''] = ecosystem.split(':', 1)
  if (base === 'Bitnami') return /^[\w.-]{1,200}$/.test(name) ? `bitnami:${name.toLowerCase()}` : null
  const prefix = osvPrefixes.get(base)
  return prefix === undefined ? null : productKey(prefix, name)
}

function readAffected(read: ReadAffected): AffectedProduct[] {
  const product = read.package ? productOf(read.package) : null
  if (product === null || isNoVulnerability(read)) return []
  const bound = knownBound(read.database_specific?.last_known_affected_version_range)
  const ranges = (read.ranges ?? [])
    .filter(({ type }) => type !== 'GIT')
    .flatMap(({ events }) => rangesOfEvents(events.map(readEvent), schemeOf(product)))
    .map((range) => (range.fixed === null && range.lastAffected === null ? Object.assign(range, bound) : range))
  const versions = otherVersions(product, ranges, read.versions ?? [])
  if (ranges.length + versions.length === 0) return []
  return [{ product, affected: { ranges, versions }, isConditional: isOfOtherSystems(read), mayApply: false }]
}

/** RustSec also has notices about crates that are not maintained any more. */
function isNoVulnerability({ database_specific: specific }: ReadAffected): boolean {
  return specific?.informational === 'unmaintained' || specific?.informational === 'notice'
}

/** Go and RustSec name systems to which a vulnerability is limited; servers mostly run Linux. */
function isOfOtherSystems({ ecosystem_specific: specific }: ReadAffected): boolean {
  const crate = specific?.affects?.os ?? []
  const imports = specific?.imports?.map(({ goos }) => goos ?? []) ?? []
  const systems = imports.length > 0 && imports.every((goos) => goos.length > 0) ? imports.flat() : crate
  return systems.length > 0 && !systems.includes('linux')
}

function readEvent(event: OsvEvent): OsvEvent {
  return {
    introduced: versionText(event.introduced) ?? undefined,
    fixed: versionText(event.fixed) ?? undefined,
    last_affected: versionText(event.last_affected) ?? undefined,
    limit: versionText(event.limit) ?? undefined,
  }
}

/** Reads GitHub's `<= 1.2.3` for a vulnerability without a fix. */
function knownBound(written: string | undefined): Partial<AffectedRange> {
  const [, sign, bound] = /^\s*(<=?)\s*(\S+)\s*$/.exec(written ?? '') ?? []
  const version = versionText(bound)
  if (version === null) return {}
  return sign === '<' ? { fixed: version } : { lastAffected: version }
}

/** Listed versions that no range holds; most lists only repeat the ranges. */
function otherVersions(product: ProductKey, ranges: AffectedRange[], listed: readonly string[]): Affected['versions'] {
  if (listed.length === 0) return []
  const scheme = schemeOf(product)
  const compiled = compileAffected({ ranges, versions: [] }, scheme)
  const { parse } = versionOrder(scheme)
  return [...new Set(listed)].flatMap((each) => {
    const version = parse(each)
    return version === null || isAffected(compiled, version) ? [] : [version.text]
  })
}
