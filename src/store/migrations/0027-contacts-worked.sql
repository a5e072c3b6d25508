-- compatible_from: 1

-- When something first arrived at a contact: an alert, a test, or the mail whose link its reader opened. Null while
-- nobody knows whether anything does.
alter table alert_channels add column worked_at timestamptz;

update alert_channels as contact
set worked_at = coalesce(
  (
    select min(ended_at)
    from deliveries
    where alert_channel_id = contact.id
      and state = 'delivered'
      and status_code is not null
  ),
  case when confirmed and kind = 'email' then created_at end
);
