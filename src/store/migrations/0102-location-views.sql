-- compatible_from: 1

-- What locations saw of a target in short, whether it was up or down, of monitors whose locations disagreed or that were
-- down (docs/evidence.md). Written beside results and incidents like evidence; it goes with its incident, with its
-- monitor, and after 30 days.
create table location_views (
  -- The sealed content is bound to it.
  id uuid primary key,
  monitor_id uuid not null references monitors on delete cascade,
  -- Null for the newest of a location, of which there is one that was down and one that was not.
  incident_id uuid references incidents on delete cascade,
  -- No foreign key: the row goes with its monitor, and no lock on a workspace is taken by an engine.
  workspace_id uuid not null,
  location text not null,
  is_down boolean not null,
  -- Of the monitor: another version may have another target.
  version integer not null,
  round_at timestamptz not null,
  content bytea not null,
  bytes integer not null,
  kept_at timestamptz not null default now()
);
-- Sealed bytes cannot be compressed.
alter table location_views alter column content set storage external;
create unique index location_views_newest on location_views (monitor_id, location, is_down) where incident_id is null;
create unique index location_views_of_incident on location_views (incident_id, location) where incident_id is not null;
create index location_views_of_monitor on location_views (monitor_id);
create index location_views_of_workspace on location_views (workspace_id, kept_at desc, id) include (bytes);
create index location_views_by_age on location_views (kept_at);
