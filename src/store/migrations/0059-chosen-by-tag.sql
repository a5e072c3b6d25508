-- compatible_from: 1

create function has_common_tag(one text[], other text[]) returns boolean
  language sql immutable parallel safe
  return exists (
    select
    from unnest(one) as mine (tag)
    join unnest(other) as theirs (tag) on lower(mine.tag) = lower(theirs.tag)
  );

-- Contacts with one of these tags are alerted too.
alter table monitors add column alert_channel_tags text[] not null default '{}';

-- Maintenance covers monitors that have one of these tags too. Where it has some, covers_all is false.
alter table maintenance_windows add column monitor_tags text[] not null default '{}';

-- A page shows monitors that have one of these tags too, after those of its sections. They stand beside those, so that
-- whatever concerns the monitors of a page concerns them as well; triggers keep them.
alter table status_pages add column monitor_tags text[] not null default '{}';
-- Null for a monitor that is on the page by a tag.
alter table status_monitors alter column section drop not null;

-- Which monitors a window covers, or covered, by a tag, and when: a tag that is taken away leaves the past as it was.
-- Triggers write it, so that it follows every way in which tags change.
create table maintenance_tagged (
  window_key bigint not null references maintenance_windows (key) on delete cascade,
  monitor_key bigint not null references monitors (key) on delete cascade,
  since timestamptz not null,
  until timestamptz not null default 'infinity' check (until > since),
  primary key (window_key, monitor_key, since)
);
create unique index maintenance_tagged_now on maintenance_tagged (monitor_key, window_key) where until = 'infinity';
create index maintenance_tagged_by_end on maintenance_tagged (until) where until < 'infinity';

-- When each window covers the monitors that it names, by their ids or by a tag.
create view maintenance_covers as
select window_key, monitor_key, timestamptz '-infinity' as since, timestamptz 'infinity' as until
from maintenance_monitors
union all
select window_key, monitor_key, since, until
from maintenance_tagged;

-- A change of the tags of a window or page and one of a monitor's do not see each other before they are committed, so they take
-- turns; changes of monitors wait for none of each other.
create function follow_monitor_tags() returns trigger language plpgsql as $$
declare
  at timestamptz;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('chosen by tag', 0) # hashtextextended(new.workspace_id::text, 0));
  at := clock_timestamp();
  if tg_op = 'UPDATE' then
    delete from maintenance_tagged c
    using maintenance_windows w
    where c.monitor_key = new.key and c.until = 'infinity' and c.since >= at
      and w.key = c.window_key and not has_common_tag(w.monitor_tags, new.tags);
    update maintenance_tagged c set until = at
    from maintenance_windows w
    where c.monitor_key = new.key and c.until = 'infinity'
      and w.key = c.window_key and not has_common_tag(w.monitor_tags, new.tags);
  end if;
  insert into maintenance_tagged (window_key, monitor_key, since)
  select w.key, new.key, case tg_op when 'INSERT' then '-infinity' else at end
  from maintenance_windows w
  where w.workspace_id = new.workspace_id
    and has_common_tag(w.monitor_tags, new.tags)
    and not exists (
      select from maintenance_tagged c
      where c.window_key = w.key and c.monitor_key = new.key and c.until = 'infinity'
    )
  order by w.key
  for key share of w;
  delete from status_monitors placed
  using status_pages p
  where placed.monitor_id = new.id and placed.section is null
    and p.id = placed.page_id and not has_common_tag(p.monitor_tags, new.tags);
  insert into status_monitors (page_id, monitor_id, position)
  select p.id, new.id, 0
  from status_pages p
  where p.workspace_id = new.workspace_id and has_common_tag(p.monitor_tags, new.tags)
  order by p.id
  for key share of p
  on conflict do nothing;
  return null;
end $$;
create trigger new_monitor_is_chosen after insert on monitors
  for each row when (new.tags <> '{}') execute function follow_monitor_tags();
create trigger monitor_is_chosen after update on monitors
  for each row when (old.tags is distinct from new.tags or old.workspace_id is distinct from new.workspace_id)
  execute function follow_monitor_tags();

-- A new window covers what has the tag since ever, as it would by an id: its time may have begun before it was planned.
create function follow_window_tags() returns trigger language plpgsql as $$
declare
  at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('chosen by tag', 0) # hashtextextended(new.workspace_id::text, 0));
  at := clock_timestamp();
  if tg_op = 'UPDATE' then
    delete from maintenance_tagged c
    using monitors m
    where c.window_key = new.key and c.until = 'infinity' and c.since >= at
      and m.key = c.monitor_key and not has_common_tag(new.monitor_tags, m.tags);
    update maintenance_tagged c set until = at
    from monitors m
    where c.window_key = new.key and c.until = 'infinity'
      and m.key = c.monitor_key and not has_common_tag(new.monitor_tags, m.tags);
  end if;
  insert into maintenance_tagged (window_key, monitor_key, since)
  select new.key, m.key, case tg_op when 'INSERT' then '-infinity' else at end
  from monitors m
  where m.workspace_id = new.workspace_id
    and m.tags <> '{}'
    and has_common_tag(new.monitor_tags, m.tags)
    and not exists (
      select from maintenance_tagged c
      where c.window_key = new.key and c.monitor_key = m.key and c.until = 'infinity'
    )
  order by m.key
  for key share of m;
  return null;
end $$;
create trigger new_maintenance_covers_monitors after insert on maintenance_windows
  for each row when (new.monitor_tags <> '{}') execute function follow_window_tags();
create trigger maintenance_follows_window after update on maintenance_windows
  for each row
  when (old.monitor_tags is distinct from new.monitor_tags or old.workspace_id is distinct from new.workspace_id)
  execute function follow_window_tags();

-- Makes the monitors that are on a page by a tag the ones that have it.
create function place_tagged_monitors(page uuid) returns void language plpgsql as $$
declare
  chosen status_pages%rowtype;
begin
  select * into chosen from status_pages where id = page;
  perform pg_advisory_xact_lock(hashtextextended('chosen by tag', 0) # hashtextextended(chosen.workspace_id::text, 0));
  delete from status_monitors placed
  using monitors m
  where placed.page_id = page and placed.section is null
    and m.id = placed.monitor_id and not has_common_tag(chosen.monitor_tags, m.tags);
  insert into status_monitors (page_id, monitor_id, position)
  select page, m.id, 0
  from monitors m
  where m.workspace_id = chosen.workspace_id and m.tags <> '{}' and has_common_tag(chosen.monitor_tags, m.tags)
  order by m.id
  for key share of m
  on conflict do nothing;
end $$;

create function follow_page_tags() returns trigger language plpgsql as $$
begin
  perform place_tagged_monitors(new.id);
  return null;
end $$;
create trigger new_page_shows_monitors after insert on status_pages
  for each row when (new.monitor_tags <> '{}') execute function follow_page_tags();
create trigger page_follows_tags after update on status_pages
  for each row
  when (old.monitor_tags is distinct from new.monitor_tags or old.workspace_id is distinct from new.workspace_id)
  execute function follow_page_tags();
