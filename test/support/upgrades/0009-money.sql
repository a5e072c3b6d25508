insert into payments (
  id, workspace_id, method, reference, amount_cents, purpose, net_cents, vat_cents, vat_rate, vat_treatment, livemode,
  receipt_number, receipt, created_at
) values
  (
    @payment@, @workspace@, 'card', 'pi_1', 1190, 'credit', 1000, 190, 19, 'domestic', true, 1,
    '{"number": "1"}', now() - interval '10 days'
  );
update receipt_series set last_number = 1 where livemode;
insert into payment_attempts (
  id, purpose_hash, challenge_id, method, payload_hash, workspace_id, is_new_workspace, amount_cents, purpose,
  description, state, created_at, ended_at, payment_id, done_at
) values
  (
    @attempt@, 'purpose', 'challenge', 'card', 'payload', @workspace@, false, 1190, 'credit', 'Credit', 'succeeded',
    now() - interval '10 days', now() - interval '10 days', @payment@, now() - interval '10 days'
  );
insert into credit_transactions (
  id, workspace_id, position, previous_balance_cents, amount_cents, balance_cents, reason, description, payment_id,
  inserted_at
) values
  (@credited@, @workspace@, 1, 0, 1190, 1190, 'payment', 'Credit', @payment@, now() - interval '10 days');
insert into credit_transactions (
  id, workspace_id, position, previous_balance_cents, amount_cents, balance_cents, reason, description, monitor_id,
  inserted_at
) values
  (@spent@, @workspace@, 2, 1190, -300, 890, 'monitor', 'Shop', @shop@, now() - interval '9 days');
