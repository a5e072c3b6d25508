-- compatible_from: 1

-- Service level objectives: how much of the time their monitors are to be up.
create table slos (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  -- Null where tags choose the monitors. Monitors that are deleted stay in it and are passed over.
  monitor_ids uuid[],
  tags text[] not null default '{}',
  -- Percent.
  objective double precision not null check (objective between 50 and 99.999),
  window_days smallint not null check (window_days between 1 and 90),
  alerts boolean not null,
  -- Null for all contacts of the workspace.
  alert_channel_ids uuid[],
  -- What was told and is not over: an id for each such time, and since when.
  alarm text check (alarm in ('burning', 'used_up')),
  alarm_id uuid,
  alarm_at timestamptz,
  -- When a job looked at it last.
  checked_at timestamptz,
  created_at timestamptz not null,
  check ((monitor_ids is null) <> (tags = '{}')),
  check ((alarm is null) = (alarm_id is null) and (alarm is null) = (alarm_at is null))
);
create index slos_of_workspace on slos (workspace_id, created_at, id);
create index slos_to_check on slos (checked_at nulls first) where alerts or alarm is not null;

-- When nobody could tell how a monitor is: before its first check, while it is paused and until the check after that,
-- and while no location reported. The one without an end runs.
create table monitor_gaps (
  monitor_key bigint not null references monitors (key) on delete cascade,
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at),
  primary key (monitor_key, started_at)
);
create unique index one_running_gap on monitor_gaps (monitor_key) where ended_at is null;
create index monitor_gaps_by_end on monitor_gaps (ended_at);

-- Of the time before, days without a check are known.
insert into monitor_gaps (monitor_key, started_at, ended_at)
select d.monitor_key, (d.day + 1)::timestamp at time zone 'UTC', d.next_day::timestamp at time zone 'UTC'
from (
  select monitor_key, day, lead(day) over (partition by monitor_key order by day) as next_day
  from uptime_days
  where day > (now() at time zone 'UTC')::date - 92
    and checks > 0
) as d
where d.next_day > d.day + 1;

insert into monitor_gaps (monitor_key, started_at)
select s.monitor_key, greatest(m.created_at, s.last_checked_at)
from monitor_state s
join monitors m on m.key = s.monitor_key
where s.current_status = 'pending'
on conflict do nothing;
