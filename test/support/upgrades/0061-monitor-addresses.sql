insert into monitor_addresses (monitor_key, location, target_version, addresses, seen_at, changed_at, is_rotating)
select key, 'local', 1, '{192.0.2.1}', array[now()], now(), false from monitors where id = @shop@;
