-- compatible_from: 1

alter table monitors
  -- Rises when kind or target become others: what was seen of an older target says nothing about this one.
  add column target_version integer not null default 1,
  -- The registrable domain of an http or api target, '' where it has none; null until a job has found out.
  add column domain text;
create index monitors_without_domain on monitors (key) where domain is null and kind in ('http', 'api');
create index monitors_of_domain on monitors (domain) where domain <> '';

-- What ends: the certificate that checks of a monitor saw, and the registration of its domain.
create table monitor_expiries (
  monitor_key bigint not null references monitors (key) on delete cascade,
  subject text not null check (subject in ('certificate', 'domain')),
  -- Of the monitor when this was seen; a row of another one counts for nothing.
  target_version integer not null,
  -- The host that showed the certificate, or the registrable domain.
  name text not null,
  issuer text,
  not_before timestamptz,
  -- Null where a registry publishes none.
  expires_at timestamptz,
  -- When it was last seen, written at most once a day while nothing changes.
  seen_at timestamptz not null,
  -- The next occasion of an alert that nobody looked at yet; null when none is ahead.
  alert_at timestamptz,
  primary key (monitor_key, subject)
) with (fillfactor = 80);
create index monitor_expiries_due on monitor_expiries (alert_at) where alert_at is not null;

-- Occasions that were told, so that none is told twice, also when a target shows two certificates by turns.
create table told_expiries (
  monitor_key bigint not null references monitors (key) on delete cascade,
  subject text not null,
  expires_at timestamptz not null,
  occasion_at timestamptz not null,
  primary key (monitor_key, subject, expires_at, occasion_at)
);

-- Registrable domains of monitors, each looked up once a day for all of them.
create table domains (
  name text primary key,
  expires_at timestamptz,
  -- The first occasion of an alert before that.
  alert_at timestamptz,
  -- The last look-up that succeeded.
  read_at timestamptz,
  -- Since then.
  failures integer not null default 0,
  -- The next look-up. One that is under way has put it off, so that it is made again if its process dies.
  due_at timestamptz not null
);
create index domains_due on domains (due_at);
