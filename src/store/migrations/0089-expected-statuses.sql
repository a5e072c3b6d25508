-- compatible_from: 1

-- Statuses and ranges of them, as callers write them; null where all from the least to the greatest are right.
alter table monitors add column expected_statuses text[];
