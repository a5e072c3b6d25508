-- compatible_from: 1

-- A name of its own counts once the workspace has shown that the name is its own; those that pages have already stay.
alter table status_pages
  add column domain_proven_at timestamptz,
  add column domain_checked_at timestamptz;
update status_pages set domain_proven_at = now() where domain is not null;

-- Whoever only says that a name is theirs keeps nobody from showing it.
alter table status_pages drop constraint status_pages_domain_key;
create unique index status_pages_by_domain on status_pages (domain) where domain_proven_at is not null;
create index status_pages_to_prove on status_pages (domain_checked_at nulls first)
  where domain is not null and domain_proven_at is null;

-- Names that pages gave up: records that point here may still be there, so that for a while nobody else gets them.
create table status_domains_released (
  domain text primary key,
  workspace_id uuid not null,
  released_at timestamptz not null
);
create index status_domains_released_by_age on status_domains_released (released_at);

-- Whatever takes a page its name, be it the end of its workspace; and a proof is of one name.
create function release_status_domain() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.domain is not distinct from old.domain then return new; end if;
    new.domain_checked_at := null;
    if new.domain_proven_at is not distinct from old.domain_proven_at then new.domain_proven_at := null; end if;
  end if;
  if old.domain is not null and old.domain_proven_at is not null then
    insert into status_domains_released (domain, workspace_id, released_at)
    values (old.domain, old.workspace_id, now())
    on conflict (domain) do update set workspace_id = excluded.workspace_id, released_at = excluded.released_at;
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger status_domain_is_released before update of domain or delete on status_pages
  for each row execute function release_status_domain();
