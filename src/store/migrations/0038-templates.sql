-- compatible_from: 1

-- Title and body of a contact's messages in Liquid, each null where the built-in words are told; null where both are.
alter table alert_channels add column templates jsonb;
-- Why an alert was told in the built-in words although its contact has others; null where it was not.
alter table deliveries add column template_problem text;
