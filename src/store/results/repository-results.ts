import { type ComparedList, comparisonOf, wasCompared } from '#core/software/comparison.ts'
import { singledOut } from '#core/software/feed-sources.ts'
import type { Transaction } from '#store/database/database.ts'
import { entriesOf, productsOf, readFeedReadings } from '#store/software/comparisons.ts'
import type { StorableResult } from './store-batch.ts'

/**
 * Adds `packages` and `findings` to results of repositories, without ignored ones: null until the manifests were read,
 * and `findings` until all packages were compared with all that they need. A prober reads the manifests and knows no
 * findings, so the counts join its result where it is stored.
 */
export async function withSoftwareCounts(
  tx: Transaction,
  results: readonly StorableResult[],
): Promise<StorableResult[]> {
  const keys = new Set(results.filter(namesManifests).map(({ monitorKey }) => monitorKey))
  if (keys.size === 0) return [...results]
  const counts = await readCounts(tx, [...keys])
  return results.map((result) => {
    const counted = namesManifests(result) ? counts.get(result.monitorKey) : undefined
    if (counted === undefined) return result
    return { ...result, verdict: { ...result.verdict, details: { ...result.verdict.details, ...counted } } }
  })
}

type Counts = { packages: number | null; findings: number | null }

function namesManifests({ verdict: { details } }: StorableResult): boolean {
  return typeof details['manifests'] === 'number'
}

async function readCounts(tx: Transaction, monitorKeys: readonly number[]): Promise<Map<number, Counts>> {
  // Before the counts: what is compared afterwards is in them.
  const readings = await readFeedReadings(tx)
  // Planned anew each time: a plan that was made while there was little software takes seconds for much.
  const { rows } = await tx.client.query<CountRow>(countStatement, [monitorKeys, singledOut])
  return new Map(
    rows.map(({ key, is_read: isRead, findings, ...list }) => {
      const { entries: packages } = list
      // How old the data are makes no difference to a number.
      const isCompared = packages === 0 || wasCompared(comparisonOf(list, readings, new Date()))
      const known = { packages, findings: isCompared ? findings : null }
      return [Number(key), isRead ? known : { packages: null, findings: null }]
    }),
  )
}

type CountRow = ComparedList & { key: string; is_read: boolean; findings: number }

// One statement sees the packages and their findings at one moment. A first scan that failed has read nothing.
const countStatement = `
select
  asked.key,
  scan.scanned_at is not null and (scan.scan_error is null or listed.entries > 0) as is_read,
  listed.entries,
  listed.waiting,
  ${productsOf('asked.key', '$2')} as products,
  (
    select count(*)::integer
    from findings as finding
    join monitor_software as software on software.id = finding.software_id
    where finding.monitor_key = asked.key
      and not software.ignored
  ) as findings
from unnest($1::bigint[]) as asked (key)
cross join lateral ${entriesOf('asked.key')} as listed
left join software_scans as scan on scan.monitor_key = asked.key`
