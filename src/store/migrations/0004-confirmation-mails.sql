-- compatible_from: 1

-- What was lately sent to people who did not ask for it: a hash of an address, or of the workspace that had it sent.
create table confirmation_mails (
  subject bytea primary key,
  sent_at timestamptz[] not null,
  last_at timestamptz not null
);
create index confirmation_mails_by_age on confirmation_mails (last_at);
