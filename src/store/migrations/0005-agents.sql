-- compatible_from: 1

-- A closed workspace keeps its row, for what was paid in it; nobody acts in it any more.
alter table workspaces
  add column closed_at timestamptz,
  add column closed_reason text check (closed_reason in ('claimed', 'revoked')),
  add constraint closed_for_a_reason check ((closed_at is null) = (closed_reason is null));

-- Keys that sign identity assertions: created, published, then signing from `active_at`, checked only from `retired_at`.
create table agent_signing_keys (
  id text primary key,
  public_key jsonb not null,
  private_key bytea not null,
  created_at timestamptz not null,
  active_at timestamptz not null,
  retired_at timestamptz not null check (retired_at > active_at)
);

-- An agent, from its registration until somebody disconnects it. It acts once it has a workspace.
create table agent_registrations (
  id uuid primary key,
  type text not null check (type in ('service_auth', 'identity_assertion', 'anonymous')),
  name text not null check (char_length(name) between 1 and 160),
  workspace_id uuid references workspaces on delete cascade,
  -- Whose confirmation it needs, in lower case; of anonymous ones the last that was named.
  email text,
  -- Who vouched for it, of identity assertions.
  issuer text,
  subject text,
  tenant text,
  claim_hash bytea not null unique,
  claim_expires_at timestamptz not null,
  claimed_at timestamptz,
  claimed_by uuid,
  -- When the success was handed out.
  spent_at timestamptz,
  polled_at timestamptz,
  poll_seconds smallint not null default 5,
  -- Assertions of an earlier generation are worth nothing.
  generation integer not null default 1,
  -- The end of the newest assertion; null while none was made.
  assertion_expires_at timestamptz,
  created_at timestamptz not null,
  last_used_at timestamptz,
  check (type <> 'anonymous' or workspace_id is not null),
  check (claimed_at is null or workspace_id is not null)
);
create index agent_registrations_of_workspace on agent_registrations (workspace_id, created_at desc);
create index agent_registrations_of_person on agent_registrations (claimed_by);
create index agent_registrations_unclaimed on agent_registrations (claim_expires_at) where claimed_at is null;

-- Identities at providers that a person has linked to their agent.
create table agent_identities (
  issuer text not null,
  subject text not null,
  tenant text not null,
  registration_id uuid not null unique references agent_registrations on delete cascade,
  primary key (issuer, subject, tenant)
);

-- The one link and code of a registration that may be used; another attempt takes its place.
create table agent_claim_attempts (
  registration_id uuid primary key references agent_registrations on delete cascade,
  id uuid not null,
  token_hash bytea not null unique,
  -- Keyed: six digits are found from a plain hash.
  code_hash bytea not null,
  email text not null,
  wrong_codes smallint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create table agent_tokens (
  hash bytea primary key,
  registration_id uuid not null references agent_registrations on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index agent_tokens_of_registration on agent_tokens (registration_id, created_at desc);
create index agent_tokens_by_age on agent_tokens (expires_at);

-- Assertions of providers that were used, by the SHA-256 of their ids.
create table agent_seen_assertions (
  issuer text not null,
  jti_hash bytea not null,
  expires_at timestamptz not null,
  primary key (issuer, jti_hash)
);
create index agent_seen_assertions_by_age on agent_seen_assertions (expires_at);
