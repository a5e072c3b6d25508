-- compatible_from: 1

-- When an alert of a finding was last ordered; from then on it is not ordered again. `alerted_at` is that time once the
-- alert arrived at a contact. Findings that were alerted before this column was there have `alerted_at` alone.
alter table findings add column ordered_at timestamptz;
