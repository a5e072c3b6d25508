-- compatible_from: 1

create table maintenance_windows (
  id uuid primary key,
  key bigint not null unique generated always as identity,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  description text,
  -- As core/maintenance.ts has it.
  schedule jsonb not null,
  time_zone text not null,
  -- Otherwise those of maintenance_monitors.
  covers_all boolean not null,
  excludes_uptime boolean not null,
  -- Until then the occurrences are known.
  planned_until timestamptz not null,
  created_at timestamptz not null
);
create index maintenance_windows_of_workspace on maintenance_windows (workspace_id);
create index maintenance_windows_to_plan on maintenance_windows (planned_until);

create table maintenance_monitors (
  window_key bigint not null references maintenance_windows (key) on delete cascade,
  monitor_key bigint not null references monitors (key) on delete cascade,
  primary key (window_key, monitor_key)
);
create index maintenance_monitors_by_monitor on maintenance_monitors (monitor_key);

create table maintenance_occurrences (
  window_key bigint not null references maintenance_windows (key) on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  primary key (window_key, starts_at)
);
create index maintenance_occurrences_by_end on maintenance_occurrences (ends_at);

-- The down alerts of incidents that began in a maintenance: told when it is over and the incident is not.
create table withheld_alerts (
  incident_id uuid primary key references incidents on delete cascade,
  monitor_id uuid not null,
  alert jsonb not null,
  at timestamptz not null
);

-- Of checks in a maintenance that counts in no uptime.
alter table results
  add column in_maintenance boolean not null default false;

-- Copies of days under rewrite take the place of partitions, so they have the same columns.
do $$
declare
  copy text;
begin
  for copy in
    select to_char(day, '"results_"YYYYMMDD"_hours"')
    from day_rewrites
    where finished_at is null
      and retry_at is null
  loop
    execute format('alter table %I add column in_maintenance boolean not null default false', copy);
  end loop;
end
$$;
