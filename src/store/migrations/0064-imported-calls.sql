-- compatible_from: 1

-- Addresses at which jobs called another tool and at which they go on calling a monitor here. One belongs to one monitor
-- of the whole service. Of the path only a digest is kept, as of a monitor's own address.
create table imported_calls (
  path_hash bytea primary key,
  monitor_id uuid not null references monitors on delete cascade
);
create index imported_calls_of_monitor on imported_calls (monitor_id);
