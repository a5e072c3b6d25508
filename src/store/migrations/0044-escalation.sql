-- compatible_from: 1

create table escalation_policies (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  -- Contacts that are deleted stay in it and are passed over.
  steps jsonb not null,
  repeats integer not null,
  is_default boolean not null,
  created_at timestamptz not null
);
create index escalation_policies_of_workspace on escalation_policies (workspace_id, created_at, id);
create unique index one_default_policy on escalation_policies (workspace_id) where is_default;

alter table monitors add column escalation_policy_id uuid references escalation_policies on delete set null;
create index monitors_by_policy on monitors (escalation_policy_id) where escalation_policy_id is not null;

-- The next step of a policy: `step` and `turn` count from 0.
alter table alert_steps add column policy_id uuid references escalation_policies on delete cascade;
alter table alert_steps add column step integer not null default 0;
alter table alert_steps add column turn integer not null default 0;
alter table alert_steps drop constraint alert_steps_type_check;
alter table alert_steps add constraint alert_steps_type_check check (type in ('reminder', 'escalation'));
create index alert_steps_of_policy on alert_steps (policy_id) where policy_id is not null;

alter table incident_events drop constraint incident_events_type_check;
alter table incident_events add constraint incident_events_type_check
  check (type in ('opened', 'acknowledged', 'resolved', 'alert_sent', 'alert_failed', 'alert_dropped', 'escalated'))
  not valid;
