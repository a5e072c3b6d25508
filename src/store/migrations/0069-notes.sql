-- compatible_from: 1

-- What people who look after a monitor should know, and where it says what to do.
alter table monitors add column notes text, add column runbook_url text;
