-- compatible_from: 1

-- Programs that registered themselves to ask people for access (RFC 7591). `used_at` is null until one was let in.
create table oauth_clients (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  redirect_uris text[] not null check (cardinality(redirect_uris) <= 10),
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

-- A program without a browser waits while its person types the code that it shows (RFC 8628).
create table oauth_device_codes (
  hash bytea primary key,
  -- Keyed: the codes that people type are short.
  user_code_hash bytea not null unique,
  client_id text not null check (char_length(client_id) <= 500),
  scopes text[] not null,
  audience text check (audience in ('api', 'mcp')),
  expires_at timestamptz not null,
  -- What its person let in; null before, and for one who refused.
  registration_id uuid references agent_registrations on delete cascade,
  denied_at timestamptz,
  spent_at timestamptz,
  polled_at timestamptz,
  poll_seconds smallint not null default 5
);
create index oauth_device_codes_by_age on oauth_device_codes (expires_at);
create index oauth_device_codes_of_registration on oauth_device_codes (registration_id);

-- A token may be for a part of the service, and for reading alone.
alter table agent_tokens
  add column audience text check (audience in ('api', 'mcp')),
  add column scope text not null default 'write' check (scope in ('read', 'write'));
