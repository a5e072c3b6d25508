-- compatible_from: 1

-- Programs that registered themselves to ask people for access (RFC 7591). `used_at` is null until one was let in.
create table oauth_clients (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 10),
  created_at timestamptz not null,
  used_at timestamptz
);
create index oauth_clients_by_age on oauth_clients (coalesce(used_at, created_at));

-- A program that a person let in is an agent like the others: listed, limited and disconnected as they are.
alter table agent_registrations
  drop constraint agent_registrations_type_check,
  add constraint agent_registrations_type_check
    check (type in ('service_auth', 'identity_assertion', 'anonymous', 'authorization_code')),
  -- Of programs that were let in: the UUID of a registered client, or the address of a client's document.
  add column client_id text check (char_length(client_id) <= 500),
  add column redirect_host text check (char_length(redirect_host) <= 300),
  add column scopes text[] not null default '{read,write}',
  -- What it may take of the workspace's credit, in cents; null is all of it.
  add column budget_cents integer check (budget_cents >= 0),
  add column spent_cents integer not null default 0 check (spent_cents >= 0);

-- A code that the browser takes to the program. It stays after its use, so that a second use is noticed.
create table oauth_codes (
  hash bytea primary key,
  registration_id uuid not null unique references agent_registrations on delete cascade,
  redirect_uri text not null,
  challenge text not null,
  audience text check (audience in ('api', 'mcp')),
  expires_at timestamptz not null,
  used_at timestamptz
);

-- Each is used once and brings the next one. A second use ends them all (RFC 9700 4.14.2).
create table oauth_refresh_tokens (
  hash bytea primary key,
  registration_id uuid not null references agent_registrations on delete cascade,
  audience text check (audience in ('api', 'mcp')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_refresh_tokens_of_registration on oauth_refresh_tokens (registration_id, created_at desc);

-- A token may be for a part of the service, and for reading alone.
alter table agent_tokens
  add column audience text check (audience in ('api', 'mcp')),
  add column scope text not null default 'write' check (scope in ('read', 'write'));
