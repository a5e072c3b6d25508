import type { Ecosystem, ProductKey } from '#core/software/software-name.ts'
import type { ManifestFormat } from './file-names.ts'

/** A format that is read; content without a file name is a plain list. */
export type ReadableFormat = ManifestFormat | 'plain'

/** One product that a manifest names: a package of an ecosystem, or software by a name that the catalogue may know. */
export type Mention =
  | { ecosystem: Ecosystem; name: string; version: string | null }
  | { software: string; version: string | null }

/** `version` is null where the file gives a range, or no version. */
export type ManifestPackage = { product: ProductKey; name: string; version: string | null }

/**
 * `unrecognized` has the unchanged lines of a plain list that name nothing known. `doubt` says why content without
 * packages may be no manifest at all: a file that was downloaded is better refused then, whereas a repository keeps
 * what its owner put there.
 */
export type ManifestReading = { packages: ManifestPackage[]; unrecognized: string[]; doubt: string | null }

/** Finds a product by its catalogue key, one of its names, or a prefixed name such as `npm:lodash`. */
export type ResolveName = (name: string) => { product: ProductKey; name: string } | null

/**
 * The content is not a manifest of its format, or is too long. The message is a sentence for the caller who imports it.
 */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}
