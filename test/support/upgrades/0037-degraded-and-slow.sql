insert into latency_hours (monitor_key, starts_at, slots, counts)
select key, date_trunc('day', now(), 'UTC') - interval '3 days', '{70,71}', '{300,60}' from monitors where id = @shop@;
insert into monitor_events (id, monitor_id, type, at, message) values (@slow@, @shop@, 'slow', now(), 'Shop is slow.');
