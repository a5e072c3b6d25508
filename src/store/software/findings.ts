import type { Finding } from '#core/software/vulnerability.ts'
import type { Database, Transaction } from '#store/database/database.ts'

/**
 * Has the findings of these monitors looked through for alerts once the transaction has ended. Until then no job alerts
 * any of them.
 */
export async function noteFindings({ client }: Transaction, monitorKeys: readonly string[]): Promise<void> {
  await client.query({
    name: 'note_findings',
    text: `insert into finding_alerts (monitor_key)
    select key
    from unnest($1::bigint[]) as key
    order by key
    ${onNoted}`,
    values: [monitorKeys],
  })
}

/**
 * The end of every insert into `finding_alerts`: a row that exists is held until the transaction ends, changed or not.
 * Otherwise a job might tell it, and end it, before the findings are there.
 */
export const onNoted = `
on conflict (monitor_key) do update
set due_at = excluded.due_at
where excluded.due_at < finding_alerts.due_at`

/**
 * Makes the findings of these entries equal to the matches of their components. A component without a comparison yet
 * has no matches to give; the comparison adds them later. Only while the components are held.
 */
export async function refreshFindings(
  { client }: Transaction,
  softwareIds: readonly string[],
  at: Date,
): Promise<void> {
  if (softwareIds.length === 0) return
  await client.query({ name: 'drop_findings', text: dropStatement, values: [softwareIds] })
  await client.query({ name: 'add_findings', text: addStatement, values: [softwareIds, at] })
}

/**
 * A finding as it is marked. `fixVersion` is the version with which it was marked while that was not compared yet, so
 * that marking again says the same.
 */
export type FoundFinding = {
  id: string
  name: string
  softwareId: string
  product: string
  vulnerability: string
  fixVersion: string | null
}

export async function findFinding(
  { pool }: Pick<Database, 'pool'>,
  { monitorKey, findingId }: { monitorKey: string; findingId: string },
): Promise<FoundFinding | undefined> {
  const { rows } = await pool.query<FoundFinding>({
    name: 'find_finding',
    text: findStatement,
    values: [monitorKey, findingId],
  })
  return rows[0]
}

/** A person says that this version fixes it. The mark stays while the version is still affected. */
export async function markFixed(
  { client }: Transaction,
  { softwareId, vulnerability, version }: { softwareId: string; vulnerability: string; version: string },
): Promise<void> {
  await client.query({
    name: 'mark_fixed',
    text: 'update findings set marked_fixed_version = $3 where software_id = $1 and vulnerability = $2',
    values: [softwareId, vulnerability, version],
  })
}

export type FindingRow = {
  id: string
  vulnerability: string
  aliases: string[]
  product: string
  software_name: string
  version: string | null
  version_known: boolean
  summary: string | null
  severity: Finding['severity']
  score: string | null
  fixed_in: string | null
  fix_version: string | null
  marked_fixed_version: string | null
  url: string | null
  source: Finding['source']
  published_at: Date | null
  exploited_on: string | null
  alerted_at: Date | null
}

/** Columns of `finding`, `software`, `component`, `known` (its vulnerability) and `matched`, which is left joined. */
export const findingColumns = `
  finding.id,
  finding.vulnerability,
  known.aliases,
  component.product,
  software.name as software_name,
  component.version,
  coalesce(matched.version_known, component.version is not null) as version_known,
  known.summary,
  known.severity,
  known.score,
  matched.fixed_in,
  matched.fix_version,
  case when finding.marked_fixed_version = component.version then finding.marked_fixed_version end
    as marked_fixed_version,
  known.url,
  known.source,
  known.published_at,
  known.exploited_on::text,
  finding.alerted_at`

export const findingSources = `
findings as finding
join monitor_software as software on software.id = finding.software_id
join components as component on component.key = software.component_key
join vulnerabilities as known on known.id = finding.vulnerability
left join component_findings as matched
  on matched.component_key = software.component_key
  and matched.vulnerability = finding.vulnerability`

/** Exploited ones first, then the most severe (docs/vulnerabilities.md). */
export const findingOrder = `
  known.exploited_on is null,
  array_position(array['critical', 'high', 'medium', 'low'], known.severity),
  known.score desc nulls last,
  known.published_at desc nulls last,
  finding.vulnerability,
  finding.id`

export function toFinding(row: FindingRow): Finding {
  const { vulnerability, score, published_at: publishedAt, alerted_at: alertedAt, ...same } = row
  return {
    ...same,
    vuln_id: vulnerability,
    kind: row.source === 'endoflife' ? 'end_of_life' : 'vulnerability',
    score: score === null ? null : Number(score),
    published_at: publishedAt?.toISOString() ?? null,
    alerted_at: alertedAt?.toISOString() ?? null,
  }
}

const dropStatement = `
delete from findings as finding
using monitor_software as software
join components as component on component.key = software.component_key
where software.id = any($1::uuid[])
  and finding.software_id = software.id
  and component.matched_at is not null
  and not exists (
    select
    from component_findings
    where component_key = software.component_key
      and vulnerability = finding.vulnerability
  )`

// A vulnerability that is about to be withdrawn is waited for, lest it is gone when the finding that names it is looked at.
const addStatement = `
insert into findings (id, monitor_key, software_id, vulnerability, found_at)
select gen_random_uuid(), software.monitor_key, software.id, matched.vulnerability, $2
from monitor_software as software
join component_findings as matched using (component_key)
join vulnerabilities as known on known.id = matched.vulnerability
where software.id = any($1::uuid[])
order by matched.component_key, matched.vulnerability
for key share of known
on conflict do nothing`

const findStatement = `
select
  finding.id,
  software.name,
  software.id as "softwareId",
  component.product,
  finding.vulnerability,
  coalesce(matched.fix_version, case when component.matched_at is null then finding.marked_fixed_version end)
    as "fixVersion"
from ${findingSources}
where finding.monitor_key = $1
  and finding.id = $2
  and not software.ignored`
