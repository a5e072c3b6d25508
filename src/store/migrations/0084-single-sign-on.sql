-- compatible_from: 1

-- By which people of a workspace sign in (OpenID Connect Core 1.0). A workspace has one at most.
create table identity_providers (
  workspace_id uuid primary key references workspaces on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  issuer text not null check (char_length(issuer) <= 500),
  client_id text not null check (char_length(client_id) <= 500),
  -- Sealed.
  client_secret bytea not null,
  -- Of people whom none of their groups gives a role.
  default_role text not null check (default_role in ('viewer', 'member')),
  groups_claim text not null check (char_length(groups_claim) <= 200),
  -- A list of {"group", "role"}.
  group_roles jsonb not null,
  -- Whether only owners may come to the workspace by another way.
  is_required boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Whose people the provider of a workspace may sign in. `token` is what the TXT record has to have.
create table sign_in_domains (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  domain text not null check (char_length(domain) <= 253),
  token text not null,
  created_at timestamptz not null,
  proven_at timestamptz,
  unique (workspace_id, domain)
);
create unique index sign_in_domains_proven on sign_in_domains (domain) where proven_at is not null;

-- As whom a provider knows a person. The mail address of a person plays no part in it.
create table provider_subjects (
  id uuid primary key,
  person_id uuid not null references people."user" on delete cascade,
  issuer text not null,
  subject text not null check (char_length(subject) <= 255),
  created_at timestamptz not null,
  last_used_at timestamptz,
  unique (issuer, subject)
);
create index provider_subjects_of_person on provider_subjects (person_id, created_at);

-- Sessions that began by the provider of a workspace.
create table provider_sessions (
  session_id uuid primary key references people.session on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade
);
create index provider_sessions_of_workspace on provider_sessions (workspace_id);
