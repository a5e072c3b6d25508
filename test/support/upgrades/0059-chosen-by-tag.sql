update monitors set tags = '{production}' where id = @backup@;
insert into maintenance_tagged (window_key, monitor_key, since)
select w.key, m.key, now() - interval '1 day' from maintenance_windows w cross join monitors m where m.id = @backup@;
