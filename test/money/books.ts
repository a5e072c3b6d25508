// Triggers in the database record monitors that were given and credit that was taken, and the test checks that both
// agree.
import assert from 'node:assert/strict'
import type { Database } from '#store/database/database.ts'
import type { Charge } from './bank.ts'

/** Installs triggers, so that every transaction records the monitors that it gave and the credit that it took. */
export async function openBooks({ pool }: Database): Promise<void> {
  await pool.query(booksStatement)
}

export async function emptyBooks({ pool }: Database): Promise<void> {
  await pool.query('truncate books, settings, workspaces, payment_attempts restart identity cascade')
  await pool.query('update receipt_series set last_number = 0')
}

export type Sums = { given: number; taken: number; payments: number; credit: number }

export async function sumsOf({ pool }: Database): Promise<Sums> {
  const { rows } = await pool.query<Sums>(
    `select
      (select coalesce(sum(given), 0)::integer from books) as given,
      (select coalesce(sum(taken), 0)::integer from books) as taken,
      (select coalesce(sum(amount_cents), 0)::integer from payments) as payments,
      (select coalesce(sum(credit_cents), 0)::integer from workspaces) as credit`,
  )
  return rows[0] ?? assert.fail()
}

/** The intended state: slots of a plan, and how many monitors of a name were wished for. */
export type Expected = { slots: number; wished: (name: string) => number }

/**
 * Asserts that each monitor was paid in the transaction that gave it, that no credit was taken for nothing, and that
 * every cent is accounted for.
 */
export async function auditBooks(
  database: Database,
  { slots, wished }: Expected = { slots: 0, wished: () => 1 },
): Promise<void> {
  const { pool } = database
  const unpaid = await pool.query(
    `select monitor_id, sum(given)::integer as given, sum(taken)::integer as taken
    from books
    group by transaction, monitor_id
    having sum(given) <> sum(taken)`,
  )
  assert.deepEqual(unpaid.rows, [], 'what a transaction gave and what it took')
  const uncounted = await pool.query(
    `select name from monitors where billing = 'paid' and paid_locations < cardinality(locations)`,
  )
  assert.deepEqual(uncounted.rows, [], 'locations that nobody paid')
  const short = await pool.query(`select monitor_id from books where days < 30`)
  assert.deepEqual(short.rows, [], 'renewals of less than 30 days')
  const made = await pool.query<{ name: string; count: number }>(
    'select name, count(*)::integer as count from books where name is not null group by name',
  )
  const tooMany = made.rows.filter(({ name, count }) => count > wished(name))
  assert.deepEqual(tooMany, [], 'wishes that made several monitors')
  const crowded = await pool.query(
    `select workspace_id from monitors where billing = 'plan' group by workspace_id having count(*) > $1`,
    [slots],
  )
  assert.deepEqual(crowded.rows, [], 'workspaces with more monitors than slots')
  await auditLedgers(database)
}

/** Each charge is one payment, each payment one charge, and every cent of them is credit or was spent. */
export async function auditCharges(database: Database, charges: readonly Charge[]): Promise<void> {
  const { rows: payments } = await database.pool.query<{ reference: string; amount: number }>(
    'select reference, amount_cents::integer as amount from payments order by reference',
  )
  await auditPayments(database)
  const expected = charges.map(({ attemptId, amountCents }) => ({
    reference: `bank_${attemptId}`,
    amount: amountCents,
  }))
  assert.deepEqual(
    payments,
    expected.toSorted((one, other) => (one.reference < other.reference ? -1 : 1)),
    'payments and what was charged',
  )
  const { taken, payments: paid, credit } = await sumsOf(database)
  assert.equal(credit + taken, paid, 'credit and what was spent of it')
}

/** A payment is what was tried, as long as that is kept, credited once, and told by one receipt, to the cent. */
async function auditPayments({ pool }: Database): Promise<void> {
  const { rows } = await pool.query(
    `select payment.id
    from payments as payment
    left join payment_attempts as attempt on attempt.payment_id = payment.id and attempt.state = 'succeeded'
    left join lateral (
      select count(*) as rows, sum(amount_cents) as cents
      from credit_transactions
      where payment_id = payment.id
    ) as credit on true
    where attempt.amount_cents <> payment.amount_cents
      or attempt.workspace_id <> payment.workspace_id
      or credit.rows <> 1
      or credit.cents <> payment.amount_cents
      or (receipt ->> 'receipt_number') <> 'TEST-' || lpad(receipt_number::text, 10, '0')
      or (receipt -> 'payment' ->> 'id')::uuid <> payment.id
      or (receipt ->> 'gross_cents')::bigint <> payment.amount_cents
      or (receipt ->> 'net_cents')::bigint <> payment.net_cents
      or (receipt ->> 'vat_cents')::bigint <> payment.vat_cents`,
  )
  assert.deepEqual(rows, [], 'payments that are not what was tried, credited or told')
  const lost = await pool.query(`select id from payment_attempts where state = 'succeeded' and payment_id is null`)
  assert.deepEqual(lost.rows, [], 'attempts that were charged for nothing')
}

async function auditLedgers({ pool }: Database): Promise<void> {
  const unbalanced = await pool.query(
    `select workspace.id
    from workspaces as workspace
    left join credit_transactions as row on row.workspace_id = workspace.id
    group by workspace.id
    having workspace.credit_cents <> coalesce(sum(row.amount_cents), 0)
      or count(row.id) <> coalesce(max(row.position), 0)`,
  )
  assert.deepEqual(unbalanced.rows, [], 'ledgers that do not add up')
  const { rows } = await pool.query<{ numbers: number[] }>(
    'select array_agg(receipt_number::integer order by receipt_number) as numbers from payments having count(*) > 0',
  )
  for (const { numbers } of rows)
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
      'numbers of receipts',
    )
  const open = await pool.query(`select id from payment_attempts where state = 'settling'`)
  assert.deepEqual(open.rows, [], 'attempts that never ended')
}

const booksStatement = `
create table books (
  transaction xid8 not null default pg_current_xact_id(),
  monitor_id uuid,
  -- Of a monitor that was made.
  name text,
  -- That a renewal adds.
  days numeric,
  given integer not null default 0,
  taken integer not null default 0
);


create function note_given() returns trigger language plpgsql as $$
declare
  price integer := case new.billing_period when 'lifetime' then 10 else 1 end;
begin
  if new.billing <> 'paid' then
    if tg_op = 'INSERT' then
      insert into books (monitor_id, name) values (new.id, new.name);
    end if;
  elsif tg_op = 'INSERT' then
    insert into books (monitor_id, name, given) values (new.id, new.name, cardinality(new.locations) * price);
  elsif new.paid_until is distinct from old.paid_until then
    insert into books (monitor_id, given, days)
    values (new.id, cardinality(new.locations), extract(epoch from new.paid_until - old.paid_until) / 86400);
  elsif new.paid_locations > old.paid_locations then
    insert into books (monitor_id, given) values (new.id, (new.paid_locations - old.paid_locations) * price);
  end if;
  return new;
end $$;
create trigger note_given after insert or update on monitors for each row execute function note_given();

create function note_taken() returns trigger language plpgsql as $$
begin
  if new.reason <> 'payment' then
    insert into books (monitor_id, taken) values (new.monitor_id, -new.amount_cents);
  end if;
  return new;
end $$;
create trigger note_taken after insert on credit_transactions for each row execute function note_taken();`
