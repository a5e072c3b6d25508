-- compatible_from: 1

-- What the installation bought from endpoints that sell their answers (monitors that have `buys`). A row is there before
-- anything is asked, so that a process that ends in between buys nothing twice within the hour.
create table canary_purchases (
  id uuid primary key,
  monitor_key bigint not null references monitors (key) on delete cascade,
  begun_at timestamptz not null,
  location text not null,
  state text not null check (
    state in ('begun', 'reserved', 'settled', 'refused', 'unknown', 'interrupted', 'not_bought')
  ),
  -- Of the token's smallest unit; null where nothing was reserved.
  price numeric(78),
  network text,
  asset text,
  payee text,
  nonce text,
  transaction text,
  note text,
  -- What it means for the monitor, until the next purchase.
  problem text check (problem in ('down', 'degraded')),
  ended_at timestamptz
);
create index canary_purchases_of_monitor on canary_purchases (monitor_key, begun_at desc);

-- What was reserved of a token on a UTC day. It outlives the monitors for which it was.
create table canary_spending (
  day date not null,
  network text not null,
  asset text not null,
  spent numeric(78) not null,
  primary key (day, network, asset)
);

create index monitors_that_buy on monitors (key)
  where kind = 'paid_endpoint' and check_options ->> 'buys' = 'true';
