-- compatible_from: 1

-- Which project of files an object of a workspace belongs to, and by which key. Rows of objects that are gone stay
-- until the next change: a delete of a monitor locks no others, and what is gone is never shown.
create table project_objects (
  workspace_id uuid not null references workspaces on delete cascade,
  project text not null,
  section text not null check (section in ('contacts', 'monitors', 'status_pages', 'maintenance')),
  key text not null,
  object_id uuid not null,
  primary key (workspace_id, project, section, key),
  unique (workspace_id, object_id)
);
