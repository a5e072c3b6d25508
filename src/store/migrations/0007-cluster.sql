-- compatible_from: 1

alter table locations
  -- When a prober of the location last said that it is there, by the engines, at most every few seconds.
  add column seen_at timestamptz,
  -- Since when the operator knows that no prober is there; null while one is.
  add column told_at timestamptz;

-- Whoever has just come cannot say who was absent. Rows of engines that were silent for a minute are deleted.
alter table engines
  add column started_at timestamptz not null default now();

-- Null for a partition that an engine of an earlier release took.
alter table partitions
  add column taken_at timestamptz;
