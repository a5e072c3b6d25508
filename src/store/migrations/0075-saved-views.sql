-- compatible_from: 1

-- Views of the overview that members save under a name and share.
create table saved_views (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  -- What the address of the overview says of it.
  view jsonb not null,
  -- The name at the time.
  made_by text not null,
  created_at timestamptz not null
);
create unique index saved_views_by_name on saved_views (workspace_id, lower(name));
