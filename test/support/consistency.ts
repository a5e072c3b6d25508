import assert from 'node:assert/strict'
import type { ClientBase } from 'pg'
import type { Database } from '#store/database/database.ts'
import { escalationInvariants, type Invariant } from './escalation-invariants.ts'

const shownBreaches = 3

/**
 * Fails with every rule that is broken and the first rows that break it. For databases that still keep all results and
 * whose incidents the engine wrote. Processes that write meanwhile are seen between two of their commits.
 */
export async function assertConsistent(database: Database): Promise<void> {
  const broken = await database.transaction(async ({ client }) => {
    await client.query('set transaction isolation level repeatable read, read only')
    return brokenRules(client)
  })
  assert.equal(broken.length, 0, broken.join('\n'))
}

/** The broken rules as texts, one a rule, as one connection sees them. */
export async function brokenRules(client: ClientBase): Promise<string[]> {
  const broken: string[] = []
  for (const { rule, breaches } of invariants) {
    const { rows } = await client.query(breaches)
    if (rows.length === 0) continue
    const shown = rows.slice(0, shownBreaches).map((row) => `  ${JSON.stringify(row)}`)
    broken.push([`${rule}: broken ${rows.length} times`, ...shown].join('\n'))
  }
  return broken
}

const recovered = `'Checks succeed again.'`

const resultInvariants: Invariant[] = [
  {
    rule: 'a result is stored once',
    breaches: `
      select monitor_key, round_at, location, count(*)
      from results
      group by monitor_key, round_at, location
      having count(*) > 1`,
  },
  {
    rule: 'a day is the count of its results, by status and with their latencies',
    breaches: `
      with counted as (
        select
          monitor_key, (round_at at time zone 'UTC')::date as day, sum(repeats) as checks,
          coalesce(sum(repeats) filter (where status = 'u'), 0) as up,
          coalesce(sum(repeats) filter (where status = 'd'), 0) as down,
          coalesce(sum(repeats) filter (where status = 'g'), 0) as restricted,
          coalesce(sum(coalesce(latency_sum_ms, latency_ms)) filter (where is_timed), 0) as latency_sum_ms,
          coalesce(
            sum(coalesce(latency_count, (latency_ms is not null)::integer)) filter (where is_timed), 0
          ) as latency_count
        from results
        cross join lateral (
          select case status
            when 'u' then true
            when 'd' then false
            else round_at >= (
              select (value #>> '{}')::timestamptz from settings where name = 'slow_answers_since'
            )
          end as is_timed
        ) as rule
        where monitor_key in (select key from monitors)
        group by 1, 2
      )
      select to_jsonb(counted) as counted, to_jsonb(kept) as kept
      from counted
      full join uptime_days as kept using (monitor_key, day)
      where (counted.checks, counted.up, counted.down, counted.restricted, counted.latency_sum_ms, counted.latency_count)
        is distinct from (kept.checks, kept.up, kept.down, kept.restricted, kept.latency_sum_ms, kept.latency_count)`,
  },
  {
    rule: 'only what is merged says so, and nothing that an engine has still to fold is merged',
    breaches: `
      select r.monitor_key, r.round_at, r.location, r.repeats, r.last_checked_at, s.round_at as folded, w.merged_until
      from results r
      join monitor_state s on s.monitor_key = r.monitor_key
      left join result_merges w on w.monitor_key = r.monitor_key
      where (r.repeats > 1) <> (r.latency_sum_ms is not null)
        or (r.repeats > 1) <> (r.last_checked_at is not null)
        or (r.repeats > 1 and not coalesce(r.last_checked_at < w.merged_until and r.last_checked_at <= s.round_at, false))`,
  },
  {
    rule: 'results of a deleted monitor wait for the job that removes them',
    breaches: `
      select distinct monitor_key
      from results
      where monitor_key not in (select key from monitors)
        and not exists (
          select from graphile_worker.jobs as job where job.key = 'forget_monitor:' || results.monitor_key
        )`,
  },
]

const stateInvariants: Invariant[] = [
  {
    rule: 'every monitor has a state, of its own version',
    breaches: `
      select m.id, m.version, s.version as state_version
      from monitors m
      left join monitor_state s on s.monitor_key = m.key
      where s.version is distinct from m.version`,
  },
  {
    rule: 'the last check of a state is a stored round, and not after the last fold',
    breaches: `
      select s.monitor_key, s.last_checked_at, s.round_at
      from monitor_state s
      where s.last_checked_at > s.round_at
        or (s.last_checked_at is not null and not exists (
          select from results r where r.monitor_key = s.monitor_key and r.round_at = s.last_checked_at
        ))`,
  },
  {
    rule: 'a monitor is down exactly while its incident runs',
    breaches: `
      select m.id, m.status, s.current_status, s.incident_id, i.id as running
      from monitors m
      join monitor_state s on s.monitor_key = m.key
      left join incidents i on i.monitor_id = m.id and i.status <> 'resolved'
      where s.incident_id is distinct from i.id
        or (s.current_status = 'down') <> (i.id is not null)
        or (m.status = 'paused' and s.current_status <> 'pending')`,
  },
  {
    rule: 'a monitor has the one running problem that its state names',
    breaches: `
      select m.id, s.current_status, s.problem_at, p.started_at
      from monitors m
      join monitor_state s on s.monitor_key = m.key
      left join problems p on p.monitor_key = m.key and p.ended_at is null
      where s.problem_at is distinct from p.started_at
        or (s.current_status = 'degraded' and p.started_at is null)`,
  },
  {
    rule: 'problems of a monitor follow one another',
    breaches: `
      select *
      from (
        select
          monitor_key, started_at, ended_at, row_number() over story as place,
          lag(ended_at) over story as ended_before
        from problems
        window story as (partition by monitor_key order by started_at)
      ) as told
      where ended_at < started_at
        or (place > 1 and (ended_before is null or ended_before > started_at))`,
  },
]

/** An incident has its round's time in whole milliseconds; the times of heartbeat calls are more precise. */
const incidentInvariants: Invariant[] = [
  {
    rule: 'no incident of a deleted monitor runs',
    breaches: `
      select id, monitor_id, status
      from incidents
      where status <> 'resolved'
        and monitor_id not in (select id from monitors)`,
  },
  {
    rule: 'incidents of a monitor follow one another, one a round',
    breaches: `
      select *
      from (
        select
          id, monitor_id, started_at, resolved_at, row_number() over story as place,
          lag(started_at) over story as started_before, lag(resolved_at) over story as resolved_before
        from incidents
        window story as (partition by monitor_id order by started_at, resolved_at)
      ) as told
      where resolved_at < started_at
        or started_before = started_at
        or (place > 1 and (resolved_before is null or resolved_before > started_at))`,
  },
  {
    rule: 'an incident begins with a failure that is stored',
    breaches: `
      select i.id, i.monitor_id, i.started_at
      from incidents i
      join monitors m on m.id = i.monitor_id
      where not exists (
        select
        from results r
        where r.monitor_key = m.key
          and i.started_at between date_trunc('milliseconds', r.round_at) and coalesce(r.last_checked_at, r.round_at)
          and r.status = 'd'
      )`,
  },
  {
    // A round with too few failures to agree is no failed round (docs/decisions/rounds-and-time.md).
    rule: 'an incident that checks ended, ends with a round that is stored',
    breaches: `
      select i.id, i.monitor_id, i.started_at, i.resolved_at
      from incidents i
      join monitors m on m.id = i.monitor_id
      join incident_events e on e.incident_id = i.id and e.type = 'resolved' and e.message = ${recovered}
      where i.resolved_at <= i.started_at
        or not exists (
          select
          from results r
          where r.monitor_key = m.key
            and i.resolved_at between date_trunc('milliseconds', r.round_at) and coalesce(r.last_checked_at, r.round_at)
        )`,
  },
  {
    rule: 'an incident shows among the problems of its monitor, and no other monitor’s',
    breaches: `
      select i.id, i.monitor_id, m.key, p.monitor_key
      from incidents i
      join monitors m on m.id = i.monitor_id
      left join problems p on p.incident_id = i.id
      where p.monitor_key is distinct from m.key`,
  },
  {
    rule: 'every step of an incident is told once, at its time, after its opening',
    breaches: `
      select i.id, i.status, i.started_at, i.resolved_at, jsonb_agg(to_jsonb(e)) as events
      from incidents i
      left join incident_events e on e.incident_id = i.id
      group by i.id
      having count(*) filter (where e.type = 'opened' and e.at = i.started_at) <> 1
        or count(*) filter (where e.type = 'opened') <> 1
        or count(*) filter (where e.type = 'resolved') <> (i.status = 'resolved')::integer
        or count(*) filter (where e.type = 'resolved' and e.at <> i.resolved_at) > 0
        or count(*) filter (where e.type = 'acknowledged') > 1
        or count(*) filter (where e.type = 'acknowledged') < (i.status = 'acknowledged')::integer
        or min(e.at) < i.started_at
        or (i.status = 'resolved') <> (i.resolved_at is not null)`,
  },
]

const alertInvariants: Invariant[] = [
  {
    rule: 'a contact is told each turn of an incident once',
    breaches: `
      select incident_id, alert_channel_id, alert ->> 'type' as type, count(*)
      from deliveries
      where incident_id is not null
        -- Reminders come again and again.
        and alert ->> 'type' <> 'monitor.reminder'
      group by 1, 2, 3
      having count(*) > 1`,
  },
  {
    rule: 'an alert tells what its incident says',
    breaches: `
      select d.id, d.alert, i.started_at, i.resolved_at
      from deliveries d
      join incidents i on i.id = d.incident_id
      cross join lateral (
        select d.alert #> '{data,incident}' as told, (d.alert ->> 'type') = 'monitor.up' as is_up
      ) as alert
      where d.workspace_id <> i.workspace_id
        or (d.alert #>> '{data,monitor,id}')::uuid <> i.monitor_id
        or (told ->> 'id')::uuid <> i.id
        or (told ->> 'started_at')::timestamptz <> i.started_at
        or (is_up and (told ->> 'resolved_at')::timestamptz is distinct from i.resolved_at)
        or (
          d.alert ->> 'type' <> 'monitor.reminder'
          and (d.alert ->> 'timestamp')::timestamptz <> case when is_up then i.resolved_at else i.started_at end
        )`,
  },
  {
    rule: 'a recovery waits for its down alert',
    breaches: `
      select up.id, up.state, up.after_id, up.ended_at, down.id as down, down.state as down_state, down.ended_at as down_ended
      from deliveries up
      join deliveries down on down.incident_id = up.incident_id
        and down.alert_channel_id = up.alert_channel_id
        and down.alert ->> 'type' = 'monitor.down'
      where up.alert ->> 'type' = 'monitor.up'
        and (
          up.after_id is distinct from coalesce((
            select reminder.id
            from deliveries reminder
            where reminder.incident_id = up.incident_id
              and reminder.alert_channel_id = up.alert_channel_id
              and reminder.alert ->> 'type' = 'monitor.reminder'
              and reminder.state <> 'dropped'
            order by reminder.created_at desc
            limit 1
          ), down.id)
          or down.state = 'dropped'
          or (up.state <> 'pending' and (down.state = 'pending' or down.ended_at > up.ended_at))
        )`,
  },
  {
    rule: 'every end of a delivery is told once by its incident',
    breaches: `
      with ended as (
        select
          incident_id, alert_channel_id::text as contact,
          case state when 'delivered' then 'alert_sent' when 'dropped' then 'alert_dropped' else 'alert_failed' end as type,
          count(*) as count
        from deliveries
        where incident_id is not null
          and state <> 'pending'
          -- A reminder that is not needed any more is no news.
          and not (state = 'dropped' and alert ->> 'type' = 'monitor.reminder')
        group by 1, 2, 3
      ), told as (
        select incident_id, details ->> 'alert_channel_id' as contact, type, count(*) as count
        from incident_events
        where type in ('alert_sent', 'alert_failed', 'alert_dropped')
          and details ->> 'alert_channel_id' in (select id::text from alert_channels)
        group by 1, 2, 3
      )
      select incident_id, contact, type, ended.count as ended, told.count as told
      from ended
      full join told using (incident_id, contact, type)
      where ended.count is distinct from told.count`,
  },
  {
    rule: 'an alert is held back from a contact only by an alert that reached it, and the incident says so',
    breaches: `
      select delivery.id
      from deliveries delivery
      where delivery.state = 'pending'
        and delivery.withheld_by is not null
        and (
          not exists (
            select
            from deliveries told
            where told.incident_id = delivery.withheld_by
              and told.alert_channel_id = delivery.alert_channel_id
              and told.state = 'delivered'
          )
          or not exists (
            select
            from incident_events event
            where event.incident_id = delivery.incident_id
              and event.type = 'alert_withheld'
              and event.details ->> 'alert_channel_id' = delivery.alert_channel_id::text
              and event.details ->> 'parent_incident_id' = delivery.withheld_by::text
          )
        )`,
  },
  {
    rule: 'what left as one message ended with it',
    breaches: `
      select member.id, member.state, member.attempt, bundle.id as bundle, bundle.state as ended
      from deliveries member
      join deliveries bundle on bundle.id = member.bundle_id
      where bundle.alert ->> 'type' <> 'alerts.bundle'
        or bundle.alert_channel_id <> member.alert_channel_id
        or (member.state <> 'dropped' and (member.state <> bundle.state or member.attempt <> bundle.attempt))`,
  },
  {
    // A delivery is its own record of what is left to do: jobs for it are made again.
    rule: 'no job has used up its attempts',
    breaches: `
      select task_identifier, key, attempts, last_error
      from graphile_worker.jobs
      where attempts >= max_attempts
        and locked_at is null
        and task_identifier <> 'deliver'`,
  },
  {
    rule: 'an Idempotency-Key stands for a monitor, or for what one was last',
    breaches: `
      select key, monitor_id
      from idempotency_keys
      where (last_state is null) <> (monitor_id in (select id from monitors))`,
  },
]

const invariants = [
  ...resultInvariants,
  ...stateInvariants,
  ...incidentInvariants,
  ...alertInvariants,
  ...escalationInvariants,
]
