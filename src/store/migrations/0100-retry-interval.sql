-- compatible_from: 1

-- How soon after a failed round the next one begins, until an incident opens; null for the interval.
alter table monitors add column retry_interval_seconds integer;
