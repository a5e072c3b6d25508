insert into monitor_routes (id, monitor_id, workspace_id, location, is_failure, taken_at, content, bytes) values
  (@route@, @shop@, @workspace@, 'local', true, now() - interval '26 hours', 'sealed', 6);
