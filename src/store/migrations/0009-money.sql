-- compatible_from: 1

-- What a workspace may still spend. Written by the trigger of credit_transactions alone.
alter table workspaces
  add column credit_cents bigint not null default 0 check (credit_cents >= 0),
  -- Whether VIES confirmed billing_vat_id, and when it was asked last; null before.
  add column vat_confirmed boolean,
  add column vat_asked_at timestamptz;

create index vat_ids_to_ask on workspaces (vat_asked_at nulls first) where billing_vat_id is not null;

-- A workspace that has paid is not deleted whole: its receipts have to be kept.
alter table workspaces
  drop constraint workspaces_closed_reason_check,
  add check (closed_reason in ('claimed', 'revoked', 'deleted'));

-- The last renewal notice that was sent for the running period: 7, 3, 1 or 0 days before its end.
alter table monitors
  add column renewal_notice smallint;

-- Whose period ends, the earliest first.
create index monitors_to_renew on monitors (paid_until)
  where billing = 'paid' and billing_period = 'monthly' and status = 'enabled';

-- One try to be paid, written before a processor is called, so that no crash can lose what it did.
create table payment_attempts (
  id uuid primary key,
  -- SHA-256 of operation, workspace, target, Idempotency-Key and body: what the payment is good for, and nothing else.
  purpose_hash bytea not null,
  -- The id of the challenge that was answered: paid once.
  challenge_id text not null unique,
  method text not null check (method in ('card', 'chain')),
  -- SHA-256 of what proves the payment, such as a token that is usable once; null where it may be used again.
  proof_hash bytea unique,
  -- SHA-256 of all that was sent in answer to the challenge: a caller who sends it again is the payer.
  payload_hash bytea not null,
  -- The one that is paid for; of callers without an account the one that begins to exist with the payment.
  workspace_id uuid not null,
  is_new_workspace boolean not null,
  amount_cents bigint not null check (amount_cents > 0),
  purpose text not null check (purpose in ('credit', 'monitor', 'renewal', 'locations')),
  description text not null,
  state text not null check (state in ('settling', 'succeeded', 'failed')),
  -- What is needed to ask the processor again, sealed; erased when the attempt has ended.
  sealed_payload bytea,
  -- What the method noted on its way, such as a signed transaction.
  notes jsonb not null default '{}',
  -- Why it failed, in words for the payer.
  failure text,
  created_at timestamptz not null,
  -- When the processor was asked last, and how often.
  asked_at timestamptz,
  asked integer not null default 0,
  ended_at timestamptz,
  payment_id uuid unique,
  -- The paid operation is done, and what it made or changed.
  done_at timestamptz,
  result jsonb,
  constraint ended_or_not check ((state = 'settling') = (ended_at is null)),
  constraint paid_or_not check ((state = 'succeeded') = (payment_id is not null)),
  constraint done_when_paid check (done_at is null or state = 'succeeded')
);
-- Of one request only one attempt runs.
create unique index payment_attempts_running on payment_attempts (purpose_hash) where state = 'settling';
create index payment_attempts_of_purpose on payment_attempts (purpose_hash, created_at desc);
create index payment_attempts_of_workspace on payment_attempts (workspace_id);
create index payment_attempts_open on payment_attempts (asked_at) where state = 'settling';

-- Sequential numbers without gaps: a row is locked until its payment is committed. Test payments have a series of
-- their own.
create table receipt_series (
  livemode boolean primary key,
  last_number bigint not null default 0
);
insert into receipt_series (livemode) values (true), (false);

create table payments (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete restrict,
  method text not null check (method in ('card', 'chain')),
  reference text not null,
  amount_cents bigint not null check (amount_cents > 0),
  purpose text not null check (purpose in ('credit', 'monitor', 'renewal', 'locations')),
  net_cents bigint not null,
  vat_cents bigint not null check (vat_cents >= 0),
  vat_rate numeric(5, 2) not null check (vat_rate >= 0),
  vat_treatment text not null check (vat_treatment in ('domestic', 'reverse_charge', 'oss', 'outside_scope')),
  livemode boolean not null,
  receipt_number bigint not null,
  -- Seller, customer, lines and the amounts in euro as they were then: a receipt never changes.
  receipt jsonb not null,
  created_at timestamptz not null,
  unique (method, reference),
  unique (livemode, receipt_number),
  constraint whole check (net_cents + vat_cents = amount_cents)
);
create index payments_of_workspace on payments (workspace_id, created_at desc, id);

-- A payment only ever moves, with all that its workspace has.
create function keep_payment() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    old.workspace_id := new.workspace_id;
    if new is not distinct from old then return new; end if;
  end if;
  raise exception 'payments are never changed';
end $$;
create trigger payment_is_kept before update or delete on payments for each row execute function keep_payment();

alter table payment_attempts
  add foreign key (payment_id) references payments;

-- The ledger of a workspace. Each row begins where the one before ended: the balance is the sum of the amounts, and no
-- row can be changed, taken out or put in between.
create table credit_transactions (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete restrict,
  position integer not null check (position > 0),
  previous_position integer generated always as (nullif(position - 1, 0)) stored,
  previous_balance_cents bigint not null check (previous_balance_cents >= 0),
  amount_cents bigint not null check (amount_cents <> 0),
  balance_cents bigint not null check (balance_cents >= 0),
  reason text not null check (reason in ('payment', 'monitor', 'renewal')),
  description text,
  payment_id uuid references payments,
  monitor_id uuid,
  inserted_at timestamptz not null,
  unique (workspace_id, position, balance_cents),
  unique (workspace_id, position),
  constraint adds_up check (balance_cents = previous_balance_cents + amount_cents),
  constraint begins_at_zero check (position > 1 or previous_balance_cents = 0),
  foreign key (workspace_id, previous_position, previous_balance_cents)
    references credit_transactions (workspace_id, position, balance_cents)
);
-- A payment is credited once.
create unique index credit_of_payment on credit_transactions (payment_id) where reason = 'payment' and amount_cents > 0;

create function keep_credit() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    raise exception 'credit_transactions are never changed';
  end if;
  update workspaces set credit_cents = new.balance_cents
  where id = new.workspace_id and credit_cents = new.previous_balance_cents;
  if not found then
    raise exception 'the credit of workspace % is not %', new.workspace_id, new.previous_balance_cents;
  end if;
  return new;
end $$;
create trigger credit_is_the_sum before insert on credit_transactions for each row execute function keep_credit();
create trigger credit_is_kept before update or delete on credit_transactions for each row execute function keep_credit();

create function refuse_credit() returns trigger language plpgsql as $$
begin
  raise exception 'workspaces.credit_cents is written by credit_transactions alone';
end $$;
create trigger credit_begins_at_zero before insert on workspaces
  for each row when (new.credit_cents <> 0) execute function refuse_credit();
-- At depth 0 a statement of ours writes it, deeper keep_credit does.
create trigger credit_comes_from_transactions before update of credit_cents on workspaces
  for each row when (pg_trigger_depth() = 0) execute function refuse_credit();
