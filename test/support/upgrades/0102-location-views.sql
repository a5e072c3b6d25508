insert into location_views (
  id, monitor_id, incident_id, workspace_id, location, is_down, version, round_at, content, bytes
) values
  (gen_random_uuid(), @shop@, null, @workspace@, 'local', true, 1, now() - interval '26 hours', 'sealed', 6),
  (gen_random_uuid(), @shop@, @outage@, @workspace@, 'local', true, 1, now() - interval '26 hours', 'sealed', 6);
