-- compatible_from: 1

-- What shows a wall of monitors by a secret address, to anybody who has it and without an account.
create table screens (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  -- SHA-256 of the secret part of its address.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- It shows the monitors that have one of these; all where there are none.
  tags text[] not null,
  look text not null check (look in ('dark', 'light', 'auto')),
  created_at timestamptz not null,
  -- The name at the time.
  created_by text not null,
  -- To ten minutes.
  last_used_at timestamptz
);
create index screens_by_workspace on screens (workspace_id, created_at, id);
