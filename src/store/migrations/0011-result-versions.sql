-- compatible_from: 1

-- The version of the monitor that was checked. Of what was stored and not folded, an engine folds the present version's
-- alone. Null where a process of an earlier release stored it, and in rows of hours.
alter table results
  add column version integer;

-- Copies of days under rewrite take the place of partitions, so they have the same columns.
do $$
declare
  copy text;
begin
  for copy in
    select to_char(day, '"results_"YYYYMMDD"_hours"')
    from day_rewrites
    where finished_at is null
      and retry_at is null
  loop
    execute format('alter table %I add column version integer', copy);
  end loop;
end $$;
