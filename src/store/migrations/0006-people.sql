-- compatible_from: 1

-- What better-auth 1.7.25 keeps, as its own migrations would make it: people/schema.test.ts compares.
create schema people;

create table people."user" (
  "id" uuid primary key default gen_random_uuid(),
  "name" text not null,
  "email" text not null unique,
  "emailVerified" boolean not null,
  "image" text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp,
  "twoFactorEnabled" boolean
);

-- `token` is half of what the cookie holds: the other half is its signature by the installation's secret key.
create table people."session" (
  "id" uuid primary key default gen_random_uuid(),
  "expiresAt" timestamptz not null,
  "token" text not null unique,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" uuid not null references people."user" ("id") on delete cascade
);
create index "session_userId_idx" on people."session" ("userId");
create index sessions_by_end on people."session" ("expiresAt");

create table people."account" (
  "id" uuid primary key default gen_random_uuid(),
  "accountId" text not null,
  "providerId" text not null,
  "userId" uuid not null references people."user" ("id") on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  "scope" text,
  "password" text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null
);
create index "account_userId_idx" on people."account" ("userId");

create table people."verification" (
  "id" uuid primary key default gen_random_uuid(),
  "identifier" text not null,
  "value" text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp
);
create index "verification_identifier_idx" on people."verification" ("identifier");
create index verifications_by_end on people."verification" ("expiresAt");

create table people."twoFactor" (
  "id" uuid primary key default gen_random_uuid(),
  "secret" text not null,
  "backupCodes" text not null,
  "userId" uuid not null references people."user" ("id") on delete cascade,
  "verified" boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz
);
create index "twoFactor_secret_idx" on people."twoFactor" ("secret");
create index "twoFactor_userId_idx" on people."twoFactor" ("userId");

create table people."passkey" (
  "id" uuid primary key default gen_random_uuid(),
  "name" text,
  "publicKey" text not null,
  "userId" uuid not null references people."user" ("id") on delete cascade,
  "credentialID" text not null,
  "counter" integer not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  "transports" text,
  "createdAt" timestamptz,
  "aaguid" text
);
create index "passkey_userId_idx" on people."passkey" ("userId");
create index "passkey_credentialID_idx" on people."passkey" ("credentialID");

-- Ours from here on. A person who is a member cannot be deleted: leaving comes first.
create table members (
  workspace_id uuid not null references workspaces on delete cascade,
  person_id uuid not null references people."user" ("id"),
  role text not null check (role in ('owner', 'member', 'viewer')),
  joined_at timestamptz not null,
  primary key (workspace_id, person_id)
);
create index members_of_person on members (person_id, joined_at);

-- Invitations that wait; accepting or revoking one removes it.
create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  -- In lower case, as people's are.
  email text not null,
  role text not null check (role in ('owner', 'member', 'viewer')),
  token_hash bytea not null unique,
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (workspace_id, email)
);
create index invitations_by_end on invitations (expires_at);

-- Links that make whoever opens them an owner, one a workspace; use removes it.
create table set_up_links (
  workspace_id uuid primary key references workspaces on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null
);

-- One-time codes of authenticator apps that were used, as keyed hashes, for as long as they would be valid again.
create table used_codes (
  person_id uuid not null references people."user" ("id") on delete cascade,
  code_hash text not null,
  used_at timestamptz not null,
  primary key (person_id, code_hash)
);
create index used_codes_by_age on used_codes (used_at);

create table audit_entries (
  id uuid primary key,
  position bigint not null generated always as identity,
  workspace_id uuid not null references workspaces on delete cascade,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('person', 'token', 'agent', 'system', 'operator')),
  -- Actors and targets may be gone: no foreign keys, and the names are copies.
  actor_id text,
  actor_name text not null,
  action text not null,
  target_kind text not null,
  target_id text,
  target_name text,
  details jsonb not null default '{}'
);
create index audit_entries_of_workspace on audit_entries (workspace_id, position desc);
create index audit_entries_by_age on audit_entries (at);
