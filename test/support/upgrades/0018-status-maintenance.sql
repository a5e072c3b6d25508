insert into uptime_months (monitor_key, month, checks, up, down, restricted, latency_sum_ms, latency_count)
select key, '2026-01-01', 44640, 44600, 40, 0, 4460000, 44600 from monitors where id = @shop@;
insert into status_maintenance (page_id, window_id, title, starts_at, ends_at, told) values
  (@page@, @window@, 'Upgrade', now() + interval '1 day', now() + interval '25 hours', 'planned');
