import type { severities } from '#core/monitors/monitor-fields.ts'
import type { ProductKey } from './software-name.ts'

/** Sources of advisories, the preferred one first: databases of packages, then of products, then raw CVE records. */
export const advisorySources = ['osv', 'nvd', 'cve'] as const
export type AdvisorySource = (typeof advisorySources)[number]

export type Severity = (typeof severities)[number]

/**
 * A range of versions that an advisory concerns, with the advisory's own bounds. Without an upper bound it has no end.
 */
export type AffectedRange = {
  /** Null, or `0` where it is included, means from the beginning, with the pre-releases of 0. */
  introduced: string | null
  isIntroducedIncluded: boolean
  /** The first version that is not affected. */
  fixed: string | null
  /** The last affected version. Where `fixed` is given too, the lower of both ends the range. */
  lastAffected: string | null
}

/** The affected versions of one product: those in any of the ranges, and those that are listed. */
export type Affected = { ranges: AffectedRange[]; versions: string[] }

/** A match that is not certain is reported as one that may apply. */
export type AffectedProduct = {
  product: ProductKey
  affected: Affected
  /** Affected only on some system or in some edition, which is not known of a component. */
  isConditional: boolean
  /** The advisory names the affected versions in a form that cannot be read; the ranges hold all that it can mean. */
  mayApply: boolean
}

/** One record of one source, with the members that matching and findings use. */
export type Advisory = {
  source: AdvisorySource
  id: string
  /** Other names of the same vulnerability, without `id` and without vulnerabilities that are merely related. */
  aliases: string[]
  publishedAt: Date | null
  modifiedAt: Date | null
  /** A withdrawn advisory affects nothing. */
  withdrawnAt: Date | null
  summary: string | null
  severity: Severity | null
  /** CVSS base score, 0 to 10. */
  score: number | null
  url: string | null
  /** A product may occur several times, such as once for certain and once for one of its editions. */
  affected: AffectedProduct[]
}

/** A vulnerability that is known to be exploited, and the day since which that is known. */
export type ExploitedVulnerability = { cve: string; /** YYYY-MM-DD. */ addedOn: string; name: string | null }

/** A release line of a product, named by its first numbers such as `8.1`. */
export type ReleaseCycle = {
  cycle: string
  /** YYYY-MM-DD; null where no end is announced. */
  endsOn: string | null
  isEnded: boolean
  latest: string | null
  releasedOn: string | null
}
export type ProductCycles = { /** The product's name at endoflife.date. */ product: string; cycles: ReleaseCycle[] }
