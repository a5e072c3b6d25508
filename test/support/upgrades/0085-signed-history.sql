insert into signed_progress (since, hour) values ('2026-11-01T00:00:00Z', '2026-11-02T03:00:00Z');
insert into signed_hours (
  monitor_key, hour, location, checks, up, degraded, down, in_maintenance, latency_count, latency_sum_ms, rounds_hash
)
select key, '2026-11-02T02:00:00Z', 1, 60, 59, 0, 1, 0, 59, 5900, sha256('rounds') from monitors where id = @shop@;
insert into signed_days (monitor_key, day, monitor_id, workspace_id, size, root_hash, leaf_hash, lines)
select key, '2026-11-01', id, workspace_id, 24, sha256('root'), sha256('leaf'), 'lines' from monitors where id = @shop@;
insert into signed_workspace_days (day, workspace_id, size, root_hash, leaf_hash)
select '2026-11-01', workspace_id, 1, sha256('root'), sha256('leaf') from monitors where id = @shop@;
insert into signed_heads (day, size, root_hash, previous_hash, installation, key_id, signature)
values ('2026-11-01', 1, sha256('root'), null, 'key', 'key', repeat('ab', 64));
