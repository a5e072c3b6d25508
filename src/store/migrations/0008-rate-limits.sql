-- compatible_from: 1

-- Requests counted by all API processes together. Whatever is lost in a crash was over within a day at most.
-- `expire` is in milliseconds since 1970; both names are rate-limiter-flexible's.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
) with (fillfactor = 50);
