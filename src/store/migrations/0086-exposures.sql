-- compatible_from: 1

-- How long a monitor had software with a vulnerability that is known to be exploited. A row outlives its monitor, and
-- what is known of the vulnerability stays as it was at the end.
create table exposures (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  monitor_key bigint references monitors (key) on delete set null,
  monitor_id uuid not null,
  monitor_name text not null,
  monitor_kind text not null,
  target text,
  product text not null,
  software_name text not null,
  version text not null,
  source text not null check (source in ('detected', 'import', 'manual')),
  evidence text,
  vulnerability text not null,
  aliases text[] not null,
  summary text,
  severity text,
  url text,
  exploited_on date not null,
  fixed_in text,
  fix_version text,
  seen_at timestamptz not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  outcome text check (
    outcome in (
      'proved', 'not_seen', 'updated', 'not_listed', 'not_affected', 'withdrawn', 'ignored', 'monitor_deleted'
    )
  ),
  -- Of the entry in the list when the exposure ended.
  last_version text,
  constraint exposures_end_with_an_outcome check ((closed_at is null) = (outcome is null))
);
create unique index exposures_open_once on exposures (monitor_key, product, vulnerability) where closed_at is null;
create index exposures_in_order on exposures (workspace_id, opened_at desc, id);
create index exposures_of_monitor on exposures (monitor_key);
create index vulnerabilities_exploited on vulnerabilities (id) where exploited_on is not null;

-- Scans from several locations that somebody asked for together. `result` is null until all of them were compared.
create table exposure_verifications (
  id uuid primary key,
  exposure_id uuid not null references exposures on delete cascade,
  asked_at timestamptz not null,
  decided_at timestamptz,
  result text check (result in ('proved', 'not_seen', 'affected', 'unproved')),
  constraint exposure_verifications_end_with_a_result check ((decided_at is null) = (result is null))
);
create index exposure_verifications_in_order on exposure_verifications (exposure_id, asked_at desc);
create index exposure_verifications_open on exposure_verifications (asked_at) where decided_at is null;

-- `judgement` is of versions alone, and null until the version was compared.
create table exposure_scans (
  verification_id uuid not null references exposure_verifications on delete cascade,
  location text not null,
  scanned_at timestamptz not null,
  saw text not null check (saw in ('version', 'no_version', 'nothing', 'failed')),
  version text check (char_length(version) <= 200),
  evidence text,
  problem text,
  component_key bigint references components,
  judgement text check (judgement in ('affected', 'not_affected', 'unknown')),
  primary key (verification_id, location)
);
create index exposure_scans_of_component on exposure_scans (component_key) where component_key is not null;
