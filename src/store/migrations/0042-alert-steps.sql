-- compatible_from: 1

-- What is still to be done about an incident that runs: a reminder to one contact. The end of the incident, or its
-- acknowledgement, removes them.
create table alert_steps (
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references incidents on delete cascade,
  type text not null check (type in ('reminder')),
  alert_channel_id uuid references alert_channels on delete cascade,
  -- The down alert, as it was when the incident began.
  alert jsonb not null,
  due_at timestamptz not null
);
create index alert_steps_due on alert_steps (due_at);
create index alert_steps_of_incident on alert_steps (incident_id);
create index alert_steps_of_contact on alert_steps (alert_channel_id);
