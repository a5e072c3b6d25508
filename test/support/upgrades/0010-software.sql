insert into feeds (name, cursor, succeeded_at) values ('osv', 'here', now());
insert into advisories (source, id, aliases, vulnerability, fingerprint) values
  ('osv', 'GHSA-1', '{CVE-2026-1}', 'CVE-2026-1', 'fingerprint');
insert into affected_products (advisory_key, product, affected) select key, 'npm:left', '[]' from advisories;
insert into vulnerabilities (id, aliases, source) values ('CVE-2026-1', '{GHSA-1}', 'osv');
insert into exploited (cve, added_on) values ('CVE-2026-1', '2026-01-01');
insert into release_cycles (product, cycle, is_ended) values ('left', '1', true);
insert into components (product, version) values ('npm:left', '1.0.0');
insert into component_findings (component_key, vulnerability, version_known, is_exploited)
select key, 'CVE-2026-1', true, true from components;
insert into match_queue (product) values ('npm:left');
insert into monitor_software (id, monitor_key, component_key, name, source, added_at)
select @software@, m.key, c.key, 'left', 'manual', now() from monitors m cross join components c where m.id = @shop@;
insert into findings (id, monitor_key, software_id, vulnerability, found_at)
select @finding@, key, @software@, 'CVE-2026-1', now() from monitors where id = @shop@;
insert into finding_alerts (monitor_key) select key from monitors where id = @shop@;
insert into software_scans (monitor_key, due_at) select key, now() from monitors where id = @shop@;
