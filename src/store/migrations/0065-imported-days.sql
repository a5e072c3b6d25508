-- compatible_from: 1

-- Monitors whose days before their creation were counted elsewhere. The days themselves are in `uptime_days`, between
-- `first_day` and `last_day`.
create table imported_days (
  monitor_key bigint primary key references monitors (key) on delete cascade,
  source text not null,
  first_day date not null,
  last_day date not null,
  imported_at timestamptz not null
);
