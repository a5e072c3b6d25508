-- compatible_from: 1

-- When a feed was first read to its end. What was compared before that, and is queued to be compared again, has not been
-- compared with all of it yet. Null for feeds that were read before this column was there.
alter table feeds add column first_read_at timestamptz;
