-- compatible_from: 1

-- When the response times of degraded checks began to count, as a UTC midnight (docs/decisions/history-and-uptime.md,
-- "Slow answers count"). Earlier days stay as they were counted. Processes of earlier releases may run for a while
-- beside this one, so it is the first UTC day that begins at least six hours from now. An installation without
-- workspaces has counted nothing yet.
insert into settings (name, value)
select 'slow_answers_since', to_jsonb(to_char(first, 'YYYY-MM-DD"T00:00:00Z"'))
from (
  select case
    when exists (select from workspaces) then date_trunc('day', (now() at time zone 'UTC') + interval '30 hours')
    else timestamp 'epoch'
  end as first
) as decided;
