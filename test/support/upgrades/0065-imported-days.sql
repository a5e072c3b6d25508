insert into imported_days (monitor_key, source, first_day, last_day, imported_at)
select key, 'uptime_kuma', '2025-01-01', '2025-12-31', now() from monitors where id = @shop@;
