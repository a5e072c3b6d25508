-- compatible_from: 1

alter table monitor_state
  -- The episode that runs while the monitor keeps going down and coming back.
  add column unstable_episode uuid,
  -- When outages began and ended that count towards it: the newest ones, ascending. Null: none is known.
  add column recent_changes timestamptz[];
create index monitor_state_unstable on monitor_state (monitor_key) where unstable_episode is not null;

alter table monitor_events drop constraint monitor_events_type_check;
alter table monitor_events add constraint monitor_events_type_check
  check (type in ('degraded', 'degraded_ended', 'slow', 'slow_ended', 'unstable', 'unstable_ended'))
  not valid;
