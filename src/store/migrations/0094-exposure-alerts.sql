-- compatible_from: 1

-- When contacts are next reminded of an exposure that goes on, and with which outcome its end was told. What ended before
-- is not told any more.
alter table exposures
  add column remind_at timestamptz not null default now() + interval '7 days',
  add column told_outcome text;
update exposures set told_outcome = outcome where closed_at is not null;
create index exposures_to_remind on exposures (remind_at) where closed_at is null;
create index exposures_to_tell on exposures (closed_at) where told_outcome is distinct from outcome;
