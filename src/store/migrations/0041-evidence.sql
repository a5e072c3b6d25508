-- compatible_from: 1

-- Whether locations keep what they saw when a check of the monitor fails.
alter table monitors add column keep_evidence boolean not null default false;

-- What a location saw when an incident opened, or when the failure became another one. It is written beside the
-- incident and not with it, and goes with its incident, with its monitor, and after 30 days (docs/evidence.md).
create table incident_evidence (
  -- The sealed content is bound to it.
  id uuid primary key,
  incident_id uuid not null references incidents on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  -- No foreign key: the row goes with its incident, and no lock on a workspace is taken by an engine.
  workspace_id uuid not null,
  location text not null,
  round_at timestamptz not null,
  -- A digest of what tells failures apart: each is kept once of each location.
  cause bytea not null,
  -- Signatures of the addresses that were dialled, by which monitors that share one are found.
  address_keys text[] not null,
  content bytea not null,
  bytes integer not null,
  kept_at timestamptz not null default now(),
  unique (incident_id, location, cause)
);
-- Sealed bytes cannot be compressed.
alter table incident_evidence alter column content set storage external;
create index incident_evidence_of_monitor on incident_evidence (monitor_id);
create index incident_evidence_of_workspace on incident_evidence (workspace_id, kept_at desc, id) include (bytes);
create index incident_evidence_by_age on incident_evidence (kept_at);
