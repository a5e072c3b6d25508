-- compatible_from: 1

-- How many bytes of JSON the settings of a monitor have. Zero where a process of an earlier release wrote it, and where it
-- was surely little before this migration; of the others it is about right until the next change.
alter table monitors add column settings_bytes integer not null default 0;

update monitors
set settings_bytes = estimate.bytes
from (
  select
    id,
    700 + octet_length(name) + octet_length(check_options::text)
      + coalesce(octet_length(url), 0) + coalesce(octet_length(keyword), 0)
      + coalesce(octet_length(request_body), 0) + coalesce(octet_length(content), 0)
      + coalesce(octet_length(request_headers), 0) + coalesce(octet_length(secret_options), 0)
      + 39 * coalesce(cardinality(alert_channel_ids), 0) as bytes
  from monitors
) as estimate
where estimate.id = monitors.id
  and estimate.bytes > 1024;

create index monitors_beyond_basis on monitors (workspace_id) include (id, settings_bytes)
  where settings_bytes > 2048;
