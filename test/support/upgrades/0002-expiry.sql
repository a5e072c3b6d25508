insert into monitor_expiries (monitor_key, subject, target_version, name, expires_at, seen_at)
select key, 'certificate', 1, 'shop.example.com', now() + interval '30 days', now() from monitors where id = @shop@;
insert into told_expiries (monitor_key, subject, expires_at, occasion_at)
select key, 'certificate', now() + interval '30 days', now() - interval '1 day' from monitors where id = @shop@;
insert into domains (name, expires_at, due_at) values ('example.com', now() + interval '90 days', now());
