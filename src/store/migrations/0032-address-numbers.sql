-- compatible_from: 1

-- How often the destination of a contact was changed. Links in mails name it, so that one that went to an earlier address
-- neither confirms the present one nor ends its alerts.
alter table alert_channels add column address_number integer not null default 0;
