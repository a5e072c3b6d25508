import { z } from 'zod'
import type { Advisory, AffectedProduct } from '#core/software/advisory.ts'
import { type ProductKey, productKey } from '#core/software/software-name.ts'
import { boundedAffected } from './bounded-affected.ts'
import { cpeOfNames, readCpe } from './cpe.ts'
import { affectedByCve } from './cve-versions.ts'
import { parseRecord, readTime, recordId, summaryOf } from './record-text.ts'
import { rateVectors } from './severity.ts'

/**
 * Reads one record of the CVE list (format 5): the words of its numbering authority and additions of others. Its
 * products are CPEs, vendors and products in the spelling of a CPE, and plugins and themes of WordPress, but never
 * packages, which these records name too vaguely. Throws AdvisoryError.
 */
export function readCve(record: unknown): Advisory {
  const { cveMetadata: about, containers } = parseRecord(recordSchema, record, 'A record of the CVE list')
  const { cna, adp } = containers
  const description = cna.descriptions.find(({ lang }) => lang.startsWith('en'))?.value
  const isRejected = about.state === 'REJECTED'
  const modifiedAt = readTime(about.dateUpdated)
  return {
    source: 'cve',
    id: about.cveId,
    aliases: [],
    publishedAt: readTime(about.datePublished),
    modifiedAt,
    withdrawnAt: isRejected ? (readTime(about.dateRejected) ?? modifiedAt ?? new Date(0)) : null,
    summary: summaryOf(cna.title, description),
    ...rateVectors([cna, ...adp].flatMap(({ metrics }) => metrics.flatMap(vectorsOf))),
    url: `https://www.cve.org/CVERecord?id=${encodeURIComponent(about.cveId)}`,
    affected: isRejected ? [] : boundedAffected(unique([...affectedBy(cna), ...adp.flatMap(affectedBy)])),
  }
}

const text = z.string()
const versionSchema = z.object({
  version: text,
  status: text,
  lessThan: text.optional(),
  lessThanOrEqual: text.optional(),
  versionType: text.optional(),
  changes: z
    .array(z.object({ at: text, status: text }))
    .max(1000)
    .optional(),
})
const affectedSchema = z.object({
  vendor: text.default(''),
  product: text.default(''),
  packageName: text.optional(),
  collectionURL: text.optional(),
  cpes: z.array(text).max(1000).default([]),
  platforms: z.array(text).default([]).catch([]),
  defaultStatus: text.optional(),
  versions: z.array(versionSchema).max(20_000).default([]),
})
const cvss = z.object({ vectorString: text }).optional().catch(undefined)
const containerSchema = z.object({
  title: text.optional(),
  descriptions: z.array(z.object({ lang: text, value: text })).default([]),
  metrics: z
    .array(z.object({ cvssV4_0: cvss, cvssV3_1: cvss, cvssV3_0: cvss, cvssV2_0: cvss }))
    .default([])
    .catch([]),
  affected: z.array(affectedSchema).max(10_000).default([]),
  references: z
    .array(z.object({ url: text }))
    .default([])
    .catch([]),
})
const recordSchema = z.object({
  cveMetadata: z.object({
    cveId: recordId,
    state: text,
    datePublished: text.optional(),
    dateUpdated: text.optional(),
    dateRejected: text.optional(),
  }),
  containers: z.object({ cna: containerSchema, adp: z.array(containerSchema).default([]).catch([]) }),
})
type Container = z.output<typeof containerSchema>
type ReadAffected = z.output<typeof affectedSchema>

function vectorsOf(metric: Container['metrics'][number]): string[] {
  return [metric.cvssV4_0, metric.cvssV3_1, metric.cvssV3_0, metric.cvssV2_0].flatMap((one) => one?.vectorString ?? [])
}

function affectedBy({ affected, references }: Container): AffectedProduct[] {
  const [only, ...others] = affected
  const referred = only !== undefined && others.length === 0 ? extensionOf(references) : null
  return affected.flatMap((one) => {
    const { isVague, ...versions } = affectedByCve(one.versions, one.defaultStatus)
    if (versions.ranges.length + versions.versions.length === 0) return []
    const isConditional = one.platforms.length > 0 && !one.platforms.some((platform) => /linux|all|any/i.test(platform))
    return productsOf(one, referred).map((product) => ({
      product,
      affected: versions,
      isConditional,
      mayApply: isVague,
    }))
  })
}

/**
 * Names the product by its place in WordPress's directory, and by its CPEs or else the words of which a CPE is made.
 */
function productsOf(read: ReadAffected, referred: ProductKey | null): ProductKey[] {
  const extension = extensionIn(read) ?? referred
  const cpes = read.cpes.flatMap((name) => readCpe(name) ?? []).filter(({ part }) => part !== 'h')
  const products = cpes.length > 0 ? cpes.map(({ product }) => product) : [cpeOfNames(read.vendor, read.product)]
  return [...new Set([extension, ...products])].filter((product) => product !== null)
}

function extensionIn({ collectionURL = '', packageName }: ReadAffected): ProductKey | null {
  const [, kind] = /^https?:\/\/(?:www\.)?wordpress\.org\/(plugins|themes)\/?$/.exec(collectionURL) ?? []
  return kind === undefined || packageName === undefined ? null : extensionKey(kind, packageName)
}

/** For a record of one product: the plugin or theme to whose pages or sources it refers, if they are those of one. */
function extensionOf(references: Container['references']): ProductKey | null {
  const found = references.slice(0, 100).map(({ url }) => {
    const [, kind, slug] = sources.exec(url) ?? pages.exec(url) ?? []
    return kind === undefined || slug === undefined ? null : extensionKey(kind, slug)
  })
  const [only = null, ...others] = new Set(found.filter((key) => key !== null))
  return others.length === 0 ? only : null
}

const sources =
  /^https?:\/\/(plugins|themes)\.(?:trac|svn)\.wordpress\.org\/(?:browser\/|log\/|changeset\/\d+\/)?([\w-]+)/
const pages = /^https?:\/\/(?:[a-z-]+\.)?wordpress\.org\/(plugins|themes)\/([\w-]+)/

function extensionKey(kind: string, slug: string): ProductKey | null {
  // Addresses of changes to several plugins have this in place of a name.
  if (/^(?:changeset|browser|log)$/.test(slug)) return null
  return productKey(kind === 'plugins' ? 'wp-plugin' : 'wp-theme', slug)
}

/** Authorities and contributors often say the same. */
function unique(affected: readonly AffectedProduct[]): AffectedProduct[] {
  return [...new Map(affected.map((one) => [JSON.stringify(one), one])).values()]
}
