-- compatible_from: 1

alter table locations
  -- Since when a prober of the location has had no network of its own; null while none says so.
  add column network_lost_at timestamptz,
  -- Since when the operator knows of it; null before and after.
  add column network_told_at timestamptz;

-- What processes see of the installation itself and no other table shows: 'mail' while mail cannot be sent, 'clock' after
-- the database's clock jumped.
create table own_troubles (
  name text primary key,
  since timestamptz not null,
  details text not null
);

-- Which of the operator's troubles there are, by their topic.
create table operator_troubles (
  topic text primary key,
  since timestamptz not null default now(),
  -- Since when the operator knows of it.
  told_at timestamptz
);
