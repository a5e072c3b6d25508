-- compatible_from: 1

-- The language of a page, `auto` for the one that each reader's browser asks for, and that of the mails to a subscriber
-- with the time zone of their times. Both are as they were when the subscriber asked for mails.
alter table status_pages
  add column language text not null default 'en' check (language in ('auto', 'en', 'de', 'fr', 'es', 'pt', 'ja'));
alter table status_subscribers
  add column language text not null default 'en' check (language in ('en', 'de', 'fr', 'es', 'pt', 'ja')),
  add column time_zone text not null default 'UTC' check (length(time_zone) between 1 and 64);
