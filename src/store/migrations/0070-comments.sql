-- compatible_from: 1

-- The member who looks after an incident. A person who leaves the workspace is shown no more (store/incidents).
alter table incidents add column assignee_id uuid references people."user" on delete set null;
create index incidents_of_assignee on incidents (assignee_id) where assignee_id is not null;

-- What members and programs write beside an incident. No page that readers see shows them.
create table incident_comments (
  id uuid primary key,
  incident_id uuid not null references incidents on delete cascade,
  -- The name at the time.
  author text not null,
  author_kind text not null,
  -- Of the person, the token or the agent; null for the operator.
  author_id text,
  body text not null,
  created_at timestamptz not null,
  edited_at timestamptz
);
create index incident_comments_in_order on incident_comments (incident_id, created_at, id);

alter table incident_events drop constraint incident_events_type_check;
alter table incident_events add constraint incident_events_type_check
  check (
    type in (
      'opened', 'acknowledged', 'resolved', 'alert_sent', 'alert_failed', 'alert_dropped', 'alert_withheld', 'escalated',
      'policy_changed', 'assigned'
    )
  )
  not valid;
