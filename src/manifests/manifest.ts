import type { Ecosystem, ProductKey } from '#core/software/software-name.ts'
import type { ManifestFormat } from './file-names.ts'

/** A format that is read; a plain list is what comes without a file name. Specification, Import rules 1. */
export type ReadableFormat = ManifestFormat | 'plain'

/** What a manifest names: a package of an ecosystem, or a product by a name that the catalogue may know. */
export type Mention =
  | { ecosystem: Ecosystem; name: string; version: string | null }
  | { software: string; version: string | null }

/** `version` is null where the file gives a range, or none. */
export type ManifestPackage = { product: ProductKey; name: string; version: string | null }

/** `unrecognized` has the lines of a plain list that name nothing known, as they stand. */
export type ManifestReading = { packages: ManifestPackage[]; unrecognized: string[] }

/** Product of a catalogue key, of one of its names, or of a prefixed name such as `npm:lodash`. */
export type ResolveName = (name: string) => { product: ProductKey; name: string } | null

/** The content is no manifest of its format, or too much of one. The message is a sentence for whoever imports it. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}
