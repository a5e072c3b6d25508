import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { openNet } from '../../../test/support/net.ts'
import { offeringX402, pinnedSale } from '../../../test/support/sale-offers.ts'
import { tokenFor } from '#core/money/canary.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { TrialOutcome } from '#core/monitors/trial.ts'
import { withCleanTexts } from '#core/results/result.ts'
import { kinds } from '#kinds/index.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { type Authorization, authorizationSchema, isSigned, signAuthorization } from '#payments/chain-authorization.ts'
import { hexSchema } from '#payments/chain-rpc.ts'
import { beginPurchases } from '#store/money/canary-purchases.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { buy, type BuyingParts } from './buy.ts'
import { purchaseOperations } from './purchases.ts'

const key = hexSchema.parse(`0x${randomBytes(32).toString('hex')}`)
const token = {
  network: pinnedSale.network,
  asset: pinnedSale.asset.toLowerCase(),
  name: 'USD Coin',
  version: '2',
  dayLimit: 1_000_000n,
}
const domain = { address: hexSchema.parse(token.asset), name: token.name, version: token.version, decimals: 0 }
const wishSchema = authorizationSchema.pick({ to: true, value: true, validAfter: true, validBefore: true, nonce: true })
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const done = { 'payment-response': base64({ success: true, transaction: '0xfeed', network: token.network }) }

type Sale = { status?: number; offer?: string; paid?: (response: ServerResponse) => void }

async function look(configuration: CheckConfiguration): Promise<TrialOutcome> {
  assert.ok(!JSON.stringify(configuration).includes(key.slice(2)), 'the key stays here')
  const verdict = await kinds.paid_endpoint.check(configuration, openNet, AbortSignal.timeout(configuration.timeoutMs))
  return { type: 'checked', verdict: withCleanTexts(verdict) }
}

/** Nothing is signed. */
function neverSign(): never {
  assert.fail('nothing is signed')
}

describe('a purchase', async () => {
  const api = await testApi({
    operations: [...monitorOperations, ...purchaseOperations],
    services: { canaryTokens: [token] },
  })
  const { database, services } = api
  const changes: string[] = []
  let hour = 0
  let sale: Sale = {}
  let wasPaid: Authorization[] = []
  const { port } = await httpServer((request, response) => serve(request, response))
  const { id } = await createMonitor(api, {
    kind: 'paid_endpoint',
    url: `http://127.0.0.1:${port}/forecast`,
    timeout_ms: 1000,
    check_options: { ...pinnedSale, buys: true },
    locations: ['amsterdam'],
  })

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const payment = request.headers['payment-signature']
    if (payment === undefined) {
      response.writeHead(sale.status ?? 402, { 'payment-required': sale.offer ?? offeringX402() }).end()
      return
    }
    const { payload } = JSON.parse(Buffer.from(payment.toString(), 'base64').toString())
    wasPaid.push(
      authorizationSchema.parse({ type: 'authorization', signature: payload.signature, ...payload.authorization }),
    )
    const pay = sale.paid ?? ((to: ServerResponse) => to.writeHead(200, done).end('Sunny'))
    pay(response)
  }

  /** One hour later; `parts` are what goes wrong. */
  async function buyNow(of: Sale, parts: Partial<BuyingParts> = {}) {
    sale = of
    wasPaid = []
    hour += 1
    const now = new Date(Date.parse('2026-11-28T00:00:00Z') + hour * 3_600_000)
    const due = await beginPurchases(database, { now, limit: 10, isOnline: () => true })
    assert.equal(due.length, 1)
    const outcome = await buy(
      {
        database,
        secrets: services.secrets,
        tokens: [token],
        sign: (wish) => signAuthorization(wishSchema.parse(wish), { key, token: domain, chainId: 8453 }),
        tryCheck: ({ configuration }) => look(configuration),
        announceChange: ({ monitorId }) => changes.push(monitorId),
        now: () => now,
        ...parts,
      },
      due[0] ?? assert.fail(),
    )
    const { body } = await api.get(`/monitors/${id}/purchases?limit=1`)
    return { outcome, now, listed: body }
  }

  async function problem() {
    const [configuration] = await readCheckConfigurations(database, services.secrets, {
      location: 'amsterdam',
      ids: [id],
    })
    return configuration?.purchaseProblem
  }

  it('pays what is offered, by a signature that counts for this sale and for two minutes', async () => {
    const { outcome, now, listed } = await buyNow({ offer: offeringX402({ amount: '9000' }) })
    assert.deepEqual(outcome, { state: 'settled', transaction: '0xfeed', note: null, problem: null })
    const [paid = assert.fail()] = wasPaid
    assert.ok(await isSigned(paid, domain, 8453))
    const seconds = now.getTime() / 1000
    assert.partialDeepStrictEqual(paid, {
      to: pinnedSale.payee.toLowerCase(),
      value: '9000',
      validAfter: String(seconds - 60),
      validBefore: String(seconds + 120),
    })
    assert.partialDeepStrictEqual(listed, {
      data: [{ state: 'settled', price: '9000', transaction: '0xfeed', location_code: 'amsterdam', note: null }],
    })
    assert.deepEqual(changes, [])
  })

  const unpaid: [what: string, sale: Sale, note: RegExp][] = [
    ['another payee', { offer: offeringX402({ payTo: `0x${'ab'.repeat(20)}` }) }, /^The payee of the offer is/],
    ['a higher price', { offer: offeringX402({ amount: '10001' }) }, /^The price is 10001/],
    ['another token', { offer: offeringX402({ asset: `0x${'ab'.repeat(20)}` }) }, /^The asset of the offer is/],
    [
      'another name of the token',
      { offer: offeringX402({ extra: { name: 'Coin', version: '2' } }) },
      /^No offer agrees with the pins and with the token/,
    ],
    ['an offer of 17 KiB', { offer: offeringX402({ description: 'x'.repeat(13_000) }) }, /^No offer agrees/],
    ['a broken offer', { offer: 'e30=' }, /^The x402 offer cannot be read/],
    ['an answer without payment', { status: 200 }, /^The answer came without payment/],
    ['an error', { status: 503 }, /^HTTP status 503/],
  ]
  for (const [what, of, note] of unpaid)
    it(`is not made of ${what}`, async () => {
      const { outcome, listed } = await buyNow(of, { sign: neverSign })
      assert.equal(outcome.state, 'not_bought')
      assert.match(outcome.note ?? '', note)
      assert.deepEqual(wasPaid, [])
      assert.partialDeepStrictEqual(listed, { data: [{ state: 'not_bought', price: null }] })
    })

  it('is not made beyond the limit of the day, nor with a token that the operator took out', async () => {
    const small = await buyNow({}, { tokens: [{ ...token, dayLimit: 9_999n }], sign: neverSign })
    assert.equal(small.outcome.note, "The token's limit of the day would be passed.")
    const none = await buyNow({}, { tokens: [], sign: neverSign })
    assert.equal(none.outcome.note, 'The operator lets no monitor buy with this token.')
  })

  const reason = base64({ success: false, errorReason: 'insufficient_funds', transaction: '' })
  const failed: [what: string, paid: NonNullable<Sale['paid']>, state: string, status: string, text: RegExp][] = [
    [
      'is refused',
      (to) => to.writeHead(402, { 'payment-response': reason }).end(),
      'refused',
      'down',
      /^The purchase was refused: insufficient_funds$/,
    ],
    [
      'is refused in silence',
      (to) => to.writeHead(402).end(),
      'refused',
      'down',
      /^The purchase was refused: no reason was given$/,
    ],
    [
      'fails after the payment',
      (to) => to.writeHead(500, done).end(),
      'unknown',
      'down',
      /^The purchase was answered with HTTP status 500$/,
    ],
    ['is redirected', (to) => to.writeHead(302, { location: '/' }).end(), 'unknown', 'down', /HTTP status 302$/],
    ['has no receipt', (to) => to.writeHead(200).end('Sunny'), 'unknown', 'degraded', /without a receipt/],
    [
      'has a receipt of nothing',
      (to) => to.writeHead(200, { 'payment-response': reason }).end('Sunny'),
      'unknown',
      'degraded',
      /without a receipt/,
    ],
    ['is cut off', (to) => void to.socket?.destroy(), 'unknown', 'down', /^The purchase got no answer: /],
    ['is never answered', () => {}, 'unknown', 'down', /^The purchase got no answer: Timed out/],
  ]
  for (const [what, paid, state, status, text] of failed)
    it(`that ${what} lies over the checks until the next one`, async () => {
      const { outcome, listed } = await buyNow({ paid })
      assert.deepEqual([outcome.state, outcome.problem], [state, status])
      assert.equal(wasPaid.length, 1)
      assert.partialDeepStrictEqual(listed, { data: [{ state, price: '10000' }] })
      const found = await problem()
      assert.equal(found?.status, status)
      assert.match(found.error, text)
      assert.equal(changes.at(-1), id)
      changes.length = 0
      assert.equal((await buyNow({})).outcome.state, 'settled')
      assert.equal(await problem(), undefined)
      assert.deepEqual(changes, [id])
    })

  it('counts as spent where the location falls silent with it, and says nothing of the endpoint', async () => {
    const { outcome } = await buyNow(
      {},
      {
        tryCheck: async ({ configuration }) =>
          configuration.purchase?.type === 'pay' ? { type: 'silent' } : look(configuration),
      },
    )
    assert.deepEqual(outcome, {
      state: 'unknown',
      transaction: null,
      note: 'The location did not answer in time.',
      problem: null,
    })
  })

  for (const [step, parts] of [
    ['it has signed', { sign: () => Promise.reject(new Error('It died.')) }],
    [
      'it has paid',
      {
        tryCheck: async ({ configuration }) =>
          configuration.purchase?.type === 'pay' ? Promise.reject(new Error('It died.')) : look(configuration),
      },
    ],
  ] as const satisfies [string, Partial<BuyingParts>][])
    it(`counts as spent where the process dies before ${step}`, async () => {
      await assert.rejects(buyNow({}, parts), /It died/)
      assert.equal((await buyNow({})).outcome.state, 'settled')
      const { body } = await api.get(`/monitors/${id}/purchases?limit=2`)
      assert.partialDeepStrictEqual(body, { data: [{ state: 'settled' }, { state: 'interrupted', price: '10000' }] })
    })

  it('can be wished for only where the operator allows it', async () => {
    const wish = (options: object) =>
      api.request('PATCH', `/monitors/${id}`, {
        body: { name: 'Forecast', check_options: { ...pinnedSale, buys: true, ...options } },
      })
    assert.deepEqual(refusalOf(await wish({ network: 'eip155:1' })), [422, 'validation_failed', 'check_options.buys'])
    assert.deepEqual(refusalOf(await wish({ protocol: 'mpp' })), [422, 'validation_failed', 'check_options.buys'])
    assert.equal((await wish({ buys: false, network: 'eip155:1' })).status, 200)
    assert.equal(tokenFor([], { network: token.network, asset: token.asset }), null)
    assert.deepEqual(refusalOf(await api.get(`/monitors/${id}/purchases?limit=201`)), [
      422,
      'validation_failed',
      'limit',
    ])
    assert.equal((await api.get('/monitors/00000000-0000-7000-8000-000000000000/purchases')).status, 404)
  })
})
