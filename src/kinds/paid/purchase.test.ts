import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOnce } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { offeringX402, pinnedSale, x402Entry } from '../../../test/support/sale-offers.ts'
import { withCleanTexts } from '#core/results/result.ts'
import { paidEndpoint } from './paid-endpoint.ts'
import { paidOptions } from './paid-options.ts'
import { chooseSale, formatPayment } from './purchase.ts'
import { shownOffer, shownSettlement } from './purchase-trial.ts'

const domain = { name: 'USD Coin', version: '2' }
const options = paidOptions.parse(pinnedSale)
const other = `0x${'ab'.repeat(20)}`
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

describe('what is bought', () => {
  it('is the cheapest offer that agrees with everything pinned', () => {
    const header = offeringX402({ amount: '10000' }, { amount: '9000' }, { amount: '8000', payTo: other })
    const sale = chooseSale(header, options, domain)
    assert.equal(sale?.offer.price, 9000n)
    assert.deepEqual(sale.accepted, { ...x402Entry, amount: '9000' })
    assert.deepEqual(sale.resource, { url: 'https://api.example.com/' })
  })

  const never: [what: string, header: string][] = [
    ['another payee', offeringX402({ payTo: other })],
    ['another token', offeringX402({ asset: other })],
    ['another network', offeringX402({ network: 'eip155:1' })],
    ['a price above the highest', offeringX402({ amount: '10001' })],
    ['a price of nothing', offeringX402({ amount: '0' })],
    ['a negative price', offeringX402({ amount: '-1' })],
    ['a fraction', offeringX402({ amount: '1e3' })],
    ['another scheme', offeringX402({ scheme: 'upto' })],
    ['another name of the token', offeringX402({ extra: { name: 'USD Coin!', version: '2' } })],
    ['another version of the token', offeringX402({ extra: { name: 'USD Coin', version: '1' } })],
    ['another way to transfer', offeringX402({ extra: { ...domain, assetTransferMethod: 'permit2' } })],
    ['a broken offer beside the right one', offeringX402({}, { payTo: 7 })],
    ['the right one as the sixth', offeringX402(...Array.from({ length: 5 }, () => ({ payTo: other })), {})],
    ['version 1 of x402', base64({ x402Version: 1, accepts: [x402Entry] })],
    ['no base64', '{"x402Version":2}'],
    ['nothing', ''],
  ]
  for (const [what, header] of never)
    it(`is not ${what}`, () => assert.equal(chooseSale(header, options, domain), null))

  it('is not offered to who wants it by MPP', () => {
    const read = paidOptions.safeParse({ ...pinnedSale, protocol: 'mpp', buys: true })
    assert.deepEqual(
      read.error?.issues.map(({ path }) => path.join('.')),
      ['buys'],
    )
    assert.equal(paidOptions.safeParse({ ...pinnedSale, buys: true }).success, true)
  })

  it('is paid by a header of x402 v2', () => {
    const sale = chooseSale(offeringX402(), options, domain) ?? assert.fail()
    const authorization = {
      from: other,
      to: pinnedSale.payee,
      value: '1',
      validAfter: '0',
      validBefore: '9',
      nonce: '0x1',
    }
    const sent = JSON.parse(
      Buffer.from(formatPayment(sale, { ...authorization, signature: '0x2' }), 'base64').toString(),
    )
    assert.deepEqual(sent, {
      x402Version: 2,
      resource: { url: 'https://api.example.com/' },
      accepted: x402Entry,
      payload: { signature: '0x2', authorization },
    })
  })
})

describe('a trial of a purchase', async () => {
  let answer: { status: number; headers: Record<string, string> } = { status: 402, headers: {} }
  const sent: (string | undefined)[] = []
  const { port } = await httpServer((request, response) => {
    sent.push(request.headers['payment-signature']?.toString())
    response.writeHead(answer.status, answer.headers).end()
  })
  const url = `http://127.0.0.1:${port}/`
  const check = async (more: object) =>
    withCleanTexts(await checkOnce(paidEndpoint, { url, options: pinnedSale, ...more }))

  it('shows the offer whole, whatever is wrong with it, as long as it has 16 KiB at most', async () => {
    for (const header of [offeringX402({ description: 'x'.repeat(9_000) }), offeringX402({ payTo: other })]) {
      answer = { status: 402, headers: { 'payment-required': header } }
      assert.equal(shownOffer(await check({ purchase: { type: 'look' } })), header)
    }
    answer = { status: 402, headers: { 'payment-required': offeringX402({ description: 'x'.repeat(13_000) }) } }
    assert.equal(shownOffer(await check({ purchase: { type: 'look' } })), null)
    assert.equal(shownOffer(await check({})), null)
    assert.deepEqual(new Set(sent), new Set([undefined]))
  })

  it('sends the payment, and tells the status and what the seller says of it', async () => {
    const settled = base64({ success: true, transaction: '0xabc', network: 'eip155:8453', payer: other })
    answer = { status: 200, headers: { 'payment-response': settled } }
    const paid = await check({ purchase: { type: 'pay', signature: 'c2lnbmVk' } })
    assert.deepEqual([paid.status, paid.statusCode], ['up', 200])
    assert.deepEqual(shownSettlement(paid), { isDone: true, transaction: '0xabc', reason: null })
    assert.equal(sent.at(-1), 'c2lnbmVk')
    answer = {
      status: 402,
      headers: { 'payment-response': base64({ success: false, errorReason: 'no_money', transaction: '' }) },
    }
    const refused = await check({ purchase: { type: 'pay', signature: 'c2lnbmVk' } })
    assert.equal(refused.statusCode, 402)
    assert.deepEqual(shownSettlement(refused), { isDone: false, transaction: null, reason: 'no_money' })
  })

  for (const [what, header] of [
    ['no JSON', 'bm8='],
    ['no object', base64(7)],
    ['no word on success', base64({ transaction: '0xabc' })],
    ['a long transaction', base64({ success: true, transaction: 'x'.repeat(201) })],
  ] as const)
    it(`takes ${what} for no settlement`, async () => {
      answer = { status: 200, headers: { 'payment-response': header } }
      assert.equal(shownSettlement(await check({ purchase: { type: 'pay', signature: 'c2lnbmVk' } })), null)
    })

  it('lies over later checks where the purchase failed, unless they find something worse themselves', async () => {
    const purchaseProblem = { status: 'down', error: 'The purchase was refused: no_money' } as const
    answer = { status: 402, headers: { 'payment-required': offeringX402() } }
    const found = await check({ purchaseProblem })
    assert.partialDeepStrictEqual(found, {
      ...purchaseProblem,
      statusCode: 402,
      details: { protocol: 'x402', price: '10000', failed_assertion: 'purchase' },
    })
    assert.equal((await check({})).status, 'up')
    answer = { status: 402, headers: { 'payment-required': offeringX402({ payTo: other }) } }
    assert.match((await check({ purchaseProblem })).error ?? '', /^The payee of the offer is/)
  })
})
