-- compatible_from: 1

create table workspaces (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 160),
  plan text not null,
  billing_name text,
  billing_address text,
  billing_country text,
  billing_vat_id text,
  created_at timestamptz not null default now()
);

create table api_tokens (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  scope text not null check (scope in ('read', 'write')),
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_tokens_of_workspace on api_tokens (workspace_id, created_at desc);

create table locations (
  id smallint primary key generated always as identity,
  code text not null unique,
  name text not null,
  position integer not null
);

create table alert_channels (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  kind text not null,
  destination text not null,
  enabled boolean not null default true,
  confirmed boolean not null,
  signing_secret bytea,
  confirmation_expires_at timestamptz,
  -- The first failure since the last delivery that succeeded.
  failing_since timestamptz,
  created_at timestamptz not null default now()
);
create index alert_channels_of_workspace on alert_channels (workspace_id, created_at);

-- `key` names a monitor in the tables that grow with every check; `version` rises when what is checked changes.
create table monitors (
  id uuid primary key,
  key bigint not null unique generated always as identity,
  workspace_id uuid not null references workspaces on delete cascade,
  partition smallint not null check (partition between 0 and 63),
  version integer not null default 1,
  name text not null,
  kind text not null,
  url text,
  method text not null,
  interval_seconds integer not null,
  timeout_ms integer not null,
  locations text[] not null,
  expected_status_min smallint not null,
  expected_status_max smallint not null,
  keyword text,
  request_headers bytea,
  request_body text,
  check_options jsonb not null default '{}',
  secret_options bytea,
  failure_threshold smallint not null,
  recovery_threshold smallint not null,
  confirmation_threshold smallint not null,
  heartbeat_grace_seconds integer,
  expiry_alerts boolean not null,
  vulnerability_alerts boolean not null,
  vulnerability_severity text not null,
  charts text not null,
  alert_channel_ids uuid[],
  -- Of kinds that wait to be called: the address's secret part, and what it is found by.
  call_token bytea,
  call_hash bytea unique,
  billing text not null check (billing in ('plan', 'paid')),
  billing_period text check (billing_period in ('monthly', 'lifetime')),
  billing_state text not null default 'active' check (billing_state in ('active', 'overdue')),
  paid_locations smallint not null default 0,
  paid_until timestamptz,
  status text not null default 'enabled' check (status in ('enabled', 'paused')),
  pause_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index monitors_of_workspace on monitors (workspace_id, created_at, id);
create index monitors_of_partition on monitors (partition) include (id, version) where status = 'enabled';

-- What changes with every round. Two functions write `current_status`: the engine's fold and restartMonitor.
create table monitor_state (
  monitor_key bigint primary key references monitors (key) on delete cascade,
  version integer not null,
  current_status text not null default 'pending'
    check (current_status in ('pending', 'up', 'down', 'degraded')),
  consecutive_failures integer not null default 0,
  consecutive_successes integer not null default 0,
  -- Rounds up to here are never folded again: the last folded one, or the moment the version rose.
  round_at timestamptz,
  last_checked_at timestamptz,
  incident_id uuid,
  -- Start of the problem that still runs, the row of `problems` that has no end.
  problem_at timestamptz,
  -- Of kinds that wait to be called: when the next call is missed, and when a run said that it had begun.
  deadline_at timestamptz,
  call_started_at timestamptz
) with (fillfactor = 50);

-- Engines that are alive, so that each knows its fair share of partitions.
create table engines (
  name text primary key,
  seen_at timestamptz not null
);

-- Processes that take calls. Deadlines are put off by the time in which there was none.
create table intakes (
  name text primary key,
  seen_at timestamptz not null
);

create table partitions (
  partition smallint primary key check (partition between 0 and 63),
  owner text,
  epoch bigint not null default 0,
  held_until timestamptz not null default '-infinity'
);
insert into partitions (partition)
select generate_series(0, 63);

-- A result is identified by monitor, round and location. `round_at` is also when the check counts as made.
-- Partitions are named results_YYYYMMDD, one a UTC day.
create table results (
  monitor_key bigint not null,
  round_at timestamptz not null,
  location smallint not null,
  status "char" not null,
  status_code smallint,
  latency_ms integer,
  dns_ms integer,
  connect_ms integer,
  tls_ms integer,
  ttfb_ms integer,
  transfer_ms integer,
  repeats integer not null default 1,
  last_checked_at timestamptz,
  latency_max_ms integer,
  error text,
  details jsonb,
  primary key (monitor_key, round_at, location)
) partition by range (round_at);

-- Results that the database refused on their own; kept for the operator, acknowledged to the sender.
create table rejected_results (
  id bigint primary key generated always as identity,
  rejected_at timestamptz not null default now(),
  reason text not null,
  result jsonb not null
);

create table uptime_days (
  monitor_key bigint not null references monitors (key) on delete cascade,
  day date not null,
  checks integer not null,
  up integer not null,
  down integer not null,
  restricted integer not null,
  -- Sum over the successful checks that have a latency, and their number.
  latency_sum_ms bigint not null,
  latency_count integer not null,
  primary key (monitor_key, day)
) with (fillfactor = 70);

-- A run of rounds that were not clean: the failures of the daily bars.
create table problems (
  monitor_key bigint not null references monitors (key) on delete cascade,
  started_at timestamptz not null,
  ended_at timestamptz,
  status text not null check (status in ('down', 'degraded')),
  error text,
  locations text[] not null,
  incident_id uuid,
  primary key (monitor_key, started_at)
);

-- Incidents outlive their monitor: no foreign key, and the name is a copy.
create table incidents (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  monitor_id uuid not null,
  monitor_name text not null,
  status text not null check (status in ('open', 'acknowledged', 'resolved')),
  title text not null,
  cause text,
  started_at timestamptz not null,
  resolved_at timestamptz
);
create unique index one_running_incident on incidents (monitor_id) where status <> 'resolved';
create index incidents_of_workspace on incidents (workspace_id, started_at desc, id);
create index incidents_of_monitor on incidents (monitor_id, started_at desc);

create table incident_events (
  id uuid primary key,
  incident_id uuid not null references incidents on delete cascade,
  position bigint generated always as identity,
  type text not null check (type in ('opened', 'acknowledged', 'resolved', 'alert_sent', 'alert_failed')),
  at timestamptz not null,
  message text not null,
  actor text,
  details jsonb not null default '{}'
);
create index incident_events_in_order on incident_events (incident_id, at, position);

-- One alert to one contact. `alert` is the message's content, frozen when it happened.
create table deliveries (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  alert_channel_id uuid not null references alert_channels on delete cascade,
  incident_id uuid references incidents on delete cascade,
  alert jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempt integer not null default 0,
  due_at timestamptz not null,
  claimed_at timestamptz,
  -- The delivery that has to end before this one may leave: a recovery behind its down alert.
  after_id uuid references deliveries on delete set null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  status_code integer,
  error text
);
create index deliveries_due on deliveries (due_at) where state = 'pending';
create index deliveries_of_incident on deliveries (incident_id, alert_channel_id);
create index deliveries_behind on deliveries (after_id) where after_id is not null;
create index deliveries_waiting on deliveries (alert_channel_id, due_at) where state = 'pending';
create index deliveries_in_flight on deliveries (alert_channel_id) where state = 'pending' and claimed_at is not null;

create table idempotency_keys (
  workspace_id uuid not null references workspaces on delete cascade,
  key text not null check (char_length(key) between 1 and 255),
  fingerprint bytea not null,
  monitor_id uuid not null,
  -- The monitor's last state, written when it is deleted.
  last_state jsonb,
  created_at timestamptz not null default now(),
  primary key (workspace_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_of_monitor on idempotency_keys (monitor_id);

-- Single values of this installation: the identity of the secret key, the first start.
create table settings (
  name text primary key,
  value jsonb not null
);
