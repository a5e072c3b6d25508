import { textArray } from '#store/database/array-literal.ts'
import type { Transaction } from '#store/database/database.ts'
import { notedMs } from './finding-alerts.ts'
import { onNoted } from './findings.ts'
import type { Component } from './matching.ts'

export type ComponentMatch = {
  componentKey: string
  vulnerability: string
  versionKnown: boolean
  fixedIn: string | null
  fixVersion: string | null
}

/** `isLast`: nothing more is to be compared now, so alerts need not wait for it. */
export type Compared = {
  components: readonly Component[]
  matches: readonly ComponentMatch[]
  at: Date
  isLast: boolean
}

/**
 * Writes all that concerns these components, and the findings of every monitor that has them where that is something
 * else than before. Only while the components are held for it. Returns how many pairs of a component and a vulnerability
 * are new or changed.
 */
export async function writeMatches(tx: Transaction, { components, matches, at, isLast }: Compared): Promise<number> {
  if (components.length === 0) return 0
  const changed = await keepPairs(tx, matches)
  if (changed.length > 0) await note(tx, changed, isLast ? 0 : notedMs)
  await dropEarlier(tx, keysOf(components.filter(({ isNew }) => isNew)))
  if (changed.length > 0) await spread(tx, changed, at)
  await dropPairs(tx, keysOf(components.filter(({ isNew }) => !isNew)), matches)
  await tx.client.query({
    name: 'set_matched',
    text: 'update components set matched_at = $2 where key = any($1::bigint[])',
    values: [keysOf(components), at],
  })
  return changed.length
}

type Pair = { component_key: string; vulnerability: string }

// Most of these statements have no name: the plan for a list of any length may be a bad one for thousands.

async function keepPairs({ client }: Transaction, matches: readonly ComponentMatch[]): Promise<Pair[]> {
  if (matches.length === 0) return []
  const { rows } = await client.query<Pair>(keepStatement, [
    arrayOf(matches.map(({ componentKey }) => componentKey)),
    textArray(matches.map(({ vulnerability }) => vulnerability)),
    arrayOf(matches.map(({ versionKnown }) => String(versionKnown))),
    textArray(matches.map(({ fixedIn }) => fixedIn)),
    textArray(matches.map(({ fixVersion }) => fixVersion)),
  ])
  return rows
}

async function note({ client }: Transaction, changed: readonly Pair[], dueInMs: number): Promise<void> {
  await client.query(noteStatement, [keysIn(changed), dueInMs])
}

async function spread({ client }: Transaction, changed: readonly Pair[], at: Date): Promise<void> {
  await client.query(spreadStatement, [...valuesOf(changed), at])
}

/** Matches that entries kept from before they became these components, which were never compared. */
async function dropEarlier({ client }: Transaction, fresh: string): Promise<void> {
  await client.query(dropEarlierStatement, [fresh])
}

async function dropPairs({ client }: Transaction, keys: string, matches: readonly ComponentMatch[]): Promise<void> {
  const { rows } = await client.query<Pair>(dropStatement, [
    keys,
    arrayOf(matches.map(({ componentKey }) => componentKey)),
    textArray(matches.map(({ vulnerability }) => vulnerability)),
  ])
  if (rows.length > 0) await client.query(dropFindingsStatement, valuesOf(rows))
}

function valuesOf(pairs: readonly Pair[]): [keys: string, vulnerabilities: string] {
  return [
    arrayOf(pairs.map(({ component_key: key }) => key)),
    textArray(pairs.map(({ vulnerability }) => vulnerability)),
  ]
}

function keysIn(pairs: readonly Pair[]): string {
  return arrayOf([...new Set(pairs.map(({ component_key: key }) => key))])
}

function keysOf(components: readonly Component[]): string {
  return arrayOf(components.map(({ key }) => key))
}

/** Numbers and booleans need no quotes. */
function arrayOf(values: readonly string[]): string {
  return `{${values.join()}}`
}

// A vulnerability that was withdrawn meanwhile is not there to be joined; one that is about to be is waited for, lest it
// is gone when the pair that names it is looked at. What is as it was is not locked either.
const keepStatement = `
insert into component_findings
  (component_key, vulnerability, version_known, fixed_in, fix_version, severity, is_exploited)
select matched.*, known.severity, known.exploited_on is not null
from unnest($1::bigint[], $2::text[], $3::boolean[], $4::text[], $5::text[])
  as matched (component_key, vulnerability, version_known, fixed_in, fix_version)
join vulnerabilities as known on known.id = matched.vulnerability
left join component_findings as kept
  on kept.component_key = matched.component_key
  and kept.vulnerability = matched.vulnerability
where kept.component_key is null
  or (kept.version_known, kept.fixed_in, kept.fix_version, kept.severity, kept.is_exploited)
    is distinct from
    (matched.version_known, matched.fixed_in, matched.fix_version, known.severity, known.exploited_on is not null)
order by matched.component_key, matched.vulnerability
for key share of known
on conflict (component_key, vulnerability) do update
set version_known = excluded.version_known,
  fixed_in = excluded.fixed_in,
  fix_version = excluded.fix_version,
  severity = excluded.severity,
  is_exploited = excluded.is_exploited
returning component_key, vulnerability`

const noteStatement = `
insert into finding_alerts (monitor_key, due_at)
select distinct monitor_key, now() + $2 * interval '1 ms'
from monitor_software
where component_key = any($1::bigint[])
order by monitor_key
${onNoted}`

// In the order of an index, so that what is written and looked up lies side by side.
const spreadStatement = `
insert into findings (id, monitor_key, software_id, vulnerability, found_at)
select gen_random_uuid(), software.monitor_key, software.id, changed.vulnerability, $3
from unnest($1::bigint[], $2::text[]) as changed (component_key, vulnerability)
join monitor_software as software using (component_key)
order by software.id, changed.vulnerability
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
