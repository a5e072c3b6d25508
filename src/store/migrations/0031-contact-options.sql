-- compatible_from: 1

-- What the kind of a contact adds to it, and what of that is secret, sealed for this contact.
alter table alert_channels add column options jsonb not null default '{}';
alter table alert_channels add column secret_options bytea;
-- Host and port to which messages go, of kinds whose address is an option; null where it is the destination.
alter table alert_channels add column host text;
