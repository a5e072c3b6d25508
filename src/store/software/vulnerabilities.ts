import type { Transaction } from '#store/database/database.ts'

export type Renaming = { from: string; to: string }

/**
 * Remakes the rows of these vulnerabilities from their live advisories, each field from the best source that has it.
 * Findings move with a vulnerability to its new name, so that no contact is told of them again; `names` holds both
 * names. A vulnerability without any advisory left is deleted, and its findings with it.
 */
export async function remakeVulnerabilities(
  { client }: Transaction,
  names: readonly string[],
  renamings: readonly Renaming[] = [],
): Promise<void> {
  const live = await client.query<{ id: string }>({
    name: 'remake_vulnerabilities',
    text: remakeStatement,
    values: [names],
  })
  for (const { from, to } of renamings) {
    await client.query({ name: 'move_component_findings', text: moveComponentsStatement, values: [from, to] })
    await client.query({ name: 'move_findings', text: moveStatement, values: [from, to] })
    await client.query({ name: 'move_exposures', text: moveExposuresStatement, values: [from, to] })
  }
  const isLive = new Set(live.rows.map(({ id }) => id))
  const over = names.filter((name) => !isLive.has(name))
  if (over.length > 0)
    await client.query({
      name: 'forget_vulnerabilities',
      text: `delete from vulnerabilities where id = any($1::text[]) and source <> 'endoflife'`,
      values: [over],
    })
}

// Whatever was withdrawn, or affects nothing, is no longer live. GitHub's records are the best written of OSV's.
const remakeStatement = `
with live as (
  select
    advisory.*,
    row_number() over (
      order by array_position(array['osv', 'nvd', 'cve'], source), id not like 'GHSA-%', id
    ) as rank
  from advisories as advisory
  where vulnerability = any($1::text[])
    and withdrawn_at is null
    and exists (select from affected_products where advisory_key = advisory.key)
), named as (
  select
    vulnerability as id,
    (array_agg(source order by rank))[1] as source,
    (array_agg(summary order by summary is null, rank))[1] as summary,
    (array_agg(severity order by severity is null, score is null, rank))[1] as severity,
    (array_agg(score order by severity is null, score is null, rank))[1] as score,
    (array_agg(url order by url is null, rank))[1] as url,
    min(published_at) as published_at
  from live
  group by vulnerability
), aliased as (
  select vulnerability as id, array_agg(distinct alias order by alias) as aliases
  from live
  cross join unnest(array_append(aliases, live.id)) as alias
  where alias <> vulnerability
  group by vulnerability
), complete as (
  select
    named.id,
    coalesce(aliased.aliases, '{}') as aliases,
    named.source,
    named.summary,
    named.severity,
    named.score,
    named.url,
    named.published_at,
    (
      select min(added_on)
      from exploited
      where cve = any(array_append(coalesce(aliased.aliases, '{}'), named.id))
    ) as exploited_on
  from named
  left join aliased using (id)
), written as (
  insert into vulnerabilities as known
    (id, aliases, source, summary, severity, score, url, published_at, exploited_on)
  select id, aliases, source, summary, severity, score, url, published_at, exploited_on
  from complete
  order by id
  on conflict (id) do update
  set aliases = excluded.aliases,
    source = excluded.source,
    summary = excluded.summary,
    severity = excluded.severity,
    score = excluded.score,
    url = excluded.url,
    published_at = excluded.published_at,
    exploited_on = excluded.exploited_on
  where known is distinct from excluded
)
select id from complete`

const moveComponentsStatement = `
update component_findings as finding
set vulnerability = $2
where vulnerability = $1
  and exists (select from vulnerabilities where id = $2)
  and not exists (
    select
    from component_findings
    where component_key = finding.component_key
      and vulnerability = $2
  )`

const moveStatement = `
update findings as finding
set vulnerability = $2
where vulnerability = $1
  and exists (select from vulnerabilities where id = $2)
  and not exists (
    select
    from findings
    where software_id = finding.software_id
      and vulnerability = $2
  )`

const moveExposuresStatement = `
update exposures as exposure
set vulnerability = $2
where vulnerability = $1
  and closed_at is null
  and exists (select from vulnerabilities where id = $2)
  and not exists (
    select
    from exposures
    where monitor_key = exposure.monitor_key
      and product = exposure.product
      and vulnerability = $2
      and closed_at is null
  )`
