import type { severities } from '#core/monitors/monitor.ts'
import type { ProductKey } from './software-name.ts'

/** Where advisories come from, the one that is shown first: databases of packages, then of products, then raw records. */
export const advisorySources = ['osv', 'nvd', 'cve'] as const
export type AdvisorySource = (typeof advisorySources)[number]

export type Severity = (typeof severities)[number]

/** A stretch of versions that an advisory concerns, with bounds as it writes them. Without an upper one it has no end. */
export type AffectedRange = {
  /** Null, and `0` where it is included: from the beginning, pre-releases of 0 too. */
  introduced: string | null
  isIntroducedIncluded: boolean
  /** The first that is not affected. */
  fixed: string | null
  /** Affected itself. Where `fixed` is given too, the lower of both ends the range. */
  lastAffected: string | null
}

/** What an advisory says of one product: what lies in any of the ranges, and what is listed, is affected. */
export type Affected = { ranges: AffectedRange[]; versions: string[] }

/** What is not certain is told as something that may apply. */
export type AffectedProduct = {
  product: ProductKey
  affected: Affected
  /** Only on some system or in some edition, which nobody knows of a component. */
  isConditional: boolean
  /** The advisory says what is affected in a way that nobody can read; the ranges hold all that it can mean. */
  mayApply: boolean
}

/** One record of one source, as far as it is used. */
export type Advisory = {
  source: AdvisorySource
  id: string
  /** Other names of the same vulnerability, without `id`; never what is merely related. */
  aliases: string[]
  publishedAt: Date | null
  modifiedAt: Date | null
  /** What is withdrawn affects nothing. */
  withdrawnAt: Date | null
  summary: string | null
  severity: Severity | null
  /** CVSS base score, 0 to 10. */
  score: number | null
  url: string | null
  /** A product may occur several times, such as once for certain and once for one of its editions. */
  affected: AffectedProduct[]
}

/** A vulnerability that is known to be exploited, and since when that is known. */
export type ExploitedVulnerability = { cve: string; /** YYYY-MM-DD. */ addedOn: string; name: string | null }

/** A release line of a product, by its first numbers such as `8.1`. */
export type ReleaseCycle = {
  cycle: string
  /** YYYY-MM-DD; null where nobody has said. */
  endsOn: string | null
  isEnded: boolean
  latest: string | null
  releasedOn: string | null
}
export type ProductCycles = { /** Of endoflife.date. */ product: string; cycles: ReleaseCycle[] }
