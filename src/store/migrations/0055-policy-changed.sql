-- compatible_from: 1

-- Of an outage during which its monitor gets another escalation policy.
alter table incident_events drop constraint incident_events_type_check;
alter table incident_events add constraint incident_events_type_check
  check (
    type in (
      'opened', 'acknowledged', 'resolved', 'alert_sent', 'alert_failed', 'alert_dropped', 'alert_withheld', 'escalated',
      'policy_changed'
    )
  )
  not valid;
