-- compatible_from: 1

-- Months whose rows of `uptime_days` and `latency_days` lie side by side, monitor by monitor, and those under work:
-- `next_key` is the monitor that is next, null when all are done.
create table gathered_months (
  month date primary key,
  next_key bigint default 0
);
