import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import {
  type Market,
  type PaidRequest,
  challengeOf,
  ledgerOf,
  market,
  pay,
  problemOf,
  receiptOf,
  send,
  spendAll,
} from '../../../test/support/paying.ts'
import { addPayment } from '../../../test/support/payments.ts'

const dayMs = 24 * 3_600_000
const all = ['amsterdam', 'boston', 'chennai']

type Shop = { token: string; workspaceId: string; monitor: MonitorRecord }

/** A workspace with a paid monitor and no credit. */
async function shopIn(api: Market, input: Record<string, unknown> = {}): Promise<Shop> {
  const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
  await addPayment(api.database, { workspaceId, amountCents: 50 })
  const monitor = await createMonitor(api, input, token)
  await spendAll(api, workspaceId)
  return { token, workspaceId, monitor }
}

describe('changing a paid monitor', async () => {
  const api = await market()

  it('costs something only where locations are added, and then their whole price', async () => {
    const shop = await shopIn(api)
    assert.equal((await send(api, change(shop, { interval_seconds: 10, locations: ['boston'] }))).status, 200)
    const { asked, paid } = await pay(api, change(shop, { locations: all }))
    assert.partialDeepStrictEqual(asked.body, { amount_due: '0.02', quote: { price_cents: 2, locations: all } })
    assert.equal(challengeOf(asked).description, '2 more locations')
    assert.equal(paid.status, 200)
    assert.notEqual(receiptOf(paid), null)
    assert.partialDeepStrictEqual(monitorOf(paid), {
      locations: all,
      paid_locations: 3,
      paid_until: shop.monitor.paid_until,
    })
    assert.partialDeepStrictEqual((await ledgerOf(api, shop.workspaceId)).rows.slice(0, 2), [
      [-2, 'monitor'],
      [50, 'payment'],
    ])
  })

  it('takes locations back that were paid for, free of charge', async () => {
    const shop = await shopIn(api, { locations: all })
    const fewer = await send(api, change(shop, { locations: ['boston'] }))
    assert.partialDeepStrictEqual(monitorOf(fewer), { locations: ['boston'], paid_locations: 3 })
    const swapped = await send(api, change(shop, { locations: ['amsterdam', 'chennai'] }))
    assert.equal(swapped.status, 200)
    assert.equal(monitorOf(await send(api, change(shop, { locations: all }))).paid_locations, 3)
    assert.equal((await ledgerOf(api, shop.workspaceId)).creditCents, 0)
  })

  it('costs ten times as much for life', async () => {
    const shop = await shopIn(api, { billing_period: 'lifetime' })
    const asked = await send(api, change(shop, { locations: all }))
    assert.partialDeepStrictEqual(asked.body, { amount_due: '0.20' })
  })

  it('leaves the monitor as it was until it is paid', async () => {
    const shop = await shopIn(api)
    const request = change(shop, { name: 'Other', locations: all })
    assert.equal(problemOf(await send(api, request)), 'payment-required')
    const { paid } = await pay(api, request, 'spt_test_declined')
    assert.equal(paid.status, 402)
    const { body } = await api.get(`/monitors/${shop.monitor.id}`, { token: shop.token })
    assert.partialDeepStrictEqual(body, { data: { name: 'Shop', locations: ['amsterdam'], paid_locations: 1 } })
  })

  it('is answered again without being done again', async () => {
    const shop = await shopIn(api)
    const { credential } = await pay(api, change(shop, { locations: all }))
    await send(api, change(shop, { name: 'Renamed' }))
    const again = await send(api, change(shop, { locations: all }), credential)
    assert.equal(again.status, 200)
    assert.equal(monitorOf(again).name, 'Renamed')
    assert.partialDeepStrictEqual(await ledgerOf(api, shop.workspaceId), { payments: 2, creditCents: 48 })
  })

  it('never changes the period', async () => {
    const shop = await shopIn(api)
    const refused = await send(api, change(shop, { billing_period: 'lifetime' }))
    assert.deepEqual(refusalOf(refused), [422, 'validation_failed', 'billing_period'])
    assert.equal((await send(api, change(shop, { billing_period: 'monthly' }))).status, 200)
  })

  it('refuses what is not there or not valid before it asks for money', async () => {
    const shop = await shopIn(api)
    const missing = { ...change(shop, { locations: all }), path: `/monitors/${randomUUID()}` }
    assert.deepEqual(refusalOf(await send(api, missing)), [404, 'not_found'])
    const wrong = change(shop, { locations: all, confirmation_threshold: 4 })
    assert.equal((await send(api, wrong)).status, 422)
  })

  it('of a monitor in a plan slot is free', async () => {
    const { token, workspaceId } = await api.addWorkspace('free')
    const monitor = await createMonitor(api, {}, token)
    const changed = await send(api, change({ token, workspaceId, monitor }, { locations: all }))
    assert.partialDeepStrictEqual(monitorOf(changed), { locations: all, paid_locations: 0, billing: 'plan' })
  })
})

describe('renewing', async () => {
  const api = await market()

  it('adds 30 days to the time that is left, from credit or by payment', async () => {
    const shop = await shopIn(api, { locations: all })
    const { asked, paid } = await pay(api, renewal(shop))
    assert.equal(challengeOf(asked).description, 'Renewal of 3 locations for 30 days')
    assert.equal(monitorOf(paid).paid_until, '2027-01-20T12:00:00.000Z')
    const fromCredit = await send(api, renewal(shop, {}))
    assert.equal(monitorOf(fromCredit).paid_until, '2027-02-19T12:00:00.000Z')
    assert.deepEqual((await ledgerOf(api, shop.workspaceId)).rows.slice(0, 3), [
      [-3, 'renewal'],
      [-3, 'renewal'],
      [50, 'payment'],
    ])
  })

  it('costs what the locations are now, and counts them anew', async () => {
    const shop = await shopIn(api, { locations: all })
    await send(api, {
      ...renewal(shop),
      method: 'PATCH',
      path: `/monitors/${shop.monitor.id}`,
      body: { name: 'Shop', locations: ['boston'] },
    })
    const { asked, paid } = await pay(api, renewal(shop))
    assert.partialDeepStrictEqual(asked.body, { amount_due: '0.01' })
    assert.equal(monitorOf(paid).paid_locations, 1)
  })

  it('is answered again without another 30 days', async () => {
    const shop = await shopIn(api)
    const { paid, credential } = await pay(api, renewal(shop))
    const again = await send(api, renewal(shop), credential)
    assert.equal(monitorOf(again).paid_until, monitorOf(paid).paid_until)
    assert.partialDeepStrictEqual(await ledgerOf(api, shop.workspaceId), { payments: 2, creditCents: 49 })
  })

  it('within the days of grace counts from the end that has passed', async () => {
    const shop = await shopIn(api)
    await lapse(api, shop, { days: 6, isPaused: false })
    const { paid } = await pay(api, renewal(shop))
    assert.partialDeepStrictEqual(monitorOf(paid), { billing_state: 'active', status: 'enabled' })
    assert.equal(monitorOf(paid).paid_until, at(api, 24))
  })

  it('after the pause counts from now, and checks begin again', async () => {
    const shop = await shopIn(api)
    await lapse(api, shop, { days: 8, isPaused: true })
    const resumed = await send(api, { ...renewal(shop), path: `/monitors/${shop.monitor.id}/resume` })
    assert.partialDeepStrictEqual(monitorOf(resumed), { status: 'paused', billing_state: 'overdue' })
    const announced = api.changes.length
    const { paid } = await pay(api, renewal(shop))
    assert.partialDeepStrictEqual(monitorOf(paid), {
      billing_state: 'active',
      status: 'enabled',
      current_status: 'pending',
    })
    assert.equal(monitorOf(paid).paid_until, at(api, 30))
    assert.equal(api.changes.length, announced + 1)
  })

  it('leaves a monitor paused that its people have paused', async () => {
    const shop = await shopIn(api)
    await send(api, { ...renewal(shop), path: `/monitors/${shop.monitor.id}/pause` })
    const { paid } = await pay(api, renewal(shop))
    assert.equal(monitorOf(paid).status, 'paused')
  })

  it('is for monthly paid monitors alone', async () => {
    const lifelong = await shopIn(api, { billing_period: 'lifetime' })
    const { token } = await api.addWorkspace('free')
    const inSlot = { token, workspaceId: '', monitor: await createMonitor(api, {}, token) }
    for (const shop of [lifelong, inSlot])
      for (const path of ['renew', 'renew/quote'])
        assert.deepEqual(
          refusalOf(await send(api, { ...renewal(shop), path: `/monitors/${shop.monitor.id}/${path}` })),
          [422, 'not_renewable'],
        )
    assert.equal((await send(api, renewal(lifelong, { months: 2 }))).status, 422)
  })
})

describe('buying credit', async () => {
  const api = await market()
  const { workspaceId } = api

  it('is always asked for, however much credit there is', async () => {
    const { asked, paid, credential } = await pay(api, topUp(500))
    assert.partialDeepStrictEqual(asked.body, {
      amount_due: '5.00',
      quote: { billing: 'paid', billing_period: null, locations: [], price_cents: 500, amount_due_cents: 500 },
    })
    assert.partialDeepStrictEqual(challengeOf(asked), { description: 'Credit', request: { amount: '500' } })
    assert.partialDeepStrictEqual(paid.body, { data: { credit_cents: 500 } })
    assert.equal((await send(api, topUp(500))).status, 402)
    assert.partialDeepStrictEqual((await send(api, topUp(500), credential)).body, { data: { credit_cents: 500 } })
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), {
      rows: [[500, 'payment']],
      attempts: { succeeded: 1 },
    })
    const { rows } = await api.database.pool.query<{ details: unknown }>(
      `select details from audit_entries where action = 'top_up_credit'`,
    )
    assert.deepEqual(rows, [{ details: { fields: ['amount_cents'], amount_cents: 500 } }])
  })

  for (const amount of [49, 100_001, 50.5, '50', null])
    it(`refuses ${JSON.stringify(amount)} cents`, async () => {
      assert.deepEqual(refusalOf(await send(api, topUp(amount))), [422, 'validation_failed', 'amount_cents'])
    })

  for (const amount of [50, 100_000])
    it(`takes ${amount} cents`, async () => {
      assert.equal(challengeOf(await send(api, topUp(amount))).request['amount'], String(amount))
    })

  it('needs a token that may write', async () => {
    const refused = await send(api, { ...topUp(50), token: api.readToken })
    assert.deepEqual(refusalOf(refused), [403, 'insufficient_scope'])
  })
})

/** What a quote says of the sandbox's card. */
function byCard(due: number): object[] {
  return [
    {
      method: 'card',
      amount_cents: 50,
      minimum_cents: 50,
      fee_cents: 0,
      stays_as_credit_cents: 50 - due,
      amount: '50',
      currency: 'usd',
      sandbox: true,
    },
  ]
}

describe('a quote', async () => {
  const api = await market()

  it('of a create says what it would cost, and changes nothing', async () => {
    const { token, workspaceId } = await api.addWorkspace('pay_as_you_go')
    await addPayment(api.database, { workspaceId, amountCents: 50 })
    const quote = async (input: object) =>
      (await send(api, { path: '/monitors/quote', body: { name: 'x', url: 'https://example.com', ...input }, token }))
        .body
    const paid = { billing: 'paid', credit_cents: 50 }
    assert.deepEqual(await quote({}), {
      data: { ...paid, billing_period: 'monthly', locations: ['amsterdam'], price_cents: 1, amount_due_cents: 0 },
    })
    assert.deepEqual(await quote({ billing_period: 'lifetime', locations: all }), {
      data: { ...paid, billing_period: 'lifetime', locations: all, price_cents: 30, amount_due_cents: 0 },
    })
    assert.deepEqual((await ledgerOf(api, workspaceId)).rows, [[50, 'payment']])
    const entries = await api.database.pool.query('select 1 from audit_entries where workspace_id = $1', [workspaceId])
    assert.equal(entries.rowCount, 0)
  })

  it('of a create in a free slot is free, whatever period was asked for', async () => {
    const { token } = await api.addWorkspace('free')
    const body = { name: 'x', url: 'https://example.com', billing_period: 'lifetime' }
    assert.deepEqual((await send(api, { path: '/monitors/quote', body, token })).body, {
      data: {
        billing: 'plan',
        billing_period: null,
        locations: ['amsterdam'],
        price_cents: 0,
        credit_cents: 0,
        amount_due_cents: 0,
      },
    })
  })

  it('with the key of a request that is done says so, with and without an account', async () => {
    const { token } = await api.addWorkspace('pay_as_you_go')
    for (const caller of [token, null]) {
      const request = { path: '/monitors', body: { name: 'x', url: 'https://example.com' }, token: caller, key: 'k' }
      const quote = { ...request, path: '/monitors/quote' }
      assert.partialDeepStrictEqual((await send(api, quote)).body, { data: { billing: 'paid', amount_due_cents: 1 } })
      await pay(api, request)
      assert.partialDeepStrictEqual((await send(api, quote)).body, {
        data: { billing: 'replay', price_cents: 0, amount_due_cents: 0, locations: ['amsterdam'] },
      })
      api.pass(dayMs)
      assert.partialDeepStrictEqual((await send(api, quote)).body, { data: { billing: 'paid', price_cents: 1 } })
    }
    const reused = { path: '/monitors', body: { name: 'x', url: 'https://example.com' }, token, key: 'reused' }
    await send(api, reused)
    const other = await send(api, { ...reused, path: '/monitors/quote', body: { ...reused.body, locations: all } })
    assert.deepEqual(refusalOf(other), [422, 'idempotency_key_reused'])
  })

  it('of a change or a renewal says what it would cost', async () => {
    const { token, monitor } = await shopIn(api)
    const quote = async (path: string, body?: object) =>
      (await send(api, { path: `/monitors/${monitor.id}/${path}`, token, ...(body === undefined ? {} : { body }) }))
        .body
    const data = { billing: 'paid', billing_period: 'monthly', locations: ['amsterdam'], credit_cents: 0 }
    assert.deepEqual(await quote('quote'), { data: { ...data, price_cents: 0, amount_due_cents: 0 } })
    assert.deepEqual(await quote('quote', { name: 'Shop', locations: all }), {
      data: { ...data, locations: all, price_cents: 2, amount_due_cents: 2, payment_methods: byCard(2) },
    })
    assert.deepEqual(await quote('renew/quote'), {
      data: { ...data, price_cents: 1, amount_due_cents: 1, payment_methods: byCard(1) },
    })
    const nameless = await send(api, { path: `/monitors/${monitor.id}/quote`, token, body: {} })
    assert.deepEqual(refusalOf(nameless), [422, 'validation_failed', 'name'])
  })

  it('needs a token that may write, and a monitor that is there', async () => {
    const { token, monitor } = await shopIn(api)
    for (const path of ['quote', 'renew/quote']) {
      const ask = (id: string, as: string | null) => send(api, { path: `/monitors/${id}/${path}`, token: as })
      assert.equal((await ask(monitor.id, null)).status, 401)
      assert.equal((await ask(monitor.id, api.readToken)).status, 403)
      assert.equal((await ask(monitor.id, api.token)).status, 404)
      assert.equal((await ask('not-an-id', token)).status, 404)
    }
    const reading = await send(api, { path: '/monitors/quote', body: { name: 'x' }, token: api.readToken })
    assert.equal(reading.status, 403)
  })
})

/** The paid period ended days ago, as the job of renewals leaves it. */
async function lapse(
  { database, services }: Market,
  { monitor }: Shop,
  { days, isPaused }: { days: number; isPaused: boolean },
): Promise<void> {
  const until = new Date((services.payments?.now() ?? new Date()).getTime() - days * dayMs)
  await database.pool.query(
    `update monitors
    set paid_until = $2, billing_state = 'overdue',
      status = case when $3 then 'paused' else status end,
      pause_reason = case when $3 then 'non_payment' end
    where id = $1`,
    [monitor.id, until, isPaused],
  )
}

/** A time so many days from now, in the API's form. */
function at({ services }: Market, days: number): string {
  return new Date((services.payments?.now() ?? new Date()).getTime() + days * dayMs).toISOString()
}

function change({ token, monitor }: Shop, body: object): PaidRequest {
  return { method: 'PATCH', path: `/monitors/${monitor.id}`, body: { name: 'Shop', ...body }, token }
}

function renewal({ token, monitor }: Shop, body?: unknown): PaidRequest {
  return { path: `/monitors/${monitor.id}/renew`, token, ...(body === undefined ? {} : { body }) }
}

function topUp(amountCents: unknown): PaidRequest {
  return { path: '/credits', body: { amount_cents: amountCents } }
}
