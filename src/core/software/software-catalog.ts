import { catalogRows } from './catalog-entries.ts'
import { type ProductKey, ecosystems, productKey } from './software-name.ts'

/** A product of the catalogue, with its names elsewhere. */
export type CatalogEntry = {
  key: ProductKey
  name: string
  kind: 'os' | 'software'
  aliases: readonly string[]
  /** Its name at endoflife.date. */
  eol: string | null
  /** Further product keys under which advisories name it: CPEs, its package, its name at Bitnami. */
  advisoryKeys: readonly ProductKey[]
}

/** Ordered by kind, operating systems first, for the people who read the list. */
export const softwareCatalog: readonly CatalogEntry[] = catalogRows.map(
  ({ key, name, kind, aliases = [], eol = null, cpes = [], packageKey, bitnami }) => ({
    key,
    name,
    kind,
    aliases,
    eol,
    advisoryKeys: [
      ...(bitnami === undefined ? [] : [`bitnami:${bitnami}`]),
      ...(packageKey === undefined ? [] : [packageKey]),
      ...cpes.map((cpe) => `cpe:${cpe}`),
    ],
  }),
)

const byKey = new Map(softwareCatalog.map((entry) => [entry.key, entry]))
/** Later entries replace earlier ones: a key is found before a name, and a name before an alias. */
const byName = new Map(
  softwareCatalog
    .toReversed()
    .flatMap((entry) => entry.aliases.map((alias): [string, CatalogEntry] => [alias, entry]))
    .concat(softwareCatalog.map((entry): [string, CatalogEntry] => [entry.name.toLowerCase(), entry]))
    .concat(softwareCatalog.map((entry): [string, CatalogEntry] => [entry.key, entry])),
)

const byAdvisoryKey = keysByAdvisoryKey()

export function findCatalogEntry(key: ProductKey): CatalogEntry | null {
  return byKey.get(key) ?? null
}

/** Finds a product by its key, its name or an alias, in any case. */
function findCatalogName(text: string): CatalogEntry | null {
  return byName.get(text.trim().toLowerCase()) ?? null
}

/**
 * Finds the product that a text names: `<ecosystem>:<package>`, `cpe:<vendor>:<product>`, or a name of the catalogue.
 * Null when the text names nothing known (docs/software.md).
 */
export function resolveSoftware(text: string): { product: ProductKey; name: string } | null {
  const written = text.trim()
  const ecosystem = ecosystems.find((each) => written.toLowerCase().startsWith(`${each}:`))
  if (ecosystem === undefined) {
    const entry = findCatalogName(written)
    return entry === null ? null : { product: entry.key, name: entry.name }
  }
  const name = written.slice(ecosystem.length + 1)
  const product = productKey(ecosystem, name)
  return product === null ? null : { product, name }
}

/** The inverse of `advisoryKeysOf`: every product that advisories of this one concern. */
export function concernedProducts(product: ProductKey): readonly ProductKey[] {
  return [product, ...(byAdvisoryKey.get(product) ?? [])]
}

/** Every product key whose advisories concern this product. A product of the catalogue has further names there. */
export function advisoryKeysOf(product: ProductKey): readonly ProductKey[] {
  const entry = byKey.get(product)
  return entry === undefined ? [product] : [product, ...entry.advisoryKeys]
}

function keysByAdvisoryKey(): ReadonlyMap<ProductKey, readonly ProductKey[]> {
  const keys = new Map<ProductKey, ProductKey[]>()
  for (const { key, advisoryKeys } of softwareCatalog)
    for (const advisoryKey of advisoryKeys) keys.set(advisoryKey, [...(keys.get(advisoryKey) ?? []), key])
  return keys
}
