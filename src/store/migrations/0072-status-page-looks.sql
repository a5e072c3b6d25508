-- compatible_from: 1

-- The colour of links and buttons as it was chosen, null for the usual one, and how monitors stand on the page.
alter table status_pages
  add column accent text check (accent ~ '^#[0-9a-f]{6}$'),
  add column layout text not null default 'list' check (layout in ('list', 'compact'));
