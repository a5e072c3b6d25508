-- compatible_from: 1

-- How far each advisory feed was read. `cursor` is the feed's own, such as the time of the newest record.
create table feeds (
  name text primary key,
  cursor text,
  etag text,
  tried_at timestamptz,
  succeeded_at timestamptz,
  error text,
  -- Until then one process is at it.
  claimed_until timestamptz not null default '-infinity'
);

-- One record of one source. Records of the same vulnerability share its name.
create table advisories (
  key bigint primary key generated always as identity,
  source text not null check (source in ('osv', 'nvd', 'cve')),
  id text not null check (char_length(id) <= 200),
  aliases text[] not null,
  vulnerability text not null,
  published_at timestamptz,
  modified_at timestamptz,
  withdrawn_at timestamptz,
  summary text,
  severity text check (severity in ('low', 'medium', 'high', 'critical')),
  score numeric(3, 1),
  url text,
  -- SHA-256 of what was read: a record that says the same again is not written again.
  fingerprint bytea not null,
  unique (source, id)
);
create index advisories_of_vulnerability on advisories (vulnerability);
-- Without a list of what is pending, which every look-up of a name would read.
create index advisories_by_alias on advisories using gin (aliases) with (fastupdate = off);

create table affected_products (
  advisory_key bigint not null references advisories on delete cascade,
  product text not null check (char_length(product) <= 400),
  -- Ranges and versions as advisories/affected.ts reads them, and how certain they are.
  affected jsonb not null,
  primary key (advisory_key, product)
);
create index affected_products_by_product on affected_products (product);

-- What is shown of a vulnerability: the best that its advisories say.
create table vulnerabilities (
  id text primary key,
  aliases text[] not null,
  source text not null check (source in ('osv', 'nvd', 'cve', 'endoflife')),
  summary text,
  severity text check (severity in ('low', 'medium', 'high', 'critical')),
  score numeric(3, 1),
  url text,
  published_at timestamptz,
  exploited_on date
);

create table exploited (
  cve text primary key,
  added_on date not null,
  name text
);

create table release_cycles (
  product text not null,
  cycle text not null,
  ends_on date,
  is_ended boolean not null,
  latest text,
  released_on date,
  primary key (product, cycle)
);

-- Each product and version that any monitor has, once.
create table components (
  key bigint primary key generated always as identity,
  product text not null check (char_length(product) <= 400),
  version text check (char_length(version) <= 200),
  matched_at timestamptz,
  unique nulls not distinct (product, version)
);
create index components_by_age on components (matched_at nulls first);

-- What concerns a component, whoever has it.
create table component_findings (
  component_key bigint not null references components on delete cascade,
  vulnerability text not null references vulnerabilities on delete cascade,
  version_known boolean not null,
  fixed_in text,
  fix_version text,
  -- As they were when it was compared: who was not told may have to be told when they change.
  severity text,
  is_exploited boolean not null,
  primary key (component_key, vulnerability)
);
create index component_findings_of_vulnerability on component_findings (vulnerability);

-- Products whose advisories or components changed and were not compared since.
create table match_queue (
  product text primary key,
  enqueued_at timestamptz not null default now()
);

create table monitor_software (
  id uuid primary key,
  monitor_key bigint not null references monitors (key) on delete cascade,
  component_key bigint not null references components,
  name text not null,
  source text not null check (source in ('detected', 'import', 'manual')),
  evidence text,
  -- Of imports: importing again under it replaces what it added.
  label text,
  ignored boolean not null default false,
  added_at timestamptz not null,
  constraint imports_have_labels check ((source = 'import') = (label is not null))
);
create unique index monitor_software_once on monitor_software (monitor_key, source, label, component_key) nulls not distinct;
create index monitor_software_of_component on monitor_software (component_key);

create table findings (
  id uuid primary key,
  monitor_key bigint not null references monitors (key) on delete cascade,
  software_id uuid not null references monitor_software on delete cascade,
  vulnerability text not null references vulnerabilities on delete cascade,
  found_at timestamptz not null,
  marked_fixed_version text,
  alerted_at timestamptz,
  -- Told as actively exploited; told again when that becomes known.
  is_told_exploited boolean not null default false,
  unique (software_id, vulnerability)
);
create index findings_of_monitor on findings (monitor_key);
create index findings_of_vulnerability on findings (vulnerability);

-- Monitors with findings that somebody may have to be told of.
create table finding_alerts (
  monitor_key bigint primary key references monitors (key) on delete cascade,
  -- What waits to be compared is waited for, so that it is told in one message, but not for ever.
  since timestamptz not null default now(),
  due_at timestamptz not null default now()
);
create index finding_alerts_due on finding_alerts (due_at);

-- When a monitor's software is looked for next, and what came of it last.
create table software_scans (
  monitor_key bigint primary key references monitors (key) on delete cascade,
  due_at timestamptz not null,
  -- Asked for by somebody who waits for it.
  is_requested boolean not null default false,
  claimed_until timestamptz not null default '-infinity',
  scanned_at timestamptz,
  scan_error text,
  -- Of repositories: the commit that was read.
  revision text
);
create index software_scans_due on software_scans (due_at);

-- Monitors that exist already are scanned within the day.
insert into software_scans (monitor_key, due_at)
select key, now() + random() * interval '1 day'
from monitors
where kind = 'repository' or (kind in ('http', 'api') and vulnerability_alerts);
