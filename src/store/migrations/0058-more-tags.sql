-- compatible_from: 1

-- Words of people by which contacts, status pages and maintenance are found, as monitors are.
alter table alert_channels add column tags text[] not null default '{}';
alter table status_pages add column tags text[] not null default '{}';
alter table maintenance_windows add column tags text[] not null default '{}';
