-- compatible_from: 1

-- Monitors of the workspace that this one depends on. Those that were deleted stay in it and are passed over.
alter table monitors add column depends_on uuid[] not null default '{}';
create index monitors_by_parent on monitors using gin (depends_on) where depends_on <> '{}';

-- A down alert waits until then for what becomes of the parents of its monitor; `due_at` is the same time, so that it
-- leaves by itself where nothing decides. Null: it waits for none.
alter table deliveries add column awaits_parents_until timestamptz;
-- The incident of the parent whose alert its contact got, while it keeps this one back. It waits for that to end.
alter table deliveries add column withheld_by uuid;
-- When a parent recovered that had kept it back: a round of its monitor from then on says whether it is still down.
alter table deliveries add column parent_recovered_at timestamptz;
create index deliveries_awaiting_parents on deliveries (awaits_parents_until)
  where state = 'pending' and awaits_parents_until is not null;
create index deliveries_withheld on deliveries (withheld_by)
  where state = 'pending' and withheld_by is not null;

-- The same for the first step of a policy.
alter table alert_steps add column awaits_parents_until timestamptz;
create index alert_steps_awaiting_parents on alert_steps (awaits_parents_until) where awaits_parents_until is not null;

alter table incident_events drop constraint incident_events_type_check;
alter table incident_events add constraint incident_events_type_check
  check (
    type in (
      'opened', 'acknowledged', 'resolved', 'alert_sent', 'alert_failed', 'alert_dropped', 'alert_withheld', 'escalated'
    )
  )
  not valid;
