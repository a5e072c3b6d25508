-- compatible_from: 1

-- When people want to be told, by contact and by monitor; null where nothing was chosen.
alter table alert_channels add column alert_rules jsonb;
alter table monitors add column alert_rules jsonb;

-- Until then rules keep the alert back; its age counts from there. Null where it never waited for a rule.
alter table deliveries add column held_until timestamptz;
-- `dropped`: what it would have told was over before it might leave. All rows that there are pass, so none is read.
alter table deliveries drop constraint deliveries_state_check;
alter table deliveries add constraint deliveries_state_check
  check (state in ('pending', 'delivered', 'failed', 'dropped')) not valid;
alter table incident_events drop constraint incident_events_type_check;
alter table incident_events add constraint incident_events_type_check
  check (type in ('opened', 'acknowledged', 'resolved', 'alert_sent', 'alert_failed', 'alert_dropped')) not valid;
