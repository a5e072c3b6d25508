import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { quoteSchema } from '#core/money/payment-required.ts'
import { type Bank, createBank } from '../../../test/money/bank.ts'
import type { Answer } from '../../../test/support/api.ts'
import { paymentRequiredSchema, rpc } from '../../../test/support/mcp-call.ts'
import { monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import {
  answerTo,
  challengeOf,
  firstKeyOf,
  ledgerOf,
  type Market,
  market,
  type PaidRequest,
  problemOf,
  receiptOf,
  send,
  settleAll,
  x402Credential,
} from '../../../test/support/paying.ts'
import { x402OfferIn, x402SettlementIn } from '../../../test/support/x402-client.ts'

const shop = { name: 'Shop', url: 'https://example.com' }
const minuteMs = 60_000
const dayMs = 24 * 3_600_000

/** An API that is paid by card and by a chain, of a bank that remembers whom it charged. */
async function bankedMarket(): Promise<Market & { bank: Bank }> {
  const api = await market()
  const bank = createBank(() => {})
  const { services } = api
  if (services.payments !== null) services.payments = { ...services.payments, methods: bank.methods }
  return { ...api, bank }
}

function ascending(one: number, other: number): number {
  return one - other
}

/** Accepts the offer of a 402 for the request, with a token of the bank. */
async function accept(
  api: Market,
  request: PaidRequest,
  token: string,
): Promise<{ asked: Answer; credential: string }> {
  const asked = await send(api, request)
  return { asked, credential: x402Credential(asked, { spt: token }) }
}

describe('an offer of x402', async () => {
  const api = await bankedMarket()

  it('stands beside the challenges of a chain, and changes no other part of the answer', async () => {
    const asked = await send(api, { path: '/monitors', body: shop })
    assert.partialDeepStrictEqual(x402OfferIn(asked), {
      error: 'PAYMENT-SIGNATURE header is required',
      resource: { url: 'http://perigee.test/api/v1/monitors', description: '1 location for 30 days' },
      accepts: [{ network: 'eip155:31337', amount: '1' }],
    })
    assert.ok(!/x402/i.test(asked.text))
    const cards = await api.post('/monitors', shop, { headers: { 'Accept-Payment': 'card/charge' } })
    assert.equal(cards.status, 402)
    assert.equal(x402OfferIn(cards), null)
    assert.deepEqual(
      { ...z.looseObject({}).parse(cards.body), help: '' },
      { ...z.looseObject({}).parse(asked.body), help: '' },
    )
  })

  it('is not made where there is no chain, as in the sandbox', async () => {
    const sandboxed = await market()
    const asked = await send(sandboxed, { path: '/monitors', body: shop })
    assert.equal(asked.status, 402)
    assert.equal(x402OfferIn(asked), null)
    const { workspaceId } = api
    const elsewhere = x402Credential(await send(api, { path: '/monitors', body: shop }), { spt: 'spt_test_ok' })
    assert.equal(problemOf(await send(sandboxed, { path: '/monitors', body: shop }, elsewhere)), 'invalid-challenge')
    assert.equal((await ledgerOf(api, workspaceId)).payments, 0)
  })

  it('is none by way of MCP', async () => {
    const call = { name: 'create_monitor', arguments: shop }
    const { error } = await rpc(api, ['tools/call', call])
    const { data } = paymentRequiredSchema.parse(error)
    assert.deepEqual(
      data.challenges.map(({ method }) => method),
      ['card', 'chain'],
    )
    assert.ok(!/x402/i.test(JSON.stringify(error)))
  })

  it('is told by a quote, for the chain alone', async () => {
    const quoted = await api.post('/monitors/quote', shop)
    const { payment_methods: methods = [] } = z.object({ data: quoteSchema }).parse(quoted.body).data
    assert.deepEqual(
      methods.map(({ method, x402 }) => [method, x402]),
      [
        ['card', undefined],
        ['chain', { scheme: 'exact', network: 'eip155:31337' }],
      ],
    )
  })
})

describe('a payment by x402', async () => {
  const api = await bankedMarket()
  const { bank } = api

  it('pays once, is told in PAYMENT-RESPONSE, and is a payment by the chain', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const request = { path: '/monitors', body: shop, token }
    const { credential } = await accept(api, request, bank.grant('good'))
    const paid = await send(api, request, credential)
    assert.equal(paid.status, 201)
    assert.equal(paid.headers.get('cache-control'), 'private, no-store')
    assert.equal(receiptOf(paid), null)
    assert.partialDeepStrictEqual(x402SettlementIn(paid), { success: true, network: 'eip155:31337' })
    assert.match(x402SettlementIn(paid)?.transaction ?? '', /^bank_/)
    api.pass(dayMs - 10 * minuteMs)
    const again = await send(api, request, credential)
    assert.equal(again.status, 200)
    assert.equal(monitorOf(again).id, monitorOf(paid).id)
    assert.deepEqual(x402SettlementIn(again), x402SettlementIn(paid))
    const { data } = z
      .object({ data: z.array(z.object({ method: z.string(), amount_cents: z.int() })) })
      .parse((await api.get('/payments', { token })).body)
    assert.deepEqual(data, [{ method: 'chain', amount_cents: 1 }])
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { payments: 1, monitors: 1, creditCents: 0 })
  })

  it('buys credit', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const request = { path: '/credits', body: { amount_cents: 500 }, token }
    const { credential } = await accept(api, request, bank.grant('good'))
    assert.equal((await send(api, request, credential)).status, 200)
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { creditCents: 500, payments: 1 })
  })

  it('of a caller without an account opens a workspace, whose key its payer alone is shown again', async () => {
    const request = { path: '/monitors', body: shop, token: null }
    const [one, two] = [await accept(api, request, bank.grant('good')), await accept(api, request, bank.grant('good'))]
    const paid = await send(api, request, one.credential)
    const other = await send(api, request, two.credential)
    assert.deepEqual([paid.status, other.status], [201, 201])
    assert.notEqual(firstKeyOf(paid).workspaceId, firstKeyOf(other).workspaceId)
    const again = await send(api, request, one.credential)
    assert.equal(again.status, 200)
    assert.equal(firstKeyOf(again).workspaceId, firstKeyOf(paid).workspaceId)
    assert.notEqual(firstKeyOf(again).apiKey, firstKeyOf(paid).apiKey)
    const stolen = x402Credential(one.asked, { spt: bank.grant('good') })
    const refused = await send(api, request, stolen)
    assert.ok(!refused.text.includes('api_key'))
    assert.equal(x402SettlementIn(refused), null)
  })

  it('many times at once charges and makes one', { timeout: 60_000 }, async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const request = { path: '/monitors', body: shop, token }
    const { credential } = await accept(api, request, bank.grant('good'))
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(api, request, credential)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(ascending), [200, 200, 200, 200, 200, 201])
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { payments: 1, monitors: 1, creditCents: 0 })
  })

  it('keeps one by another protocol for the same request from charging too', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const request = { path: '/monitors', body: shop, token }
    const { asked, credential } = await accept(api, request, bank.grant('good'))
    const answers = await Promise.all([
      send(api, request, credential),
      send(api, request, answerTo(challengeOf(asked, 'chain'), bank.grant('good'))),
    ])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(ascending), [200, 201])
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { payments: 1, monitors: 1 })
  })

  it('with the proof of one that was made by the other protocol charges nothing', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const topUp = (cents: number): PaidRequest => ({ path: '/credits', body: { amount_cents: cents }, token })
    const byMpp = async (request: PaidRequest, proof: string): Promise<Answer> =>
      send(api, request, answerTo(challengeOf(await send(api, request), 'chain'), proof))
    const byX402 = async (request: PaidRequest, proof: string): Promise<Answer> =>
      send(api, request, (await accept(api, request, proof)).credential)
    for (const [first, second, cents] of [
      [byMpp, byX402, 50],
      [byX402, byMpp, 60],
    ] as const) {
      const proof = bank.grant('good')
      assert.equal((await first(topUp(cents), proof)).status, 200)
      const refused = await second(topUp(cents + 1), proof)
      assert.equal(problemOf(refused), 'verification-failed')
      assert.match(refused.text, /was used before/)
    }
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { payments: 2, creditCents: 110 })
  })

  it('whose outcome is unknown is 503, and a repeat or the sweep finishes it once', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const request = { path: '/monitors', body: shop, token }
    for (const [path, count] of [
      ['repeat', 1],
      ['sweep', 2],
    ] as const) {
      const body = { ...shop, name: path }
      const { credential } = await accept(api, { ...request, body }, bank.grant('silent'))
      assert.deepEqual(refusalOf(await send(api, { ...request, body }, credential)), [503, 'unavailable'])
      if (path === 'sweep') await settleAll(api)
      const again = await send(api, { ...request, body }, credential)
      assert.equal(again.status, 201)
      assert.equal(x402SettlementIn(again)?.success, true)
      assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { payments: count, monitors: count })
    }
  })

  it('that is declined is 402 with the reason and a fresh offer', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const request = { path: '/monitors', body: shop, token }
    const { credential } = await accept(api, request, bank.grant('declined'))
    const declined = await send(api, request, credential)
    assert.equal(problemOf(declined), 'verification-failed')
    assert.equal(x402OfferIn(declined)?.error, 'The card was declined.')
    assert.deepEqual(x402SettlementIn(declined), {
      success: false,
      errorReason: 'verification_failed',
      errorMessage: 'The card was declined.',
      transaction: '',
      network: 'eip155:31337',
    })
    assert.equal(problemOf(await send(api, request, credential)), 'verification-failed')
    const other = await send(api, request, x402Credential(declined, { spt: bank.grant('good') }))
    assert.equal(other.status, 201)
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { attempts: { failed: 1, succeeded: 1 } })
  })
})

describe('what a payment by x402 is good for', async () => {
  const api = await bankedMarket()
  const { bank } = api
  const { token } = await api.addWorkspace('pay_as_you_go')
  const paths = { path: '/monitors', body: shop, token }
  const strangers = { ...paths, token: null }
  const others: [what: string, request: PaidRequest, problem: string][] = [
    ['another body', { ...paths, body: { ...shop, name: 'Other' } }, 'invalid-challenge'],
    ['another key', { ...paths, key: 'other' }, 'invalid-challenge'],
    ['another workspace', { ...paths, token: api.token }, 'invalid-challenge'],
    ['another operation', { path: '/credits', body: { amount_cents: 50 }, token }, 'invalid-challenge'],
  ]
  for (const [what, request, problem] of others)
    it(`is nothing of ${what}`, async () => {
      const had = bank.charges().length
      const { credential } = await accept(api, paths, bank.grant('good'))
      const refused = await send(api, request, credential)
      assert.equal(problemOf(refused), problem)
      assert.notEqual(x402OfferIn(refused), null)
      assert.equal(bank.charges().length, had)
    })

  it('is nothing once its challenge has expired', async () => {
    const { credential } = await accept(api, paths, bank.grant('good'))
    api.pass(5 * minuteMs)
    assert.equal(problemOf(await send(api, paths, credential)), 'payment-expired')
  })

  it('is no workspace of a stranger where the offer was made to a caller with a token', async () => {
    const { credential } = await accept(api, paths, bank.grant('good'))
    const refused = await send(api, strangers, credential)
    assert.deepEqual(refusalOf(refused), [401, 'missing_api_key'])
    assert.match(refused.text, /X-API-Key/)
  })

  it('is nothing in the header of the other protocol', async () => {
    const asked = await send(api, paths)
    const { challenge } = z
      .object({ challenge: z.looseObject({ id: z.string(), expires: z.string(), opaque: z.string() }) })
      .parse(x402OfferIn(asked)?.accepts[0].extra)
    const named = { ...challengeOf(asked, 'chain'), ...challenge, method: 'x402' }
    const credential = answerTo(named, bank.grant('good'))
    assert.equal(problemOf(await send(api, paths, credential)), 'malformed-credential')
  })

  it('is refused where it cannot be read, with a fresh offer', async () => {
    for (const signature of ['', '?', 'e30=']) {
      const refused = await api.post('/monitors', shop, { token, headers: { 'PAYMENT-SIGNATURE': signature } })
      assert.equal(problemOf(refused), 'malformed-credential')
      assert.match(refused.text, /PAYMENT-SIGNATURE/)
      assert.notEqual(x402OfferIn(refused), null)
      assert.equal(x402SettlementIn(refused), null)
    }
  })

  it('is not looked at beside another payment, which is 400', async () => {
    const { asked, credential } = await accept(api, paths, bank.grant('good'))
    const signature = credential.replace('x402 ', '')
    const other = answerTo(challengeOf(asked, 'chain'), bank.grant('good'))
    const both = { Authorization: `Payment ${other}`, 'PAYMENT-SIGNATURE': signature }
    const refused = await api.post('/monitors', shop, { token, headers: both })
    assert.deepEqual(refusalOf(refused), [400, 'bad_request'])
    assert.match(refused.text, /Send either `Authorization: Payment` or `PAYMENT-SIGNATURE`/)
    const twice = { 'PAYMENT-SIGNATURE': `${signature}, ${signature}` }
    assert.deepEqual(refusalOf(await api.post('/monitors', shop, { token, headers: twice })), [400, 'bad_request'])
  })

  it('stays unused where credit suffices', async () => {
    const { workspaceId, token: rich } = await api.addWorkspace('pay_as_you_go')
    const topUp = { path: '/credits', body: { amount_cents: 50 }, token: rich }
    const { credential: bought } = await accept(api, topUp, bank.grant('good'))
    assert.equal((await send(api, topUp, bought)).status, 200)
    const had = bank.charges().length
    const { credential } = await accept(api, topUp, bank.grant('good'))
    const created = await send(api, { ...paths, token: rich }, credential)
    assert.equal(created.status, 201)
    assert.equal(x402SettlementIn(created), null)
    assert.equal(bank.charges().length, had)
    assert.equal((await ledgerOf(api, workspaceId)).creditCents, 49)
  })
})
