-- compatible_from: 1

-- Words of people by which monitors are found and chosen.
alter table monitors add column tags text[] not null default '{}';
