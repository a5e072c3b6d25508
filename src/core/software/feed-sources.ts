import type { feedNames } from './feed-roots.ts'
import { softwareCatalog } from './software-catalog.ts'
import type { Ecosystem, ProductKey } from './software-name.ts'

/** The ecosystems that are read, by OSV's names, which are also the folders of its archives. */
export const osvEcosystems = [
  'npm',
  'PyPI',
  'RubyGems',
  'Maven',
  'NuGet',
  'Go',
  'Packagist',
  'crates.io',
  'Bitnami',
] as const
type OsvEcosystem = (typeof osvEcosystems)[number]

/** Our prefixes of the packages that are in OSV; those of Bitnami are names of the catalogue. */
export const osvPrefixes: ReadonlyMap<string, Ecosystem> = new Map<string, Ecosystem>([
  ['npm', 'npm'],
  ['PyPI', 'pypi'],
  ['RubyGems', 'gem'],
  ['Maven', 'maven'],
  ['NuGet', 'nuget'],
  ['Go', 'go'],
  ['Packagist', 'composer'],
  ['crates.io', 'cargo'],
])

/** What is read for itself: a feed, or one ecosystem of OSV. */
export type FeedSource = { source: (typeof feedNames)[number]; ecosystem: OsvEcosystem | null }

/** All of them, in the order in which they are shown. */
export const feedSources: readonly FeedSource[] = [
  ...osvEcosystems.map((ecosystem) => ({ source: 'osv' as const, ecosystem })),
  ...(['nvd', 'cve', 'exploited', 'endoflife'] as const).map((source) => ({ source, ecosystem: null })),
]

/** `osv npm`, or `nvd`. */
export function feedName({ source, ecosystem }: FeedSource): string {
  return ecosystem === null ? source : `${source} ${ecosystem}`
}

/**
 * What has to be read before it is known what is wrong with these products. A prefix with its colon (`npm:`) stands for
 * all packages that are not among `singledOut`. What is exploited concerns them all.
 */
export function sourcesOf(products: Iterable<ProductKey>): FeedSource[] {
  const names = new Set<string>()
  for (const product of products) for (const name of feedsOf(product)) names.add(name)
  if (names.size > 0) names.add('exploited')
  return feedSources.filter((source) => names.has(feedName(source)))
}

const ofPrefix: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Array.from(osvPrefixes, ([ecosystem, prefix]): [string, string[]] => [prefix, [`osv ${ecosystem}`]]),
  ['bitnami', ['osv Bitnami']],
  ['cpe', ['nvd', 'cve']],
  // Only the CVE list names them in a way that can be read for sure.
  ['wp-plugin', ['cve']],
  ['wp-theme', ['cve']],
])

const ofProduct = feedsOfCatalog()

/** Products that need other feeds than the rest with their prefix: the catalogue, and the packages of its products. */
export const singledOut: readonly ProductKey[] = [...ofProduct.keys()]

function feedsOf(product: ProductKey): readonly string[] {
  return ofProduct.get(product) ?? feedsOfPrefix(product)
}

function feedsOfPrefix(product: ProductKey): readonly string[] {
  const [prefix = ''] = product.split(':', 1)
  return ofPrefix.get(prefix) ?? []
}

function feedsOfCatalog(): ReadonlyMap<ProductKey, readonly string[]> {
  const feeds = new Map<ProductKey, readonly string[]>()
  for (const { key, eol, advisoryKeys } of softwareCatalog) {
    const end = eol === null ? [] : ['endoflife']
    feeds.set(key, [...advisoryKeys.flatMap(feedsOfPrefix), ...end])
    if (eol !== null) for (const known of advisoryKeys) feeds.set(known, [...feedsOfPrefix(known), ...end])
  }
  return feeds
}
