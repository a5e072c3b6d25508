insert into workspaces (id, name, plan, billing_name, billing_country) values
  (@workspace@, 'Acme', 'pro', 'Acme GmbH', 'DE'),
  (@neighbour@, 'Neighbour', 'free', null, null);

insert into api_tokens (id, workspace_id, name, scope, hash) values
  (@token@, @workspace@, 'scripts', 'write', sha256('token'));

insert into locations (code, name, position) values ('local', 'This machine', 1), ('boston', 'Boston', 2);

insert into alert_channels (id, workspace_id, name, kind, destination, confirmed, signing_secret) values
  (@webhook@, @workspace@, 'On call', 'webhook', 'https://alerts.example.com/in', true, 'sealed'),
  (@mail@, @workspace@, 'Office', 'email', 'office@example.com', true, null),
  (@slack@, @workspace@, 'Chat', 'slack', 'https://hooks.slack.com/services/T/B/x', true, null);

insert into monitors (
  id, workspace_id, partition, name, kind, url, method, interval_seconds, timeout_ms, locations, expected_status_min,
  expected_status_max, keyword, request_body, check_options, failure_threshold, recovery_threshold,
  confirmation_threshold, heartbeat_grace_seconds, expiry_alerts, vulnerability_alerts, vulnerability_severity, charts,
  alert_channel_ids, billing, call_hash, created_at
) values
  (
    @shop@, @workspace@, 1, 'Shop', 'http', 'https://shop.example.com/', 'POST', 60, 10000, '{local,boston}', 200, 399,
    'basket', 'a=1', '{}', 2, 1, 2, null, true, false, 'high', 'both', array[@webhook@, @mail@]::uuid[], 'plan', null,
    now() - interval '40 days'
  ),
  (
    @backup@, @workspace@, 2, 'Backup', 'heartbeat', null, 'GET', 3600, 10000, '{}', 200, 399,
    null, null, '{}', 1, 1, 1, 300, true, false, 'high', 'both', null, 'plan', sha256('call'),
    now() - interval '40 days'
  ),
  (
    @other@, @neighbour@, 3, 'Other', 'tcp', 'tcp://other.example.com:25', 'GET', 300, 10000, '{local}', 200, 399,
    null, null, '{}', 1, 1, 1, null, false, false, 'high', 'both', null, 'plan', null,
    now() - interval '40 days'
  );

insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, cause, started_at, resolved_at) values
  (
    @outage@, @workspace@, @shop@, 'Shop', 'resolved', 'Shop is down', 'HTTP status 503, expected 200 to 399',
    now() - interval '26 hours', now() - interval '25 hours'
  ),
  (@open@, @workspace@, @backup@, 'Backup', 'open', 'Backup is down', 'No call', now() - interval '1 hour', null);

insert into monitor_state (
  monitor_key, version, current_status, consecutive_successes, consecutive_failures, round_at, last_checked_at,
  incident_id, problem_at
)
select
  key, 1, case id when @shop@ then 'up' when @backup@ then 'down' else 'pending' end, 7, 1,
  now() - interval '5 minutes', now() - interval '5 minutes', case id when @backup@ then @open@::uuid end,
  case id when @backup@ then now() - interval '1 hour' end
from monitors;

insert into problems (monitor_key, started_at, ended_at, status, error, locations, incident_id)
select key, now() - interval '26 hours', now() - interval '25 hours', 'down', 'HTTP status 503', '{local}', @outage@::uuid
from monitors where id = @shop@;
insert into problems (monitor_key, started_at, status, error, locations, incident_id)
select key, now() - interval '1 hour', 'down', 'No call', '{}', @open@::uuid from monitors where id = @backup@;

insert into incident_events (id, incident_id, type, at, message, actor) values
  (@opened@, @outage@, 'opened', now() - interval '26 hours', 'Shop is down.', null),
  (@resolved@, @outage@, 'resolved', now() - interval '25 hours', 'Checks succeed again.', null),
  (@missed@, @open@, 'opened', now() - interval '1 hour', 'Backup is down.', null);

insert into deliveries (
  id, workspace_id, alert_channel_id, incident_id, alert, state, attempt, due_at, ended_at, status_code
) values
  (
    @told@, @workspace@, @webhook@, @outage@, '{"type": "monitor.down", "data": {}}', 'delivered', 1,
    now() - interval '26 hours', now() - interval '26 hours', 204
  ),
  (@waiting@, @workspace@, @mail@, @open@, '{"type": "monitor.down", "data": {}}', 'pending', 0, now(), null, null);

-- A day of results has a table of its own.
do $$
begin
  for back in 0..2 loop
    execute format(
      'create table %I partition of results for values from (%L) to (%L)',
      to_char((now() at time zone 'UTC')::date - back, '"results_"YYYYMMDD'),
      ((now() at time zone 'UTC')::date - back) || 'T00:00:00Z',
      ((now() at time zone 'UTC')::date - back + 1) || 'T00:00:00Z'
    );
  end loop;
end $$;

insert into results (
  monitor_key, round_at, location, status, status_code, latency_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms
)
select key, date_trunc('day', now(), 'UTC') - minute * interval '1 minute', 1, 'u', 200, 100 + minute, 1, 2, 3, 80, 1
from monitors cross join generate_series(1, 60) as minute
where id = @shop@;
insert into results (monitor_key, round_at, location, status, status_code, error, details)
select key, date_trunc('day', now(), 'UTC') - interval '61 minutes', 2, 'd', 503, 'HTTP status 503', '{"a": 1}'
from monitors
where id = @shop@;

insert into rejected_results (reason, result) values ('too late', '{"monitorId": "x"}');

insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
select key, (now() at time zone 'UTC')::date - back, 1440, 1430, 10, 0, 143000, 1430
from monitors cross join generate_series(1, 35) as back
where back <> 20;

insert into idempotency_keys (workspace_id, key, fingerprint, monitor_id, last_state) values
  (@workspace@, 'once', 'fingerprint', @shop@, null),
  (@workspace@, 'gone', 'fingerprint', gen_random_uuid(), '{"name": "Gone"}');

insert into engines (name, seen_at) values ('engine', now());
insert into intakes (name, seen_at) values ('intake', now());
insert into settings (name, value) values ('secret_key', '"id of a key"');
