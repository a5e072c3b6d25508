import type { Database } from '#store/database/database.ts'

/**
 * Each call changes so many at most; what is left waits for the next one. As a part of the text, because PostgreSQL
 * plans a statement anew each time where its limit is a parameter, which takes longer than all the rest.
 */
const atOnce = 500

/** Whether there was ever an exposure, or one may begin. Where not, none has to be followed. */
export async function mayHaveExposures({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const { rows } = await pool.query<{ may: boolean }>({ name: 'may_have_exposures', text: mayStatement })
  return rows[0]?.may ?? false
}

/**
 * Begins an exposure for each finding that is known to be exploited, applies to a known version and has none that is
 * open. Returns how many. May run twice, in any number of processes.
 */
export async function openExposures({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const opened = await pool.query({ name: 'open_exposures', text: openStatement })
  return opened.rowCount ?? 0
}

/**
 * Ends exposures whose finding is gone, unless something that the list has of the product waits to be compared; keeps
 * what is known of the others up to date. Returns how many ended.
 */
export async function closeExposures({ pool }: Pick<Database, 'pool'>, at: Date): Promise<number> {
  await pool.query({ name: 'follow_exposures', text: followStatement })
  const closed = await pool.query({ name: 'close_exposures', text: closeStatement, values: [at] })
  await pool.query({ name: 'prove_exposures', text: proveStatement })
  return closed.rowCount ?? 0
}

const mayStatement = `
select
  exists (select from exposures)
  or exists (
    select
    from vulnerabilities as known
    where exploited_on is not null
      and exists (select from findings where vulnerability = known.id)
  ) as may`

const openStatement = `
insert into exposures (
  id, workspace_id, monitor_key, monitor_id, monitor_name, monitor_kind, target, product, software_name, version,
  source, evidence, vulnerability, aliases, summary, severity, url, exploited_on, fixed_in, fix_version, seen_at,
  opened_at
)
select distinct on (monitor.key, component.product, known.id)
  gen_random_uuid(), monitor.workspace_id, monitor.key, monitor.id, monitor.name, monitor.kind, monitor.url,
  component.product, software.name, component.version, software.source, coalesce(software.evidence, software.label),
  known.id, known.aliases, known.summary, known.severity, known.url, known.exploited_on, matched.fixed_in,
  matched.fix_version, finding.found_at,
  greatest(finding.found_at, known.exploited_on::timestamp at time zone 'UTC')
from vulnerabilities as known
join findings as finding on finding.vulnerability = known.id
join monitor_software as software on software.id = finding.software_id
join components as component on component.key = software.component_key
join component_findings as matched
  on matched.component_key = software.component_key
  and matched.vulnerability = finding.vulnerability
join monitors as monitor on monitor.key = finding.monitor_key
where known.exploited_on is not null
  and matched.version_known
  and component.version is not null
  and not software.ignored
  and not exists (
    select
    from exposures
    where monitor_key = monitor.key
      and product = component.product
      and vulnerability = known.id
      and closed_at is null
  )
order by monitor.key, component.product, known.id, finding.found_at, finding.id
limit ${atOnce}
on conflict (monitor_key, product, vulnerability) where closed_at is null do nothing`

// Advisories learn of fixed versions later. The texts of an advisory stay when it is withdrawn.
const followStatement = `
update exposures as exposure
set monitor_name = current.monitor_name,
  summary = current.summary,
  severity = current.severity,
  url = current.url,
  aliases = current.aliases,
  fixed_in = current.fixed_in,
  fix_version = current.fix_version
from (
  select distinct on (exposure.id)
    exposure.id, monitor.name as monitor_name, known.summary, known.severity, known.url, known.aliases,
    matched.fixed_in, matched.fix_version
  from exposures as exposure
  join monitors as monitor on monitor.key = exposure.monitor_key
  join vulnerabilities as known on known.id = exposure.vulnerability
  join components as component on component.product = exposure.product and component.version = exposure.version
  join component_findings as matched
    on matched.component_key = component.key
    and matched.vulnerability = exposure.vulnerability
  where exposure.closed_at is null
  order by exposure.id
) as current
where exposure.id = current.id
  and (
    exposure.monitor_name, exposure.summary, exposure.severity, exposure.url, exposure.aliases, exposure.fixed_in,
    exposure.fix_version
  ) is distinct from (
    current.monitor_name, current.summary, current.severity, current.url, current.aliases, current.fixed_in,
    current.fix_version
  )`

const closeStatement = `
with ended as (
  select
    exposure.id,
    case
      when exposure.monitor_key is null then 'monitor_deleted'
      when not exists (
        select from vulnerabilities where id = exposure.vulnerability and exploited_on is not null
      ) then 'withdrawn'
      when listed.is_affected or listed.waits then null
      when listed.other is not null then 'updated'
      when listed.counted > 0 then 'not_affected'
      when listed.ignored > 0 then 'ignored'
      else 'not_listed'
    end as outcome,
    listed.other
  from exposures as exposure
  cross join lateral (
    select
      coalesce(bool_or(finding.id is not null and not software.ignored), false) as is_affected,
      coalesce(bool_or(not software.ignored and (component.matched_at is null or queued.product is not null)), false)
        as waits,
      count(*) filter (where not software.ignored) as counted,
      count(*) filter (where software.ignored) as ignored,
      min(component.version) filter (where not software.ignored and component.version <> exposure.version) as other
    from monitor_software as software
    join components as component on component.key = software.component_key
    left join match_queue as queued on queued.product = component.product
    left join findings as finding
      on finding.software_id = software.id
      and finding.vulnerability = exposure.vulnerability
    where software.monitor_key = exposure.monitor_key
      and component.product = exposure.product
  ) as listed
  where exposure.closed_at is null
)
update exposures as exposure
set closed_at = greatest($1, exposure.opened_at),
  outcome = ended.outcome,
  last_version = ended.other
from (select * from ended where outcome is not null order by id limit ${atOnce}) as ended
where exposure.id = ended.id
  and exposure.closed_at is null`

// The list and the locations may come to the same end in any order.
const proveStatement = `
update exposures as exposure
set outcome = decided.result
from (
  select exposure.id, last.result
  from exposures as exposure
  cross join lateral (
    select result
    from exposure_verifications
    where exposure_id = exposure.id
    order by asked_at desc, id
    limit 1
  ) as last
  where exposure.closed_at is not null
    and (
      (last.result = 'proved' and exposure.outcome in ('updated', 'not_listed', 'not_affected', 'not_seen'))
      or (last.result = 'not_seen' and exposure.outcome = 'not_listed')
    )
  limit ${atOnce}
) as decided
where exposure.id = decided.id`
