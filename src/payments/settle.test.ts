import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { type NewAttempt, beginAttempt } from '#store/money/payment-attempt-begin.ts'
import { type PaymentAttempt, holdAttempt } from '#store/money/payment-attempts.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { createWorkspace, readWorkspace } from '#store/workspaces/workspaces.ts'
import { testDatabase } from '../../test/support/database.ts'
import { newAttempt, testSeller } from '../../test/support/payments.ts'
import type { PaymentMethod, Settlement } from './method.ts'
import { createSandboxMethod } from './sandbox.ts'
import { type Till, settleAttempt } from './settle.ts'

const secrets = createSecrets(randomBytes(32))

describe('settling an attempt', async () => {
  const database = await testDatabase({ maxConnections: 8 })
  const sandbox = createSandboxMethod('card')
  const unknowns: string[] = []

  const tillOf = (method: PaymentMethod = sandbox): Till => ({
    methods: [method],
    seller: testSeller,
    database,
    secrets,
    now: () => new Date(),
    onUnknown: ({ reason }) => unknowns.push(reason),
  })

  async function begin(change: Partial<NewAttempt> = {}, spt = 'spt_test_ok'): Promise<PaymentAttempt> {
    const workspaceId = randomUUID()
    if (change.isNewWorkspace !== true)
      await createWorkspace(database, { id: workspaceId, name: 'Payer', plan: 'pay_as_you_go' })
    const sealed = { payload: { spt }, request: { amount: '50' }, externalId: 'wish' }
    const begun = await beginAttempt(database, secrets, newAttempt({ workspaceId, sealed, ...change }))
    return begun.type === 'begun' ? begun.attempt : assert.fail(begun.type)
  }

  /** Credit, payments and rows of the ledger. */
  async function moneyOf(workspaceId: string): Promise<[credit: number, payments: number, rows: number]> {
    const workspace = await readWorkspace(database, workspaceId)
    const { rows } = await database.pool.query<{ payments: number; ledger: number }>(
      `select (select count(*)::integer from payments where workspace_id = $1) as payments,
        (select count(*)::integer from credit_transactions where workspace_id = $1) as ledger`,
      [workspaceId],
    )
    return [workspace?.creditCents ?? -1, rows[0]?.payments ?? -1, rows[0]?.ledger ?? -1]
  }

  it('makes a payment and credit of what a processor settled', async () => {
    const attempt = await begin()
    const ended = await settleAttempt(tillOf(), attempt)
    assert.partialDeepStrictEqual(ended, { state: 'succeeded', doneAt: null })
    assert.notEqual(ended.paymentId, null)
    assert.deepEqual(await moneyOf(attempt.workspaceId), [50, 1, 1])
  })

  it('by several at once credits once', { timeout: 60_000 }, async () => {
    const attempt = await begin()
    const ended = await Promise.all(Array.from({ length: 6 }, () => settleAttempt(tillOf(), attempt)))
    assert.equal(new Set(ended.map(({ paymentId }) => paymentId)).size, 1)
    assert.deepEqual(await moneyOf(attempt.workspaceId), [50, 1, 1])
  })

  it('begins the workspace of a payer who had none, once', { timeout: 60_000 }, async () => {
    const attempt = await begin({ isNewWorkspace: true })
    assert.equal(await readWorkspace(database, attempt.workspaceId), null)
    const ended = await Promise.all(Array.from({ length: 6 }, () => settleAttempt(tillOf(), attempt)))
    assert.deepEqual(new Set(ended.map(({ state }) => state)), new Set(['succeeded']))
    assert.partialDeepStrictEqual(await readWorkspace(database, attempt.workspaceId), {
      plan: 'pay_as_you_go',
      name: `Pay as you go ${attempt.workspaceId.slice(0, 8)}`,
    })
    assert.deepEqual(await moneyOf(attempt.workspaceId), [50, 1, 1])
  })

  it('credits nothing where the processor declined, and begins no workspace', async () => {
    const attempt = await begin({ isNewWorkspace: true }, 'spt_test_declined')
    const ended = await settleAttempt(tillOf(), attempt)
    assert.partialDeepStrictEqual(ended, { state: 'failed', failure: 'The card was declined.' })
    assert.equal(await readWorkspace(database, attempt.workspaceId), null)
  })

  it('leaves open what nobody knows, for whoever asks next', async () => {
    const attempt = await begin({}, 'spt_test_timeout')
    assert.equal((await settleAttempt(tillOf(), attempt)).state, 'settling')
    assert.equal(unknowns.at(-1), 'the sandbox did not answer in time')
    const held = await holdAttempt(database, { id: attempt.id, at: new Date() })
    assert.ok(held !== null)
    assert.equal((await settleAttempt(tillOf(), held)).state, 'succeeded')
    assert.deepEqual(await moneyOf(attempt.workspaceId), [50, 1, 1])
  })

  it('leaves open an attempt whose method is not configured any more', async () => {
    const attempt = await begin({ method: 'chain' })
    assert.equal((await settleAttempt(tillOf(), attempt)).state, 'settling')
    assert.equal(unknowns.at(-1), 'The method chain is not configured.')
  })

  it('asks with the same attempt whenever it asks, and credits what one of the answers settled', async () => {
    const asked: string[] = []
    const answers: Settlement[] = [
      { type: 'unknown', reason: 'the connection was lost' },
      { type: 'settled', reference: randomUUID(), livemode: true },
    ]
    const processor: PaymentMethod = {
      ...sandbox,
      settle: async ({ id, externalId, amountCents }) => {
        asked.push(`${id} ${externalId} ${amountCents}`)
        return answers.shift() ?? assert.fail('asked too often')
      },
    }
    const attempt = await begin()
    assert.equal((await settleAttempt(tillOf(processor), attempt)).state, 'settling')
    assert.equal((await settleAttempt(tillOf(processor), attempt)).state, 'succeeded')
    // The processor is not asked again about an attempt that has ended.
    assert.equal((await settleAttempt(tillOf(processor), attempt)).state, 'succeeded')
    assert.deepEqual(
      asked,
      Array.from({ length: 2 }, () => `${attempt.id} wish 50`),
    )
  })

  it('of an attempt whose workspace was claimed meanwhile credits the one that took it', async () => {
    const attempt = await begin()
    const other = randomUUID()
    await createWorkspace(database, { id: other, name: 'Person', plan: 'pro' })
    await database.pool.query('update payment_attempts set workspace_id = $2 where id = $1', [attempt.id, other])
    await settleAttempt(tillOf(), attempt)
    assert.deepEqual(await moneyOf(attempt.workspaceId), [0, 0, 0])
    assert.deepEqual(await moneyOf(other), [50, 1, 1])
  })
})
