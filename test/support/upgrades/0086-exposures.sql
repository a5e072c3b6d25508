insert into exposures (
  id, workspace_id, monitor_id, monitor_name, monitor_kind, product, software_name, version, source, vulnerability,
  aliases, exploited_on, seen_at, opened_at, closed_at, outcome
) values (
  @exposure@, @workspace@, @monitor@, 'Shop', 'http', 'nginx', 'nginx', '1.25.0', 'detected', 'CVE-2026-1', '{}',
  '2026-11-10', now(), now(), now(), 'monitor_deleted'
);
insert into exposure_verifications (id, exposure_id, asked_at) values (@verification@, @exposure@, now());
insert into exposure_scans (verification_id, location, scanned_at, saw) values
  (@verification@, 'amsterdam', now(), 'nothing');
