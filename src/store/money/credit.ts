import { randomUUID } from 'node:crypto'
import type { CreditReason, CreditTransactionRecord } from '#core/money/payment.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import { workspaceGone } from '#store/workspaces/workspaces.ts'

const maxListed = 500

/** What is added to a workspace's credit, or below zero taken from it. */
export type CreditChange = {
  workspaceId: string
  /** Not 0. */
  amountCents: number
  reason: CreditReason
  description: string
  paymentId?: string | null
  monitorId?: string | null
  at: Date
}

/** Nothing was taken: the workspace has `creditCents`, and `missingCents` more would have been enough. */
export class NotEnoughCredit extends Error {
  override readonly name = 'NotEnoughCredit'
  readonly creditCents: number
  readonly missingCents: number

  constructor({ creditCents, missingCents }: { creditCents: number; missingCents: number }) {
    super(`The credit of ${creditCents} cents is ${missingCents} cents short.`)
    this.creditCents = creditCents
    this.missingCents = missingCents
  }
}

/** In cents. Refuses with `unavailable` where the workspace is gone. */
export async function readCredit(reader: Reader, workspaceId: string): Promise<number> {
  const { credit_cents: cents } = await reader.query
    .selectFrom('workspaces')
    .select('credit_cents')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow(workspaceGone)
  return Number(cents)
}

/**
 * In cents, held until the transaction ends, so that no other one spends or adds meanwhile. Before any monitor is
 * locked.
 */
export async function lockCredit(tx: Transaction, workspaceId: string): Promise<number> {
  const { credit_cents: cents } = await tx.query
    .selectFrom('workspaces')
    .select('credit_cents')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(workspaceGone)
  return Number(cents)
}

/**
 * Writes one row of the ledger, whose trigger writes the balance, and returns the balance after it. Locks the
 * workspace's row before all else. Throws NotEnoughCredit.
 */
export async function addCredit(tx: Transaction, change: CreditChange): Promise<number> {
  const [balanceCents] = await addCredits(tx, [change])
  if (balanceCents === undefined) throw new Error('A change of credit has no balance.')
  return balanceCents
}

/** Writes rows of many workspaces, which it locks in the order of their ids; returns the balance after each row. */
export async function addCredits(tx: Transaction, changes: readonly CreditChange[]): Promise<number[]> {
  const ends = await lockEnds(tx, [...new Set(changes.map(({ workspaceId }) => workspaceId))])
  const rows = changes.map((change) => {
    const end = ends.get(change.workspaceId)
    if (end === undefined) throw new Error(`There is no workspace ${change.workspaceId}.`)
    const row = rowAfter(end, change)
    ends.set(change.workspaceId, { position: row.position, balanceCents: row.balance_cents })
    return row
  })
  await tx.client.query(addStatement, [JSON.stringify(rows)])
  return rows.map(({ balance_cents: balanceCents }) => balanceCents)
}

/** Where a ledger ends. */
type End = { position: number; balanceCents: number }

async function lockEnds({ client }: Transaction, workspaceIds: readonly string[]): Promise<Map<string, End>> {
  const held = await client.query<{ id: string; credit: number }>(lockStatement, [workspaceIds])
  // A statement of its own: the one that waits for the locks does not see what was written meanwhile.
  const last = await client.query<{ id: string; position: number }>(lastStatement, [workspaceIds])
  const positions = new Map(last.rows.map(({ id, position }) => [id, position]))
  return new Map(held.rows.map(({ id, credit }) => [id, { position: positions.get(id) ?? 0, balanceCents: credit }]))
}

function rowAfter({ position, balanceCents: creditCents }: End, change: CreditChange) {
  const { workspaceId, amountCents, paymentId = null, monitorId = null } = change
  const balanceCents = creditCents + amountCents
  if (balanceCents < 0) throw new NotEnoughCredit({ creditCents, missingCents: -balanceCents })
  return {
    id: randomUUID(),
    workspace_id: workspaceId,
    position: position + 1,
    previous_balance_cents: creditCents,
    amount_cents: amountCents,
    balance_cents: balanceCents,
    reason: change.reason,
    description: change.description,
    payment_id: paymentId,
    monitor_id: monitorId,
    inserted_at: change.at,
  }
}

/** The newest 500, newest first. */
export async function listCredit(reader: Reader, workspaceId: string): Promise<CreditTransactionRecord[]> {
  const rows = await reader.query
    .selectFrom('credit_transactions')
    .select(['id', 'amount_cents', 'balance_cents', 'reason', 'description', 'payment_id', 'monitor_id', 'inserted_at'])
    .$narrowType<{ reason: CreditReason }>()
    .where('workspace_id', '=', workspaceId)
    .orderBy('position', 'desc')
    .limit(maxListed)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    amount_cents: Number(row.amount_cents),
    balance_cents: Number(row.balance_cents),
    reason: row.reason,
    description: row.description,
    payment_id: row.payment_id,
    monitor_id: row.monitor_id,
    inserted_at: row.inserted_at.toISOString(),
  }))
}

const lockStatement = `
select id, credit_cents::float8 as credit
from workspaces
where id = any($1::uuid[])
order by id
for no key update`

const lastStatement = `
select workspace.id, last.position
from unnest($1::uuid[]) as workspace (id)
cross join lateral (
  select position
  from credit_transactions
  where workspace_id = workspace.id
  order by position desc
  limit 1
) as last`

// The rows of a workspace go in one after the other, since each begins with the balance that the trigger has written.
const addStatement = `
insert into credit_transactions
  (id, workspace_id, position, previous_balance_cents, amount_cents, balance_cents, reason, description, payment_id,
    monitor_id, inserted_at)
select
  id, workspace_id, position, previous_balance_cents, amount_cents, balance_cents, reason, description, payment_id,
  monitor_id, inserted_at
from json_to_recordset($1::json) as row (
  id uuid, workspace_id uuid, position integer, previous_balance_cents bigint, amount_cents bigint,
  balance_cents bigint, reason text, description text, payment_id uuid, monitor_id uuid, inserted_at timestamptz
)
order by workspace_id, position`
