import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { paymentRequiredSchema } from '#core/money/payment-required.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { type Challenge, credentialText } from '../../../test/support/payment-client.ts'
import {
  answerTo,
  challengeOf,
  ledgerOf,
  market,
  pay,
  problemOf,
  receiptOf,
  send,
} from '../../../test/support/paying.ts'
import { addPayment } from '../../../test/support/payments.ts'

const shop = { name: 'Shop', url: 'https://example.com' }
const three = { ...shop, locations: ['amsterdam', 'boston', 'chennai'] }
const minuteMs = 60_000

describe('paying for a monitor', async () => {
  const api = await market()

  it('charges at least 50 cents, and what is left stays as credit', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const { asked, paid } = await pay(api, { path: '/monitors', body: three, token })
    assert.partialDeepStrictEqual(asked.body, {
      type: 'https://paymentauth.org/problems/payment-required',
      status: 402,
      error: 'payment_required',
      amount_due: '0.03',
      currency: 'usd',
      quote: {
        billing: 'paid',
        billing_period: 'monthly',
        locations: three.locations,
        price_cents: 3,
        credit_cents: 0,
        amount_due_cents: 3,
      },
    })
    assert.match(
      asked.text,
      /\$0\.03 are due for: 3 locations for 30 days\. Card charges \$0\.50, of which \$0\.47 stay/,
    )
    assert.partialDeepStrictEqual(challengeOf(asked), {
      realm: 'perigee.test',
      method: 'card',
      intent: 'charge',
      description: '3 locations for 30 days',
      expires: '2026-11-21T12:05:00.000Z',
      request: { amount: '50', currency: 'usd' },
    })
    assert.equal(paid.status, 201)
    assert.equal(paid.headers.get('cache-control'), 'private, no-store')
    assert.partialDeepStrictEqual(receiptOf(paid), { status: 'success', method: 'card' })
    assert.partialDeepStrictEqual(monitorOf(paid), {
      billing: 'paid',
      billing_period: 'monthly',
      paid_locations: 3,
      paid_until: '2026-12-21T12:00:00.000Z',
      billing_state: 'active',
      interval_seconds: 300,
    })
    assert.deepEqual(await ledgerOf(api, workspaceId), {
      creditCents: 47,
      rows: [
        [-3, 'monitor'],
        [50, 'payment'],
      ],
      payments: 1,
      attempts: { succeeded: 1 },
      monitors: 1,
    })
  })

  it('says that it is a sandbox, and with what to pay there', async () => {
    const { token } = await api.addWorkspace('pay_as_you_go')
    const topUp = (cents: number) => ({ path: '/credits', body: { amount_cents: cents }, token })
    const told = await send(api, topUp(50))
    const { help, sandbox } = paymentRequiredSchema.parse(told.body)
    const message = 'This is a sandbox: nothing is charged. Pay with the payload {"spt": "spt_test_ok"}.'
    assert.equal(sandbox?.message, message)
    assert.ok(help.includes(message))
    const outcomes: [outcome: string, status: number][] = []
    for (const [index, { payload, outcome }] of (sandbox?.payloads ?? []).entries()) {
      const request = topUp(60 + index)
      const challenge = challengeOf(await send(api, request))
      outcomes.push([outcome, (await send(api, request, credentialText({ challenge, payload }))).status])
    }
    assert.deepEqual(outcomes, [
      ['It is paid.', 200],
      ['The card is declined.', 402],
      ['The processor is silent: 503, and a repeat of the request is paid.', 503],
    ])
  })

  it('takes credit first and asks only for what is missing', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    await addPayment(api.database, { workspaceId, amountCents: 60 })
    const lifelong = { ...three, billing_period: 'lifetime' }
    for (const left of [30, 0]) {
      const created = await send(api, { path: '/monitors', body: lifelong, token })
      assert.equal(created.status, 201)
      assert.equal(receiptOf(created), null)
      assert.equal((await ledgerOf(api, workspaceId)).creditCents, left)
      assert.partialDeepStrictEqual(monitorOf(created), { billing_period: 'lifetime', paid_until: null })
    }
    const asked = await send(api, { path: '/monitors', body: lifelong, token })
    assert.partialDeepStrictEqual(asked.body, { amount_due: '0.30' })
    assert.equal((await ledgerOf(api, workspaceId)).monitors, 2)
  })

  it('uses a free slot of the plan before anything else, and leaves an unneeded credential unused', async () => {
    const { workspaceId, token } = await api.addWorkspace('free')
    const credential = answerTo(challengeOf(await send(api, { path: '/credits', body: { amount_cents: 50 }, token })))
    const created = await send(api, { path: '/monitors', body: shop, token }, credential)
    assert.equal(created.status, 201)
    assert.partialDeepStrictEqual(monitorOf(created), { billing: 'plan', billing_period: null, paid_locations: 0 })
    assert.deepEqual((await ledgerOf(api, workspaceId)).attempts, {})
  })

  it('lets a paid monitor check every 10 seconds on any plan', async () => {
    const { token } = await api.addWorkspace('pay_as_you_go')
    const { paid } = await pay(api, { path: '/monitors', body: { ...shop, interval_seconds: 10 }, token })
    assert.equal(monitorOf(paid).interval_seconds, 10)
  })

  it('refuses what is not valid before it asks for money', async () => {
    const { token } = await api.addWorkspace('pay_as_you_go')
    const refused = async (body: unknown) => refusalOf(await send(api, { path: '/monitors', body, token }))
    assert.deepEqual(await refused({ ...shop, locations: ['mars'] }), [422, 'validation_failed', 'locations'])
    assert.deepEqual(await refused({ ...shop, interval_seconds: 9 }), [422, 'validation_failed', 'interval_seconds'])
    assert.deepEqual(await refused({ ...shop, vulnerability_alerts: true }), [
      422,
      'plan_required',
      'vulnerability_alerts',
    ])
    const members = { ...shop, kind: 'group', check_options: { member_ids: [crypto.randomUUID()] } }
    assert.deepEqual(await refused(members), [422, 'validation_failed', 'check_options.member_ids'])
    const reader = await send(api, { path: '/monitors', body: shop, token: api.readToken })
    assert.deepEqual(refusalOf(reader), [403, 'insufficient_scope'])
  })

  it('has at most 1,000 paid monitors a workspace', { timeout: 120_000 }, async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    await addPayment(api.database, { workspaceId, amountCents: 100 })
    const { id } = await createMonitor(api, {}, token)
    await copyMonitor(api, id, 998)
    await createMonitor(api, {}, token)
    const refused = await send(api, { path: '/monitors', body: shop, token })
    assert.deepEqual(refusalOf(refused), [422, 'limit_reached'])
    assert.equal((await send(api, { path: '/monitors/quote', body: shop, token })).status, 422)
    assert.equal((await ledgerOf(api, workspaceId)).creditCents, 98)
  })

  it('answers an Idempotency-Key with the first monitor, without charging again', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const request = { path: '/monitors', body: shop, token, key: 'one' }
    const { paid } = await pay(api, request)
    const again = await send(api, request)
    assert.equal(again.status, 200)
    assert.equal(monitorOf(again).id, monitorOf(paid).id)
    const other = await send(api, { ...request, body: three })
    assert.deepEqual(refusalOf(other), [422, 'idempotency_key_reused'])
    assert.equal((await ledgerOf(api, workspaceId)).creditCents, 49)
  })
})

describe('a payment credential', async () => {
  const api = await market()
  const codes = Array.from({ length: 10 }, (_, index) => `l${index}`)
  const ten = await market({ locations: codes.map((code) => ({ code, name: code })) })
  const request = { path: '/monitors', body: shop }

  it('is refused with a fresh challenge where it does not hold', async () => {
    const asked = challengeOf(await send(api, request))
    const other = challengeOf(await send(api, { ...request, body: three }))
    const wire = (change: Partial<Challenge>) => answerTo({ ...asked, ...change })
    const refusals: [what: string, credential: string, problem: string][] = [
      ['no base64', '%%%', 'malformed-credential'],
      ['of another service', wire({ realm: 'other.test' }), 'invalid-challenge'],
      ['with another amount', wire({ request: { ...asked.request, amount: '1' } }), 'invalid-challenge'],
      ['with another end', wire({ expires: '2027-01-01T00:00:00.000Z' }), 'invalid-challenge'],
      ['with another id', wire({ id: other.id }), 'invalid-challenge'],
      ['of another body', answerTo(other), 'invalid-challenge'],
      ['of a token the sandbox does not take', answerTo(asked, 'spt_live_1'), 'invalid-payload'],
    ]
    for (const [what, credential, problem] of refusals) {
      const refused = await send(api, request, credential)
      assert.equal(problemOf(refused), problem, what)
      assert.notEqual(challengeOf(refused).id, asked.id, what)
    }
    assert.deepEqual((await ledgerOf(api, api.workspaceId)).attempts, {})
  })

  const bound: [what: string, change: Parameters<typeof send>[1]][] = [
    ['another key', { ...request, key: 'two' }],
    ['another operation', { path: '/credits', body: { amount_cents: 50 } }],
  ]
  for (const [what, change] of bound)
    it(`pays for its request alone, not for that of ${what}`, async () => {
      const credential = answerTo(challengeOf(await send(api, request)))
      assert.equal(problemOf(await send(api, change, credential)), 'invalid-challenge')
    })

  it('pays for no other workspace', async () => {
    const { token } = await api.addWorkspace('pay_as_you_go')
    const credential = answerTo(challengeOf(await send(api, request)))
    assert.equal(problemOf(await send(api, { ...request, token }, credential)), 'invalid-challenge')
  })

  it('is worth nothing once its challenge has expired', async () => {
    const credential = answerTo(challengeOf(await send(api, request)))
    api.pass(5 * minuteMs)
    assert.equal(problemOf(await send(api, request, credential)), 'payment-expired')
  })

  it('of a method that is not taken is refused', async () => {
    const { services } = api
    const made = services.payments?.mpp.createChallenge({
      method: 'cheque',
      request: challengeOf(await send(api, request)).request,
      nonce: 'n',
      at: services.payments.now(),
    })
    assert.ok(made !== undefined)
    assert.equal(problemOf(await send(api, request, answerTo({ ...made }))), 'method-unsupported')
  })

  it('sent beside another is a bad request', async () => {
    const text = answerTo(challengeOf(await send(api, request)))
    const twice = { headers: { Authorization: `Payment ${text}, Payment ${text}` } }
    assert.deepEqual(refusalOf(await api.post('/monitors', shop, twice)), [400, 'bad_request'])
    assert.deepEqual(refusalOf(await api.post('/monitors', {}, twice)), [400, 'bad_request'])
  })

  it('that is too small by now is refused before anything is charged', async () => {
    const { workspaceId, token } = await ten.addWorkspace('pay_as_you_go')
    await addPayment(ten.database, { workspaceId, amountCents: 50 })
    const lifelong = { path: '/monitors', body: { ...shop, locations: codes, billing_period: 'lifetime' }, token }
    const asked = await send(ten, lifelong)
    assert.partialDeepStrictEqual(asked.body, { amount_due: '0.50' })
    assert.equal((await send(ten, { path: '/monitors', body: shop, token })).status, 201)
    const refused = await send(ten, lifelong, answerTo(challengeOf(asked)))
    assert.equal(problemOf(refused), 'payment-insufficient')
    assert.partialDeepStrictEqual(challengeOf(refused).request, { amount: '51' })
    assert.deepEqual((await ledgerOf(ten, workspaceId)).attempts, {})
    assert.equal((await send(ten, lifelong, answerTo(challengeOf(refused)))).status, 201)
    assert.equal((await ledgerOf(ten, workspaceId)).creditCents, 0)
  })
})

describe('payments that are off', async () => {
  const api = await testApi({ plan: 'pay_as_you_go' })

  it('are 503 where money is needed, after everything else', async () => {
    const cases: [path: string, body: unknown, token: string | null, refusal: unknown[]][] = [
      ['/monitors', shop, api.token, [503, 'payments_disabled']],
      ['/monitors', shop, null, [503, 'payments_disabled']],
      ['/monitors', { name: 'x' }, null, [422, 'validation_failed', 'url']],
      ['/credits', { amount_cents: 50 }, api.token, [503, 'payments_disabled']],
      ['/credits', { amount_cents: 49 }, api.token, [422, 'validation_failed', 'amount_cents']],
    ]
    for (const [path, body, token, refusal] of cases)
      assert.deepEqual(refusalOf(await send(api, { path, body, token })), refusal)
  })

  it('let credit be spent that is there', async () => {
    await addPayment(api.database, { workspaceId: api.workspaceId, amountCents: 50 })
    assert.equal((await send(api, { path: '/monitors', body: shop })).status, 201)
  })
})

/** More monitors like one, without paying for them. */
async function copyMonitor({ database }: TestApi, id: string, copies: number): Promise<void> {
  const { rows } = await database.pool.query<{ columns: string }>(
    `select string_agg(column_name, ', ') as columns
    from information_schema.columns
    where table_name = 'monitors' and column_name not in ('id', 'key')`,
  )
  const columns = rows[0]?.columns ?? ''
  await database.pool.query(
    `insert into monitors (id, ${columns})
    select gen_random_uuid(), ${columns} from monitors, generate_series(1, $2) where id = $1`,
    [id, copies],
  )
}
