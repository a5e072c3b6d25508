-- compatible_from: 1

alter table results
  -- Of merged rows only (repeats > 1): exact sums, so that no report loses by rounding. Singles have null.
  add column latency_sum_ms bigint,
  add column latency_count integer;

-- How far a monitor's results are merged: those of earlier rounds are merged, and counted in latency_days.
create table result_merges (
  monitor_key bigint primary key references monitors (key) on delete cascade,
  merged_until timestamptz not null,
  -- When compaction looks at this monitor again.
  due_at timestamptz not null
) with (fillfactor = 50);
create index result_merges_due on result_merges (due_at);

-- Latency and phases of the checks before merged_until, a row a UTC day, for ever.
create table latency_days (
  monitor_key bigint not null references monitors (key) on delete cascade,
  day date not null,
  -- A logarithmic histogram of the latency of successful checks: slot numbers, ascending, and beside them the counts.
  slots smallint[] not null,
  counts integer[] not null,
  -- dns, connect, tls, ttfb, transfer, of successful checks.
  phase_sums_ms bigint[] not null,
  phase_counts integer[] not null,
  primary key (monitor_key, day)
) with (fillfactor = 80);

-- Days that are being rewritten into hours, and those that were. `next_key` is null when all is copied.
create table day_rewrites (
  day date primary key,
  next_key bigint default 0,
  -- The copy did not come to the same totals: it was thrown away, and the day is not tried again before then.
  retry_at timestamptz,
  finished_at timestamptz
);

create index problems_by_end on problems (ended_at) where ended_at is not null;
