insert into on_call_schedules (id, workspace_id, name, time_zone, layers, created_at, changed_at) values
  (@schedule@, @workspace@, 'Weekdays', 'Europe/Berlin', '[]', now(), now());
insert into on_call_participants (schedule_id, layer, position, alert_channel_id) values (@schedule@, 0, 0, @mail@);
insert into on_call_overrides (id, schedule_id, starts_at, ends_at, alert_channel_id, created_at) values
  (@override@, @schedule@, now(), now() + interval '1 day', @webhook@, now());
