-- compatible_from: 1

-- At which addresses a location reached the target of a monitor, the last four, so that monitors whose targets stand
-- behind one address can be told. Written when an address is a new one, and once in twelve hours.
create table monitor_addresses (
  monitor_key bigint not null references monitors (key) on delete cascade,
  location text not null,
  -- Of the monitor when it was reached; a row of another target counts for nothing.
  target_version integer not null,
  addresses text[] not null check (cardinality(addresses) between 1 and 4),
  -- When each was reached last.
  seen_at timestamptz[] not null check (cardinality(seen_at) = cardinality(addresses)),
  -- When the newest was added.
  changed_at timestamptz not null,
  -- The target was reached at more addresses in a week than stand here.
  is_rotating boolean not null,
  primary key (monitor_key, location)
) with (fillfactor = 80);
