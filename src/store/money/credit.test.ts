import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { creditTransactionSchema } from '#core/money/payment.ts'
import { explain } from '../../../test/support/plans.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { addPayment } from '../../../test/support/payments.ts'
import { NotEnoughCredit, addCredit, listCredit, lockCredit, readCredit } from './credit.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'

const at = new Date('2026-11-21T12:00:00Z')

describe('the credit of a workspace', async () => {
  const database = await testDatabase({ maxConnections: 12 })

  async function newWorkspace(creditCents = 0): Promise<string> {
    const id = randomUUID()
    await createWorkspace(database, { id, name: 'Shop', plan: 'free' })
    if (creditCents > 0) await addPayment(database, { workspaceId: id, amountCents: creditCents })
    return id
  }
  const spend = (workspaceId: string, amountCents: number): Promise<number> =>
    database.transaction((tx) =>
      addCredit(tx, { workspaceId, amountCents: -amountCents, reason: 'monitor', description: 'Shop', at }),
    )
  it('is what was paid less what was spent, and each row says what was left', async () => {
    const workspaceId = await newWorkspace(50)
    const monitorId = randomUUID()
    assert.equal(await readCredit(database, workspaceId), 50)
    const left = await database.transaction((tx) =>
      addCredit(tx, { workspaceId, amountCents: -3, reason: 'monitor', description: 'Shop', monitorId, at }),
    )
    assert.equal(left, 47)
    assert.equal(await database.transaction((tx) => lockCredit(tx, workspaceId)), 47)
    const rows = await listCredit(database, workspaceId)
    for (const row of rows) creditTransactionSchema.parse(row)
    assert.deepEqual(
      rows.map((row) => [row.amount_cents, row.balance_cents, row.reason, row.description, row.monitor_id]),
      [
        [-3, 47, 'monitor', 'Shop', monitorId],
        [50, 50, 'payment', 'Credit', null],
      ],
    )
    assert.equal(rows[0]?.inserted_at, at.toISOString())
    assert.notEqual(rows[1]?.payment_id, null)
  })

  it('can be spent to the last cent and no further, and says how much was missing', async () => {
    const workspaceId = await newWorkspace(50)
    assert.equal(await spend(workspaceId, 50), 0)
    await assert.rejects(spend(workspaceId, 7), isRefused(7, 0))
    assert.equal((await listCredit(database, workspaceId)).length, 2)
  })

  it('is spent once by thirty who want it at once', async () => {
    const workspaceId = await newWorkspace(50)
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => spend(workspaceId, 4)))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 12)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.ok(isRefused(2, 2)(outcome.reason), String(outcome.reason))
    assert.equal(await readCredit(database, workspaceId), 2)
    await assertBalanced(workspaceId)
  })

  it('shows the newest 500, and reads no more', async () => {
    const workspaceId = await newWorkspace(1000)
    await database.transaction(async (tx) => {
      for (let times = 0; times < 501; times += 1)
        await addCredit(tx, { workspaceId, amountCents: -1, reason: 'renewal', description: `${times}`, at })
    })
    const rows = await listCredit(database, workspaceId)
    assert.deepEqual([rows.length, rows[0]?.description, rows.at(-1)?.description], [500, '500', '1'])
  })

  it('finds the last row by an index, however many there are', async () => {
    const own = await testDatabase({ maxConnections: 1 })
    const workspaceId = randomUUID()
    await createWorkspace(own, { id: workspaceId, name: 'Shop', plan: 'free' })
    await addPayment(own, { workspaceId, amountCents: 1000 })
    await own.transaction(async (tx) => {
      for (let times = 0; times < 400; times += 1)
        await addCredit(tx, { workspaceId, amountCents: -1, reason: 'renewal', description: '', at })
    })
    await own.pool.query('analyze credit_transactions')
    const plans = await explain(own, () =>
      own.transaction((tx) => addCredit(tx, { workspaceId, amountCents: -1, reason: 'renewal', description: '', at })),
    )
    const scans = plans.flatMap(({ nodes }) => nodes).filter((node) => node['Relation Name'] === 'credit_transactions')
    assert.ok(scans.length > 0)
    for (const node of scans) assert.notEqual(node['Node Type'], 'Seq Scan')
  })

  const offences = [
    [
      'a balance that is written past the ledger',
      `update workspaces set credit_cents = 1 where id = $1`,
      /by credit_transactions alone/,
    ],
    [
      'a workspace that begins with credit',
      `insert into workspaces (id, name, plan, credit_cents) select gen_random_uuid(), 'x', 'free', 5 where $1::uuid is not null`,
      /by credit_transactions alone/,
    ],
    [
      'a row that is changed',
      `update credit_transactions set amount_cents = 70 where workspace_id = $1`,
      /never changed/,
    ],
    ['a row that is taken out', `delete from credit_transactions where workspace_id = $1`, /never changed/],
    [
      'a row that does not begin where the last one ended',
      ledgerRow({ position: 2, previous: 40, amount: 1, balance: 41 }),
      /is not 40/,
    ],
    ['a row that does not add up', ledgerRow({ position: 2, previous: 50, amount: 1, balance: 52 }), /adds_up/],
    [
      'a row in the place of another',
      ledgerRow({ position: 1, previous: 50, amount: 1, balance: 51 }),
      /duplicate key|begins_at_zero/,
    ],
    ['a row that leaves a gap', ledgerRow({ position: 3, previous: 50, amount: 1, balance: 51 }), /foreign key/],
    ['a row below zero', ledgerRow({ position: 2, previous: 50, amount: -51, balance: -1 }), /check constraint/],
    [
      'a payment that is changed',
      `update payments set amount_cents = 51, net_cents = 43 where workspace_id = $1`,
      /payments are never changed/,
    ],
    [
      'a receipt that is changed',
      `update payments set receipt = '{}' where workspace_id = $1`,
      /payments are never changed/,
    ],
    ['a payment that is deleted', `delete from payments where workspace_id = $1`, /payments are never changed/],
    ['a workspace that is deleted with its payments', `delete from workspaces where id = $1`, /foreign key/],
  ] as const
  for (const [what, statement, problem] of offences)
    it(`is kept by the database from ${what}`, async () => {
      const workspaceId = await newWorkspace(50)
      await assert.rejects(database.pool.query(statement, [workspaceId]), problem)
      await assertBalanced(workspaceId)
    })

  it('credits a payment once', async () => {
    const workspaceId = await newWorkspace()
    const { id } = await addPayment(database, { workspaceId })
    const again = { workspaceId, amountCents: 50, reason: 'payment', description: 'Again', paymentId: id, at } as const
    await assert.rejects(
      database.transaction((tx) => addCredit(tx, again)),
      /credit_of_payment/,
    )
    assert.equal(await readCredit(database, workspaceId), 50)
  })

  it('stays balanced whatever is added and spent, side by side', async () => {
    const amounts = fc.array(
      fc.integer({ min: -30, max: 30 }).filter((amount) => amount !== 0),
      { minLength: 1, maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(amounts, async (all) => {
        const workspaceId = await newWorkspace(50)
        const outcomes = await Promise.allSettled(
          all.map((amountCents) =>
            amountCents > 0 ? addPayment(database, { workspaceId, amountCents }) : spend(workspaceId, -amountCents),
          ),
        )
        const done = all.filter((_, index) => outcomes[index]?.status === 'fulfilled')
        assert.equal(await readCredit(database, workspaceId), 50 + done.reduce((sum, amount) => sum + amount, 0))
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof NotEnoughCredit)
        await assertBalanced(workspaceId)
      }),
      { numRuns: 25 },
    )
  })

  async function assertBalanced(workspaceId: string): Promise<void> {
    const { rows } = await database.pool.query<{ credit: string; sum: string }>(
      `select credit_cents as credit,
        (select coalesce(sum(amount_cents), 0) from credit_transactions where workspace_id = workspaces.id) as sum
      from workspaces where id = $1`,
      [workspaceId],
    )
    assert.equal(rows[0]?.credit, rows[0]?.sum)
  }
})

function isRefused(missingCents: number, creditCents: number) {
  return (error: unknown): boolean =>
    error instanceof NotEnoughCredit && error.missingCents === missingCents && error.creditCents === creditCents
}

function ledgerRow(row: { position: number; previous: number; amount: number; balance: number }): string {
  return `insert into credit_transactions
    (id, workspace_id, position, previous_balance_cents, amount_cents, balance_cents, reason, inserted_at)
    values (gen_random_uuid(), $1, ${row.position}, ${row.previous}, ${row.amount}, ${row.balance}, 'monitor', now())`
}
