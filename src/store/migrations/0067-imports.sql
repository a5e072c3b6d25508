-- compatible_from: 1

-- Files of other tools that people bring in, and what was made of each, so that it goes on where it was and can be taken
-- back as one.
create table imports (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  source text not null,
  project text not null,
  file_name text not null,
  actor_name text not null,
  state text not null check (state in ('open', 'done', 'undoing', 'undone')),
  -- Until when a request is working on it; null while none is.
  held_until timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null
);

create index on imports (workspace_id, created_at);

create table import_steps (
  import_id uuid not null references imports on delete cascade,
  position integer not null,
  section text not null check (section in ('contacts', 'monitors', 'status_pages', 'maintenance')),
  key text not null,
  name text not null,
  state text not null check (
    state in ('waiting', 'begun', 'made', 'present', 'failed', 'leaving', 'removed', 'kept')
  ),
  -- What is to be made, sealed; null once it is made or given up.
  content bytea,
  -- What it became; null until then.
  object_id uuid,
  -- What it was when it had been made: a signature of each of its fields.
  noted jsonb,
  -- What is to be told of it: why it was not made, or how it was changed since.
  problem text,
  primary key (import_id, position)
);
