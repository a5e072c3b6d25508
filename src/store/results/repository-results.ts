import { wasCompared } from '#core/software/comparison.ts'
import type { Transaction } from '#store/database/database.ts'
import { readComparisons } from '#store/software/comparisons.ts'
import type { StorableResult } from './store-batch.ts'

/**
 * Adds `packages` and `findings` to results of repositories, without ignored ones: null until the manifests were read,
 * and `findings` until the packages were compared with all that they need. A prober reads the manifests and knows no
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
  // Planned anew each time: a plan that was made while there was little software takes seconds for much.
  const { rows } = await tx.client.query<CountRow>(countStatement, [monitorKeys])
  // How old the data are makes no difference to a number.
  const comparisons = await readComparisons(tx, monitorKeys.map(String), new Date())
  return new Map(
    rows.map(({ key, is_read: isRead, packages, findings }) => {
      const comparison = comparisons.get(key)
      const isCompared = packages === 0 || (comparison !== undefined && wasCompared(comparison))
      const known = { packages, findings: isCompared ? findings : null }
      return [Number(key), isRead ? known : { packages: null, findings: null }]
    }),
  )
}

type CountRow = Counts & { key: string; is_read: boolean }

// A first scan that failed has read nothing.
const countStatement = `
select
  asked.key,
  scan.scanned_at is not null and (scan.scan_error is null or listed.packages > 0) as is_read,
  listed.packages,
  (
    select count(*)::integer
    from findings as finding
    join monitor_software as software on software.id = finding.software_id
    where finding.monitor_key = asked.key
      and not software.ignored
  ) as findings
from unnest($1::bigint[]) as asked (key)
cross join lateral (
  select count(*)::integer as packages
  from monitor_software
  where monitor_key = asked.key
    and not ignored
) as listed
left join software_scans as scan on scan.monitor_key = asked.key`
