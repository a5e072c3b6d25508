import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { paymentSchema } from '#core/money/payment.ts'
import { receiptSchema } from '#core/money/receipt.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { addPayment, testSeller } from '../../../test/support/payments.ts'
import { findPayment, findReceipt, listPayments } from './payments.ts'
import { listCredit, readCredit } from './credit.ts'
import { createWorkspace, setBillingDetails } from '#store/workspaces/workspaces.ts'

const at = new Date('2026-11-21T12:00:00Z')
const nobody = { name: null, address: null, country: null, vatId: null }
const german = { name: 'Muster GmbH', address: '10115 Berlin', country: 'DE', vatId: 'DE811569869' }

describe('payments', async () => {
  const database = await testDatabase({ maxConnections: 12 })

  async function newWorkspace(): Promise<string> {
    const id = randomUUID()
    await createWorkspace(database, { id, name: 'Shop', plan: 'free' })
    return id
  }
  const receiptOf = async (workspaceId: string, paymentId: string) =>
    receiptSchema.parse(await findReceipt(database, { workspaceId, paymentId }))

  it('become credit, with their VAT', async () => {
    const workspaceId = await newWorkspace()
    const made = await addPayment(database, { workspaceId, at, purpose: 'monitor', description: '1 location' })
    assert.deepEqual(await findPayment(database, { workspaceId, paymentId: made.id }), made)
    assert.deepEqual(await listPayments(database, workspaceId), [made])
    const { id, reference, ...rest } = paymentSchema.parse(made)
    assert.equal(reference, `test_${id}`)
    assert.deepEqual(rest, {
      method: 'card',
      amount_cents: 50,
      currency: 'usd',
      purpose: 'monitor',
      net_cents: 42,
      vat_cents: 8,
      vat_rate: '20.00',
      vat_treatment: 'domestic',
      livemode: false,
      created_at: at.toISOString(),
    })
    assert.equal(await readCredit(database, workspaceId), 50)
    assert.equal((await listCredit(database, workspaceId))[0]?.payment_id, id)
  })

  it('have receipts that later changes of the billing details and of the seller do not touch', async () => {
    const workspaceId = await newWorkspace()
    const { id } = await addPayment(database, { workspaceId, at })
    const before = await receiptOf(workspaceId, id)
    const change = { workspaceId, details: german, isVatIdConfirmed: null, at }
    await setBillingDetails(database, change)
    const seller = { ...testSeller, name: 'Successor OOD', euroRate: { rate: '0.86', date: '2026-11-20' } }
    const later = await addPayment(database, { workspaceId, at, seller })
    assert.deepEqual(await receiptOf(workspaceId, id), before)
    const invoice = await receiptOf(workspaceId, later.id)
    assert.deepEqual(
      [invoice.title, invoice.customer.billing_name, invoice.seller.name, invoice.vat_treatment, invoice.vat_eur?.net],
      ['Invoice', 'Muster GmbH', 'Successor OOD', 'reverse_charge', '0.43'],
    )
    assert.equal(later.vat_treatment, 'reverse_charge')
  })

  const answers = [
    [true, 'reverse_charge'],
    [false, 'domestic'],
    [null, 'domestic'],
  ] as const
  for (const [isVatIdConfirmed, treatment] of answers)
    it(`are ${treatment} where VAT ids are asked for and the answer was ${isVatIdConfirmed}`, async () => {
      const workspaceId = await newWorkspace()
      await setBillingDetails(database, { workspaceId, details: german, isVatIdConfirmed, at })
      const seller = { ...testSeller, needsConfirmedVatIds: true }
      assert.equal((await addPayment(database, { workspaceId, seller })).vat_treatment, treatment)
    })

  it('keep what the authorities said of a VAT id while it stays and they say nothing, and no longer', async () => {
    const workspaceId = await newWorkspace()
    const seller = { ...testSeller, needsConfirmedVatIds: true }
    const treatment = async () => (await addPayment(database, { workspaceId, seller })).vat_treatment
    const set = (details: typeof german | typeof nobody, isVatIdConfirmed: boolean | null) =>
      setBillingDetails(database, { workspaceId, details, isVatIdConfirmed, at })
    await set(german, true)
    await set({ ...german, name: 'Another' }, null)
    assert.equal(await treatment(), 'reverse_charge')
    await set({ ...german, vatId: 'DE136695976' }, null)
    assert.equal(await treatment(), 'domestic')
    await set(german, true)
    await set(nobody, null)
    await set(german, null)
    assert.equal(await treatment(), 'domestic')
  })

  it('are numbered without gaps however many arrive at once and fail, real ones and tests apart', async () => {
    const workspaces = await Promise.all(Array.from({ length: 8 }, newWorkspace))
    const numbersBefore = await numbers()
    const pay = (index: number, livemode: boolean) =>
      addPayment(database, {
        workspaceId: workspaces[index % 8] ?? assert.fail(),
        livemode,
        // Every fifth reuses a reference, and so fails after it has drawn a number.
        ...(index % 5 === 4 ? { reference: 'used before' } : {}),
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => pay(index, index % 2 === 0)))
    assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 7)
    const after = await numbers()
    for (const livemode of ['true', 'false'] as const) {
      const added = after[livemode].slice(numbersBefore[livemode].length)
      const first = numbersBefore[livemode].length + 1
      assert.deepEqual(
        added,
        added.map((_, index) => first + index),
        `livemode ${livemode}`,
      )
    }
    assert.equal(after.true.length + after.false.length - numbersBefore.true.length - numbersBefore.false.length, 33)
  })

  it('are counted once by their reference', async () => {
    const workspaceId = await newWorkspace()
    const payment = { workspaceId, reference: 'pi_once' }
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => addPayment(database, payment)))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal(await readCredit(database, workspaceId), 50)
    await addPayment(database, { ...payment, method: 'chain' })
    assert.equal(await readCredit(database, workspaceId), 100, 'methods have references of their own')
  })

  it('are refused for a workspace that has moved, whose money would be lost there', async () => {
    const workspaceId = await newWorkspace()
    await database.pool.query(`update workspaces set closed_at = $2, closed_reason = 'claimed' where id = $1`, [
      workspaceId,
      at,
    ])
    await assert.rejects(addPayment(database, { workspaceId }), /moved/)
  })

  it('are taken for a workspace that was closed otherwise: the money has come', async () => {
    const workspaceId = await newWorkspace()
    await database.pool.query(`update workspaces set closed_at = $2, closed_reason = 'revoked' where id = $1`, [
      workspaceId,
      at,
    ])
    assert.equal((await addPayment(database, { workspaceId })).amount_cents, 50)
  })

  it('are shown to their workspace alone, the newest 500 first', async () => {
    const workspaceId = await newWorkspace()
    for (let second = 0; second < 501; second += 1)
      await addPayment(database, { workspaceId, at: new Date(at.getTime() + second * 1000) })
    const listed = await listPayments(database, workspaceId)
    assert.equal(listed.length, 500)
    const times = listed.map(({ created_at: time }) => time)
    assert.deepEqual(times, times.toSorted().toReversed())
    assert.equal(times[0], new Date(at.getTime() + 500_000).toISOString())
    const paymentId = listed[0]?.id ?? assert.fail()
    const other = await newWorkspace()
    assert.equal(await findPayment(database, { workspaceId: other, paymentId }), null)
    assert.equal(await findReceipt(database, { workspaceId: other, paymentId }), null)
    assert.deepEqual(await listPayments(database, other), [])
  })

  /** Receipt numbers in ascending order, by livemode. */
  async function numbers(): Promise<{ true: number[]; false: number[] }> {
    const { rows } = await database.pool.query<{ livemode: boolean; number: string }>(
      'select livemode, receipt_number as number from payments order by receipt_number',
    )
    const of = (livemode: boolean) =>
      rows.filter((row) => row.livemode === livemode).map(({ number }) => Number(number))
    return { true: of(true), false: of(false) }
  }
})
