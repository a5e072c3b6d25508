-- compatible_from: 1

-- The provider's id of the message of a delivered alert, by which the message of its recovery can answer it, and the
-- number that the contact's address had (alert_channels.address_number): another chat does not know the id.
alter table deliveries
  add column reference text,
  add column address_number integer;
