-- compatible_from: 1

-- From then on what monitors send, and addresses that are secrets, are sealed. Processes of earlier releases cannot read
-- that: where there may be some, they have a day to be replaced. The job that begins to seal raises `compatible_from`.
insert into settings (name, value)
select
  'seals_since',
  to_jsonb(case
    when exists (select from settings where name = 'secret_key') then now() + interval '1 day'
    else now()
  end);

-- The request body and the bodies of steps, which `request_body` and `check_options` then lack.
alter table monitors add column content bytea;
alter table idempotency_keys add column last_content bytea;
-- Of a contact whose address is a secret; `destination` then shows what may be shown of it.
alter table alert_channels add column sealed_destination bytea;

-- What is still to be sealed.
create index monitors_in_clear on monitors (id)
  where request_body is not null
    or jsonb_path_exists(check_options, '$.steps[*].body');
create index alert_channels_in_clear on alert_channels (id)
  where kind = 'slack'
    and sealed_destination is null;
