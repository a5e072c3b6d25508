import { z } from 'zod'
import type { Advisory, AffectedProduct, AffectedRange } from '#core/software/advisory.ts'
import { boundedAffected } from './bounded-affected.ts'
import { type Cpe, isNamed, readCpe } from './cpe.ts'
import { isDistribution } from './distributions.ts'
import { parseRecord, readTime, recordId, summaryOf, versionText } from './record-text.ts'
import { rateScore, rateVectors, type Rating, unrated } from './severity.ts'

/** Reads one `cve` of the NVD's API 2.0. Throws AdvisoryError. */
export function readNvd(record: unknown): Advisory {
  const read = parseRecord(recordSchema, record, 'A record of the NVD')
  const modifiedAt = readTime(read.lastModified)
  const description = read.descriptions.find(({ lang }) => lang === 'en')?.value
  return {
    source: 'nvd',
    id: read.id,
    aliases: [],
    publishedAt: readTime(read.published),
    modifiedAt,
    withdrawnAt: read.vulnStatus === 'Rejected' ? (modifiedAt ?? readTime(read.published) ?? new Date(0)) : null,
    summary: summaryOf(undefined, description),
    ...ratingOf(read.metrics),
    url: `https://nvd.nist.gov/vuln/detail/${encodeURIComponent(read.id)}`,
    affected: boundedAffected(affectedOf(read.configurations)),
  }
}

const text = z.string()
const matchSchema = z.object({
  vulnerable: z.boolean(),
  criteria: text,
  versionStartIncluding: text.optional(),
  versionStartExcluding: text.optional(),
  versionEndIncluding: text.optional(),
  versionEndExcluding: text.optional(),
})
const nodeSchema = z.object({ negate: z.boolean().nullish(), cpeMatch: z.array(matchSchema).max(20_000).default([]) })
const configurationSchema = z.object({
  operator: text.nullish(),
  negate: z.boolean().nullish(),
  // The number is limited because each node is compared with every other.
  nodes: z.array(nodeSchema).max(1_000).default([]),
})
const metricSchema = z
  .array(
    z.object({
      type: text.optional(),
      cvssData: z.object({ vectorString: text.default(''), baseScore: z.number().optional() }),
    }),
  )
  .default([])
  .catch([])
const metricsSchema = z
  .object({
    cvssMetricV40: metricSchema,
    cvssMetricV31: metricSchema,
    cvssMetricV30: metricSchema,
    cvssMetricV2: metricSchema,
  })
  .nullish()
  .catch(null)
const recordSchema = z.object({
  id: recordId,
  published: text.optional(),
  lastModified: text.optional(),
  vulnStatus: text.optional(),
  descriptions: z.array(z.object({ lang: text, value: text })).default([]),
  metrics: metricsSchema,
  configurations: z.array(configurationSchema).max(10_000).default([]),
})
type Configuration = z.output<typeof configurationSchema>
type Match = z.output<typeof matchSchema>

/** NVD's own rating comes before those of others, and a newer CVSS version before an older one. */
function ratingOf(metrics: z.output<typeof metricsSchema>): Rating {
  if (!metrics) return unrated
  const { cvssMetricV40, cvssMetricV31, cvssMetricV30, cvssMetricV2 } = metrics
  const newestFirst = [...cvssMetricV40, ...cvssMetricV31, ...cvssMetricV30, ...cvssMetricV2]
  const primaryFirst = newestFirst.toSorted((one, other) => Number(isSecondary(one)) - Number(isSecondary(other)))
  for (const { cvssData } of primaryFirst) {
    const rated = rateVectors([cvssData.vectorString])
    if (rated !== unrated) return rated
    if (cvssData.baseScore !== undefined) return rateScore(cvssData.baseScore)
  }
  return unrated
}

function isSecondary({ type }: { type?: string | undefined }): boolean {
  return type !== 'Primary'
}

/** What one match says of its product. */
type Said = Omit<AffectedProduct, 'affected'> & { edition: string; range: AffectedRange | null; version: string | null }

function affectedOf(configurations: readonly Configuration[]): AffectedProduct[] {
  const said = configurations.filter(({ negate }) => negate !== true).flatMap(saidBy)
  // A distribution ships nearly everything: where the record names another product, the distribution only ships that.
  const isShipped = said.some(({ product }) => !isDistribution(product))
  const kept = isShipped ? said.filter(({ product }) => !isDistribution(product)) : said
  return [...Map.groupBy(kept, ({ product }) => product).values()].flatMap(joined)
}

type Matched = { match: Match; cpe: Cpe }

/** With AND a product is affected only on or with another one, mostly an operating system. */
function saidBy({ operator, nodes }: Configuration): Said[] {
  const read = nodes
    .filter(({ negate }) => negate !== true)
    .map(({ cpeMatch }) => cpeMatch.flatMap((match) => readMatch(match)))
  const isJoint = operator === 'AND' && read.length > 1
  return read.flatMap((node, index) => {
    const others = isJoint ? read.filter((_, other) => other !== index) : []
    if (others.some((other) => other.length > 0 && other.every(({ cpe }) => cpe.part === 'h'))) return []
    const isConditional = others.some((other) => !other.some(({ cpe }) => cpe.product === linux))
    return node
      .filter(({ match, cpe }) => match.vulnerable && cpe.part !== 'h' && !isOfPhones.test(cpe.targetSystem))
      .map((matched) => saidOf(matched, isConditional))
  })
}

/** Servers run on Linux, so a product that is affected on Linux is affected without condition. */
const linux = 'cpe:linux:linux_kernel'

/** Apps for phones are often named like the server to which they belong. */
const isOfPhones = /^(?:android|iphone_os|ipad_os|ipados|ios|watchos|tvos|blackberry.*|windows_phone.*)$/
/** These systems are where the software usually runs, so naming one does not limit the vulnerability to it. */
const isOfOneSystem = /^(?:windows.*|mac_?os.*|solaris|aix|freebsd|hp-ux|vmware.*|esxi?)$/

function readMatch(match: Match): Matched[] {
  const cpe = readCpe(match.criteria)
  return cpe === null ? [] : [{ match, cpe }]
}

function saidOf({ match, cpe }: Matched, isPartial: boolean): Said {
  const { product, edition } = cpe
  const range = rangeOf(match)
  const isConditional = isPartial || isOfOneSystem.test(cpe.targetSystem)
  if (range !== null) return { product, edition, isConditional, mayApply: false, range, version: null }
  const version = exactVersion(cpe)
  const isAll = version === null && cpe.version === '*'
  const all = version === null ? allVersions : null
  return { product, edition, isConditional, mayApply: all !== null && !isAll, range: all, version }
}

const allVersions: AffectedRange = { introduced: null, isIntroducedIncluded: true, fixed: null, lastAffected: null }

/** Null where the match has no bounds. */
function rangeOf(match: Match): AffectedRange | null {
  const introduced = versionText(match.versionStartIncluding ?? match.versionStartExcluding)
  const fixed = versionText(match.versionEndExcluding)
  const lastAffected = versionText(match.versionEndIncluding)
  if (introduced === null && fixed === null && lastAffected === null) return null
  return { introduced, isIntroducedIncluded: match.versionStartExcluding === undefined, fixed, lastAffected }
}

/** The version with its update: `9.6` and `p1`, `2.9.0` and `rc1`. */
function exactVersion({ version, update }: Cpe): string | null {
  if (!isNamed(version)) return null
  return versionText(isNamed(update) ? `${version}-${update}` : version)
}

/** Where editions differ, a match is reported as one that may apply, because it is not known which edition runs. */
function joined(ofProduct: readonly Said[]): AffectedProduct[] {
  const editions = Map.groupBy(ofProduct, ({ edition }) => (isNamed(edition) ? edition : ''))
  const texts = new Set([...editions.values()].map(textOf))
  const isDivided = texts.size > 1 || (editions.size === 1 && !editions.has(''))
  const parts = Map.groupBy(ofProduct, (one) => JSON.stringify([one.isConditional || isDivided, one.mayApply]))
  return [...parts.values()].flatMap((said) => {
    const [first] = said
    if (first === undefined) return []
    const { product, mayApply } = first
    const ranges = unique(said.flatMap(({ range }) => range ?? []))
    const versions = [...new Set(said.flatMap(({ version }) => version ?? []))]
    return [{ product, affected: { ranges, versions }, isConditional: first.isConditional || isDivided, mayApply }]
  })
}

function textOf(said: readonly Said[]): string {
  return [...new Set(said.map(({ range, version }) => JSON.stringify([range, version])))]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .join(' ')
}

function unique(ranges: readonly AffectedRange[]): AffectedRange[] {
  return [...new Map(ranges.map((range) => [JSON.stringify(range), range])).values()]
}
