insert into told_maintenance (id, window_id, starts_at, ends_at) values (@begun@, @window@, now(), now() + interval '1 hour');
