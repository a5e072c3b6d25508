-- compatible_from: 1

-- An alert has left to the contact, and those that come until then wait to leave together. In the past, or null, where
-- none does.
alter table alert_channels add column bundle_until timestamptz;

-- The delivery with which it leaves, and ends: another row to the same contact, of the type `alerts.bundle`.
alter table deliveries add column bundle_id uuid references deliveries on delete set null;
create index deliveries_of_bundle on deliveries (bundle_id) where bundle_id is not null;
-- It has begun the wait for others, or was the only one that waited: nothing keeps it back any more.
alter table deliveries add column leaves_alone boolean not null default false;
-- A contact has one bundle that alerts may still join: after the first attempt it stays as it is.
create unique index one_open_bundle on deliveries (alert_channel_id)
  where state = 'pending' and attempt = 0 and alert ->> 'type' = 'alerts.bundle';
