import { productKey } from '#core/software/software-name.ts'
import { ManifestError, type ManifestPackage, type Mention, type ResolveName } from './manifest.ts'

/** Limit of one manifest, which also covers the unrecognized lines of a plain list. */
export const maxPackages = 50_000

export type PackageSet = {
  /** Whether the mention names something known. Throws ManifestError when there are too many. */
  add: (mention: Mention) => boolean
  list: () => ManifestPackage[]
}

/**
 * One entry for each product and version in the order of the file. A lock file names a package once for every place
 * where it is installed, and the advisories are the same for all of them (docs/decisions/software-matching.md).
 */
export function packageSet(resolve: ResolveName): PackageSet {
  const packages = new Map<string, ManifestPackage>()
  return {
    add: (mention) => {
      const known = 'software' in mention ? resolve(mention.software) : packageOf(mention)
      if (known === null) return false
      const version = knownVersion(mention.version)
      const key = `${known.product} ${version ?? ''}`
      if (!packages.has(key)) packages.set(key, { ...known, version })
      if (packages.size > maxPackages) throw tooManyPackages()
      return true
    },
    list: () => [...packages.values()],
  }
}

export function tooManyPackages(): ManifestError {
  return new ManifestError('It names more than 50,000 packages; import it in parts.')
}

function packageOf({
  ecosystem,
  name,
}: Extract<Mention, { ecosystem: unknown }>): Pick<ManifestPackage, 'product' | 'name'> | null {
  const product = productKey(ecosystem, name)
  return product === null ? null : { product, name }
}

/**
 * Every version has a digit and no space; the longest real ones, Go's pseudo-versions, have less than 80 characters.
 */
function knownVersion(text: string | null): string | null {
  return text !== null && /^[!-~]{1,128}$/.test(text) && /\d/.test(text) ? text : null
}
