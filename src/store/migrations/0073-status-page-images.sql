-- compatible_from: 1

-- Pictures as readers get them: without metadata, of a type that their bytes showed. The hash names them in addresses.
create table status_page_images (
  page_id uuid not null references status_pages on delete cascade,
  kind text not null check (kind in ('logo', 'favicon')),
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  width smallint not null check (width > 0),
  height smallint not null check (height > 0),
  alt text not null,
  hash text not null,
  picture bytea not null check (octet_length(picture) between 1 and 204800),
  primary key (page_id, kind)
);
-- They are packed already, and read whole.
alter table status_page_images alter column picture set storage external;
