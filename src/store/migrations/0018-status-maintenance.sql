-- compatible_from: 1

-- The sums of `uptime_days` over calendar months that have ended, written as their days are gathered. A month without a
-- row is summed by whoever reads it.
create table uptime_months (
  monitor_key bigint not null references monitors (key) on delete cascade,
  -- Its first day.
  month date not null,
  checks integer not null,
  up integer not null,
  down integer not null,
  restricted integer not null,
  latency_sum_ms bigint not null,
  latency_count integer not null,
  primary key (monitor_key, month)
);
-- Those that were gathered before are gathered again, at leisure, and summed then.
update gathered_months set next_key = 0;

-- What the subscribers of a page were told of one time of a maintenance window. The window may be gone: then that is
-- what they are told next.
create table status_maintenance (
  page_id uuid not null references status_pages on delete cascade,
  window_id uuid not null,
  title text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  told text not null check (told in ('planned', 'begun', 'ended')),
  primary key (page_id, window_id, starts_at)
);
create index status_maintenance_under_way on status_maintenance (starts_at) where told <> 'ended';
create index status_maintenance_by_end on status_maintenance (ends_at);

alter table status_events
  drop constraint status_events_type_check,
  drop constraint status_events_check,
  drop constraint status_events_check1,
  add column window_id uuid,
  add column title text,
  add column starts_at timestamptz,
  add column ends_at timestamptz,
  add constraint status_events_type_check check (type in (
    'opened', 'resolved', 'post', 'maintenance_planned', 'maintenance_changed', 'maintenance_cancelled',
    'maintenance_begun', 'maintenance_ended'
  )),
  add constraint status_events_subject_check check (case
    when type = 'post' then num_nonnulls(incident_id, window_id) = 0 and post_id is not null
    when type in ('opened', 'resolved') then num_nonnulls(post_id, window_id) = 0 and incident_id is not null
    else num_nonnulls(incident_id, post_id) = 0 and num_nonnulls(window_id, title, starts_at, ends_at) = 4
  end);
