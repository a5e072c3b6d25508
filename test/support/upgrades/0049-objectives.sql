insert into slos (id, workspace_id, name, monitor_ids, objective, window_days, alerts, created_at) values
  (@slo@, @workspace@, 'Shop', array[@shop@]::uuid[], 99.9, 30, true, now());
insert into monitor_gaps (monitor_key, started_at, ended_at)
select key, now() - interval '50 days', now() - interval '49 days' from monitors where id = @shop@;
