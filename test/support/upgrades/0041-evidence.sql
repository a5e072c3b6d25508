insert into incident_evidence (
  id, incident_id, monitor_id, workspace_id, location, round_at, cause, address_keys, content, bytes
) values
  (@evidence@, @outage@, @shop@, @workspace@, 'local', now() - interval '26 hours', 'cause', '{}', 'sealed', 6);
