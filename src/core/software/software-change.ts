import type { ProductKey } from './software-name.ts'

/** One product in one version, as a scan, a file or a person names it. */
export type NamedSoftware = { product: ProductKey; name: string; version: string | null; evidence: string | null }

/** A product in the software list of a monitor. */
export type ListedSoftware = NamedSoftware & { id: string; ignored: boolean }

/** The way from one list to another; `changed` entries keep their id. */
export type SoftwareChange = { added: NamedSoftware[]; changed: ListedSoftware[]; removed: ListedSoftware[] }

/**
 * One entry for each product and version of a scan or import. An entry without a version is dropped when the same
 * product has a version elsewhere, because it adds nothing.
 */
export function distinctSoftware(found: readonly NamedSoftware[]): NamedSoftware[] {
  const versioned = new Set(found.filter(({ version }) => version !== null).map(({ product }) => product))
  const distinct = new Map<string, NamedSoftware>()
  for (const one of found) {
    const saysNothing = one.version === null && versioned.has(one.product)
    if (!saysNothing && !distinct.has(identity(one))) distinct.set(identity(one), one)
  }
  return [...distinct.values()]
}

/**
 * The change from the software that was found before to that found now. A product in another version stays the same
 * entry, so that people are not alerted again of a finding that still concerns it. An ignored product stays in the list
 * when it is gone, so that it is still ignored when it comes back.
 */
export function softwareChange(before: readonly ListedSoftware[], found: readonly NamedSoftware[]): SoftwareChange {
  const wanted = new Map(found.map((one) => [identity(one), one]))
  const change: SoftwareChange = { added: [], changed: [], removed: [] }
  const left = new Map<ProductKey, ListedSoftware[]>()
  for (const listed of before) {
    const same = wanted.get(identity(listed))
    if (same === undefined) left.set(listed.product, [...(left.get(listed.product) ?? []), listed])
    else if (same.name !== listed.name || same.evidence !== listed.evidence) change.changed.push({ ...listed, ...same })
    wanted.delete(identity(listed))
  }
  for (const one of wanted.values()) {
    const earlier = left.get(one.product)?.shift()
    if (earlier === undefined) change.added.push(one)
    else change.changed.push({ ...earlier, ...one })
  }
  change.removed = [...left.values()].flat().filter(({ ignored }) => !ignored)
  return change
}

function identity({ product, version }: Pick<NamedSoftware, 'product' | 'version'>): string {
  return `${product} ${version ?? ''}`
}
