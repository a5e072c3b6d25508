-- compatible_from: 1

-- What locations of other operators signed of the heads of days: rows are added, and never changed. `key_x` is the public
-- key (RFC 8037 2).
create table signed_head_countersignatures (
  day date not null references signed_heads,
  location text not null,
  key_x text not null,
  signature text not null,
  at timestamptz not null default now(),
  primary key (day, location, key_x)
);
