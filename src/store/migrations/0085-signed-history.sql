-- compatible_from: 1

-- How far hours are summed up to be signed: all before `hour`, and of `hour` itself the monitors up to `after_key`.
-- Merging waits for it. There is one row, made when the work begins; `since` is its first hour.
create table signed_progress (
  is_only boolean primary key default true check (is_only),
  since timestamptz not null,
  hour timestamptz not null,
  after_key bigint not null default 0
);

-- Hours of days that are not signed yet; the same columns as a leaf (src/core/proofs/signed-history.ts).
create table signed_hours (
  monitor_key bigint not null,
  hour timestamptz not null,
  location smallint not null,
  checks integer not null,
  up integer not null,
  degraded integer not null,
  down integer not null,
  in_maintenance integer not null,
  latency_count integer not null,
  latency_sum_ms bigint not null,
  rounds_hash bytea not null,
  primary key (monitor_key, hour, location)
);

-- A monitor's day. It outlives its monitor and its workspace, so that what was signed can still be proved. `lines` are
-- the leaves of its hours, deflated; null where they are not kept any more.
create table signed_days (
  monitor_key bigint not null,
  day date not null,
  monitor_id uuid not null,
  workspace_id uuid not null,
  size integer not null,
  root_hash bytea not null,
  leaf_hash bytea not null,
  lines bytea,
  primary key (monitor_key, day)
);
create index signed_days_of_workspace on signed_days (day, workspace_id, monitor_id);
create index signed_days_with_lines on signed_days (day) where lines is not null;

create table signed_workspace_days (
  day date not null,
  workspace_id uuid not null,
  size integer not null,
  root_hash bytea not null,
  leaf_hash bytea not null,
  primary key (day, workspace_id)
);

-- The head of each day as it was signed.
create table signed_heads (
  day date primary key,
  size integer not null,
  root_hash bytea not null,
  previous_hash bytea,
  installation text not null,
  key_id text not null,
  signature text not null
);
