-- compatible_from: 1

-- The ways that packets took from locations to targets: of each monitor and location the newest that was taken while it
-- was up, and those that were taken after failures, with what the way was before. Rows go with their monitor, and after
-- 30 days (docs/evidence.md).
create table monitor_routes (
  -- The sealed content is bound to it.
  id uuid primary key,
  monitor_id uuid not null references monitors on delete cascade,
  -- No foreign key: the row goes with its monitor, and no lock on a workspace is taken by an engine.
  workspace_id uuid not null,
  location text not null,
  is_failure boolean not null,
  taken_at timestamptz not null,
  content bytea not null,
  bytes integer not null
);
-- Sealed bytes cannot be compressed.
alter table monitor_routes alter column content set storage external;
create unique index monitor_routes_while_up on monitor_routes (monitor_id, location) where not is_failure;
create index monitor_routes_of_monitor on monitor_routes (monitor_id, taken_at);
create index monitor_routes_of_workspace on monitor_routes (workspace_id, taken_at desc, id) include (bytes)
  where is_failure;
create index monitor_routes_by_age on monitor_routes (taken_at);
