-- compatible_from: 1

-- What a workspace shows to the world of its monitors.
create table status_pages (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  slug text not null unique,
  -- A name of its own besides the address below /status.
  domain text unique,
  title text not null,
  description text not null,
  homepage text,
  theme text not null check (theme in ('auto', 'light', 'dark')),
  history text not null check (history in ('90_days', 'whole')),
  response_charts boolean not null,
  visibility text not null check (visibility in ('public', 'password', 'draft')),
  password_hash text,
  created_at timestamptz not null default now(),
  check (visibility <> 'password' or password_hash is not null)
);
create index status_pages_of_workspace on status_pages (workspace_id, created_at, id);

create table status_sections (
  page_id uuid not null references status_pages on delete cascade,
  position smallint not null,
  -- Empty for monitors that stand under no heading.
  name text not null,
  primary key (page_id, position)
);

create table status_monitors (
  page_id uuid not null references status_pages on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  section smallint not null,
  position smallint not null,
  -- Null for the monitor's own.
  name text,
  primary key (page_id, monitor_id),
  foreign key (page_id, section) references status_sections on delete cascade
);
create index status_monitors_of_monitor on status_monitors (monitor_id);

-- What people write: about an incident, for every page with its monitor, or an announcement on one page.
create table status_posts (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  incident_id uuid references incidents on delete cascade,
  page_id uuid references status_pages on delete cascade,
  state text check (state in ('investigating', 'identified', 'monitoring', 'resolved')),
  title text,
  body text not null,
  posted_at timestamptz not null,
  -- Of an announcement: until then it stands on top of the page; null for until it is changed.
  ends_at timestamptz,
  author text not null,
  edited_at timestamptz,
  check ((incident_id is null) <> (page_id is null)),
  check ((incident_id is null) = (state is null)),
  check ((page_id is null) = (title is null))
);
create index status_posts_of_incident on status_posts (incident_id, posted_at) where incident_id is not null;
create index status_posts_of_page on status_posts (page_id, posted_at desc) where page_id is not null;
create index status_posts_of_workspace on status_posts (workspace_id);

-- Who is told what happens on a page. Addresses that did not confirm are removed when their time is over.
create table status_subscribers (
  id uuid primary key,
  page_id uuid not null references status_pages on delete cascade,
  kind text not null check (kind in ('email', 'webhook')),
  destination text not null,
  signing_secret bytea,
  confirmed_at timestamptz,
  confirmation_expires_at timestamptz,
  -- Messages in a row that the other side refused for good.
  refusals smallint not null default 0,
  created_at timestamptz not null
);
create unique index one_subscription on status_subscribers (page_id, kind, lower(destination));
create index status_subscribers_to_tell on status_subscribers (page_id, id) where confirmed_at is not null;
create index status_subscribers_unconfirmed on status_subscribers (confirmation_expires_at) where confirmed_at is null;

-- What the subscribers of a page are told. Written with what happened; `told_until` is the last of the subscribers for
-- whom there is a job, `told_at` when there was one for all.
create table status_events (
  id uuid primary key,
  page_id uuid not null references status_pages on delete cascade,
  type text not null check (type in ('opened', 'resolved', 'post')),
  incident_id uuid references incidents on delete cascade,
  post_id uuid references status_posts on delete cascade,
  at timestamptz not null,
  told_until uuid,
  told_at timestamptz,
  check ((type = 'post') = (post_id is not null)),
  check ((type = 'post') = (incident_id is null))
);
create index status_events_untold on status_events (at) where told_at is null;
create index status_events_by_age on status_events (at);
create index status_events_of_page on status_events (page_id, told_at);
create index status_events_of_incident on status_events (incident_id) where incident_id is not null;
create index status_events_of_post on status_events (post_id) where post_id is not null;
