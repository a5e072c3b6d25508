-- compatible_from: 1

create table on_call_schedules (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  time_zone text not null,
  -- As core/contacts/on-call-schedule.ts has them, each with an empty list of participants.
  layers jsonb not null,
  -- Of the secret address of its calendar; null where it has none.
  calendar_hash bytea unique,
  created_at timestamptz not null,
  -- When it or an override last changed.
  changed_at timestamptz not null
);
create index on_call_schedules_by_workspace on on_call_schedules (workspace_id, created_at);

-- A contact that is deleted falls out of its layers; the others keep their order.
create table on_call_participants (
  schedule_id uuid not null references on_call_schedules on delete cascade,
  layer smallint not null,
  position smallint not null,
  alert_channel_id uuid not null references alert_channels on delete cascade,
  primary key (schedule_id, layer, position)
);
create index on_call_participants_by_contact on on_call_participants (alert_channel_id);

create table on_call_overrides (
  id uuid primary key,
  schedule_id uuid not null references on_call_schedules on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  -- Null for deliberately no one. With its contact an override goes, so that nobody is left out by accident.
  alert_channel_id uuid references alert_channels on delete cascade,
  created_at timestamptz not null
);
create index on_call_overrides_by_schedule on on_call_overrides (schedule_id, created_at);
create index on_call_overrides_by_contact on on_call_overrides (alert_channel_id);
create index on_call_overrides_by_end on on_call_overrides (ends_at);
