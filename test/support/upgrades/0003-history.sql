insert into result_merges (monitor_key, merged_until, due_at)
select key, date_trunc('day', now(), 'UTC') - interval '2 days', now() from monitors;
insert into latency_days (monitor_key, day, slots, counts, phase_sums_ms, phase_counts)
select key, (now() at time zone 'UTC')::date - 3, '{70,71}', '{1400,30}', '{1,2,3,4,5}', '{1,1,1,1,1}'
from monitors
where id = @shop@;

-- A day that is being rewritten has a copy, which migrations of results have to change as well.
insert into day_rewrites (day, next_key, finished_at) values
  ((now() at time zone 'UTC')::date - 2, 0, null),
  ((now() at time zone 'UTC')::date - 3, null, now());
do $$
begin
  execute format(
    'create table %I (like results including all)',
    to_char((now() at time zone 'UTC')::date - 2, '"results_"YYYYMMDD"_hours"')
  );
end $$;
