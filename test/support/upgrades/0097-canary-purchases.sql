insert into canary_purchases (
  id, monitor_key, begun_at, location, state, price, network, asset, payee, nonce, transaction, ended_at
)
select gen_random_uuid(), key, '2026-11-28T10:00:00Z', 'local', 'settled', 10000, 'eip155:8453', '0xa', '0xb', '0xc', '0xd',
  '2026-11-28T10:00:05Z'
from monitors where id = @shop@;
insert into canary_spending (day, network, asset, spent) values ('2026-11-28', 'eip155:8453', '0xa', 10000);
