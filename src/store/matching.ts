import type { ReleaseCycle } from '#core/advisory.ts'
import type { ProductKey } from '#core/software-name.ts'
import { textArray } from './array-literal.ts'
import type { Database, Transaction } from './database.ts'

/** A product and version that is to be compared with what is known of its product. */
export type Component = {
  key: string
  product: ProductKey
  version: string | null
  /** Nobody compared it before. */
  isNew: boolean
}

/** Whether there is anything to compare, asked without any lock. */
export async function hasUnmatched({ pool }: Pick<Database, 'pool'>, staleBefore: Date): Promise<boolean> {
  const { rows } = await pool.query<{ waits: boolean }>({
    name: 'has_unmatched',
    text: `select exists (select from match_queue)
      or exists (select from components where matched_at is null)
      or exists (select from components where matched_at < $1) as waits`,
    values: [staleBefore],
  })
  return rows[0]?.waits ?? false
}

/**
 * Takes the products that have waited longest from the queue, and holds what monitors have of them until the
 * transaction ends: nobody adds any of it to a list meanwhile.
 */
export async function holdQueued({ client }: Transaction, limit: number): Promise<Component[]> {
  const { rows: taken } = await client.query<{ product: ProductKey }>({
    name: 'take_queued',
    text: `delete from match_queue
    where product in (select product from match_queue order by enqueued_at limit $1 for update skip locked)
    returning product`,
    values: [limit],
  })
  if (taken.length === 0) return []
  const { rows } = await client.query<Component>({
    name: 'hold_queued',
    text: `select key, product, version, matched_at is null as "isNew"
    from components
    where product = any($1::text[])
    order by key
    for update`,
    values: [taken.map(({ product }) => product)],
  })
  return rows
}

/** The same for components that nobody compared yet, and for those that were last compared before a time. */
export async function holdUnmatched(
  { client }: Transaction,
  { staleBefore, limit }: { staleBefore: Date; limit: number },
): Promise<Component[]> {
  const { rows } = await client.query<Component>({
    name: 'hold_unmatched',
    text: `select key, product, version, matched_at is null as "isNew"
    from components
    where matched_at is null
      or matched_at < $1
    order by matched_at nulls first
    limit $2
    for update skip locked`,
    values: [staleBefore, limit],
  })
  return rows
}

/** What the feeds tell of these products of endoflife.date, by product. */
export async function readCycles(
  { client }: Transaction,
  products: readonly string[],
): Promise<Map<string, Omit<ReleaseCycle, 'releasedOn'>[]>> {
  const { rows } = await client.query<Omit<ReleaseCycle, 'releasedOn'> & { product: string }>({
    name: 'read_cycles',
    text: `select product, cycle, ends_on::text as "endsOn", is_ended as "isEnded", latest
    from release_cycles
    where product = any($1::text[])
    order by product, cycle`,
    values: [products],
  })
  return Map.groupBy(rows, ({ product }) => product)
}

export type ComponentMatch = {
  componentKey: string
  vulnerability: string
  versionKnown: boolean
  fixedIn: string | null
  fixVersion: string | null
}

/**
 * Writes all that concerns these components, and the findings of every monitor that has them where that is something
 * else than before. Only under the locks of `holdQueued` or `holdUnmatched`. Returns how many pairs of a component and
 * a vulnerability are new or changed.
 */
export async function writeMatches(
  tx: Transaction,
  { components, matches, at }: { components: readonly Component[]; matches: readonly ComponentMatch[]; at: Date },
): Promise<number> {
  const keys = components.map(({ key }) => key)
  const changed = await keepPairs(tx, matches)
  await tx.client.query({ name: 'note_matched', text: noteStatement, values: valuesOf(changed) })
  await tx.client.query({ name: 'spread_matched', text: spreadStatement, values: [...valuesOf(changed), at] })
  await dropPairs(tx, keys, matches)
  const fresh = components.filter(({ isNew }) => isNew).map(({ key }) => key)
  if (fresh.length > 0)
    await tx.client.query({ name: 'drop_earlier_findings', text: dropEarlierStatement, values: [fresh] })
  await tx.client.query({
    name: 'set_matched',
    text: 'update components set matched_at = $2 where key = any($1::bigint[])',
    values: [keys, at],
  })
  return changed.length
}

type Pair = { component_key: string; vulnerability: string }

function valuesOf(pairs: readonly Pair[]): [keys: string[], vulnerabilities: string] {
  return [pairs.map((pair) => pair.component_key), textArray(pairs.map(({ vulnerability }) => vulnerability))]
}

async function keepPairs({ client }: Transaction, matches: readonly ComponentMatch[]): Promise<Pair[]> {
  const { rows } = await client.query<Pair>({
    name: 'keep_component_findings',
    text: keepStatement,
    values: [
      matches.map(({ componentKey }) => componentKey),
      textArray(matches.map(({ vulnerability }) => vulnerability)),
      matches.map(({ versionKnown }) => versionKnown),
      textArray(matches.map(({ fixedIn }) => fixedIn)),
      textArray(matches.map(({ fixVersion }) => fixVersion)),
    ],
  })
  return rows
}

async function dropPairs(
  { client }: Transaction,
  keys: readonly string[],
  matches: readonly ComponentMatch[],
): Promise<void> {
  const { rows } = await client.query<Pair>({
    name: 'drop_component_findings',
    text: dropStatement,
    values: [
      keys,
      matches.map(({ componentKey }) => componentKey),
      textArray(matches.map(({ vulnerability }) => vulnerability)),
    ],
  })
  if (rows.length > 0) await client.query({ name: 'drop_matched', text: dropFindingsStatement, values: valuesOf(rows) })
}

// A vulnerability that was withdrawn meanwhile is not there to be joined.
const keepStatement = `
insert into component_findings as kept
  (component_key, vulnerability, version_known, fixed_in, fix_version, severity, is_exploited)
select
  matched.component_key,
  known.id,
  matched.version_known,
  matched.fixed_in,
  matched.fix_version,
  known.severity,
  known.exploited_on is not null
from unnest($1::bigint[], $2::text[], $3::boolean[], $4::text[], $5::text[])
  as matched (component_key, vulnerability, version_known, fixed_in, fix_version)
join vulnerabilities as known on known.id = matched.vulnerability
on conflict (component_key, vulnerability) do update
set version_known = excluded.version_known,
  fixed_in = excluded.fixed_in,
  fix_version = excluded.fix_version,
  severity = excluded.severity,
  is_exploited = excluded.is_exploited
where kept is distinct from excluded
returning component_key, vulnerability`

const noteStatement = `
insert into finding_alerts (monitor_key)
select distinct software.monitor_key
from unnest($1::bigint[], $2::text[]) as changed (component_key, vulnerability)
join monitor_software as software using (component_key)
order by software.monitor_key
on conflict do nothing`

const spreadStatement = `
insert into findings (id, monitor_key, software_id, vulnerability, found_at)
select gen_random_uuid(), software.monitor_key, software.id, changed.vulnerability, $3
from unnest($1::bigint[], $2::text[]) as changed (component_key, vulnerability)
join monitor_software as software using (component_key)
on conflict do nothing`

const dropStatement = `
delete from component_findings as kept
where component_key = any($1::bigint[])
  and not exists (
    select
    from unnest($2::bigint[], $3::text[]) as matched (component_key, vulnerability)
    where matched.component_key = kept.component_key
      and matched.vulnerability = kept.vulnerability
  )
returning component_key, vulnerability`

const dropFindingsStatement = `
delete from findings as finding
using unnest($1::bigint[], $2::text[]) as dropped (component_key, vulnerability)
join monitor_software as software using (component_key)
where finding.software_id = software.id
  and finding.vulnerability = dropped.vulnerability`

const dropEarlierStatement = `
delete from findings as finding
using monitor_software as software
where software.component_key = any($1::bigint[])
  and finding.software_id = software.id
  and not exists (
    select
    from component_findings
    where component_key = software.component_key
      and vulnerability = finding.vulnerability
  )`
