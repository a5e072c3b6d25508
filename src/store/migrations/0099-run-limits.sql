-- compatible_from: 1

-- By when a run that has begun is to end. Null where none has begun, where it may take any time, or once it was told
-- that it did not end. Null does not change with most states, so that they are still updated in place.
alter table monitor_state add column run_due_at timestamptz;
create index monitor_state_runs on monitor_state (run_due_at) where run_due_at is not null;

-- What the present run has printed so far, sealed and without secrets. Null for nearly all states.
alter table monitor_state add column run_log bytea;
