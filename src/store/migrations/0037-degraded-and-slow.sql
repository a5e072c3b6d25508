-- compatible_from: 1

-- Response times of single hours, kept for 35 days; a row has six hours of a monitor. Hours that were merged before, or
-- by a process of an earlier release, have none.
create table latency_hours (
  monitor_key bigint not null references monitors (key) on delete cascade,
  -- Where the six hours begin, in UTC.
  starts_at timestamptz not null,
  -- The hour of the six, from 0, times 512, plus the slot of the histogram; ascending.
  slots smallint[] not null,
  counts smallint[] not null,
  primary key (monitor_key, starts_at)
) with (fillfactor = 80);
create index latency_hours_by_time on latency_hours (starts_at);

alter table monitors
  -- How many degraded rounds in a row alert; null for none.
  add column alert_degraded_rounds smallint,
  -- How many times the usual response time is slow; null where none is.
  add column alert_slow_factor smallint,
  add column alert_slow_rounds smallint not null default 5;

-- What a monitor went through that is no outage. A row that begins an episode gives it its id.
create table monitor_events (
  id uuid primary key,
  monitor_id uuid not null references monitors on delete cascade,
  type text not null check (type in ('degraded', 'degraded_ended', 'slow', 'slow_ended')),
  at timestamptz not null,
  message text not null,
  details jsonb not null default '{}'
);
create index monitor_events_of_monitor on monitor_events (monitor_id, at desc, id desc);
create index monitor_events_by_time on monitor_events (at);

-- The episodes that run.
alter table monitor_state
  add column degraded_episode uuid,
  add column slow_episode uuid;

-- The episode of which an alert tells: its end comes after its beginning.
alter table deliveries add column episode_id uuid;
create index deliveries_of_episode on deliveries (episode_id, alert_channel_id) where episode_id is not null;
