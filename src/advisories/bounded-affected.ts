import type { AffectedProduct, AffectedRange } from '#core/software/advisory.ts'

/** The bounds hold for one record. No recorded one has a hundred ranges; some list thousands of versions. */
export const maxRanges = 10_000
export const maxVersions = 20_000

const everything: AffectedRange = { introduced: null, isIntroducedIncluded: true, fixed: null, lastAffected: null }

/**
 * Bounds what comparing components with a record can cost later. Products beyond the bounds may be affected in any
 * version: a record that says too much hides nothing.
 */
export function boundedAffected(affected: readonly AffectedProduct[]): AffectedProduct[] {
  let ranges = 0
  let versions = 0
  return affected.map((one) => {
    ranges += one.affected.ranges.length
    versions += one.affected.versions.length
    if (ranges <= maxRanges && versions <= maxVersions) return one
    return { ...one, affected: { ranges: [everything], versions: [] }, mayApply: true }
  })
}
