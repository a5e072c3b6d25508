insert into maintenance_windows (
  id, workspace_id, name, schedule, time_zone, covers_all, excludes_uptime, planned_until, created_at
) values
  (
    @window@, @workspace@, 'Upgrade', '{"type": "once", "starts_at": "2026-11-01T10:00", "ends_at": "2026-11-01T11:00"}',
    'UTC', false, true, now(), now()
  );
insert into maintenance_monitors (window_key, monitor_key)
select w.key, m.key from maintenance_windows w cross join monitors m where m.id = @shop@;
insert into maintenance_occurrences (window_key, starts_at, ends_at)
select key, now() + interval '1 day', now() + interval '25 hours' from maintenance_windows;
insert into withheld_alerts (incident_id, monitor_id, alert, at) values (@open@, @backup@, '{}', now());
