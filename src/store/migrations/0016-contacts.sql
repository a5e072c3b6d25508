-- compatible_from: 1

alter table alert_channels
  -- Signs beside the present one until then, so that a receiver can change over.
  add column former_secret bytea,
  add column former_secret_until timestamptz,
  -- Who switched it off: its reader, whose leave is needed to go on, the service, or people of the workspace.
  add column switched_off_by text check (switched_off_by in ('reader', 'service', 'people'));

create index deliveries_of_contact on deliveries (alert_channel_id, created_at desc, id desc);
create index deliveries_ended on deliveries (ended_at) where ended_at is not null;
