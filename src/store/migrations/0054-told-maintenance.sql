-- compatible_from: 1

-- What contacts are told of maintenance: a row for each time that a window is under way.
create table told_maintenance (
  -- Of the alerts about it.
  id uuid primary key,
  -- The window may be deleted meanwhile, and its end is told all the same.
  window_id uuid not null,
  starts_at timestamptz not null,
  -- As it is planned.
  ends_at timestamptz not null,
  -- Null while it is under way.
  ended_at timestamptz
);
create unique index one_maintenance_under_way on told_maintenance (window_id) where ended_at is null;
create index told_maintenance_of_window on told_maintenance (window_id);

-- Which are under way at a time, without a look at all that were or will be.
create index maintenance_occurrences_by_time on maintenance_occurrences using gist (tstzrange(starts_at, ends_at));
