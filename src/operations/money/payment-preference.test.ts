import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type QuoteRecord, quoteSchema } from '#core/money/payment-required.ts'
import { quoteOfTopUp } from '#core/money/quote.ts'
import { challengesIn } from '../../../test/support/payment-client.ts'
import { market } from '../../../test/support/paying.ts'
import type { PaymentOptions } from '#payments/index.ts'
import { withPaymentMethods } from './quoted-methods.ts'

/** A workspace that pays nothing. */
const payments: PaymentOptions = {
  mode: 'live',
  card: { wireName: 'card', profile: 'profile_test', secretKey: 'sk_test_x', url: 'http://127.0.0.1:1' },
  chain: {
    wireName: 'chain',
    rpcUrl: 'http://127.0.0.1:1',
    chainId: 31_337,
    isTestnet: true,
    token: { address: `0x${'a'.repeat(40)}`, name: 'Test Dollar', version: '1', decimals: 6 },
    recipient: `0x${'b'.repeat(40)}`,
    relayerKey: `0x${'1'.repeat(64)}`,
    minimumCents: 1,
    confirmations: 1,
  },
}

describe('who is asked to pay', async () => {
  const api = await market({ payments })
  const cases: [accept: string | null, methods: string[], help: RegExp][] = [
    [null, ['card', 'chain'], /Card charges \$0\.50, of which \$0\.49 stay as credit; chain charges \$0\.01\./],
    ['chain/charge', ['chain'], /Chain charges \$0\.01\. Answer/],
    ['card/charge;q=0.5, chain/charge', ['chain', 'card'], /Chain charges \$0\.01; card charges/],
    ['tempo/charge', ['card', 'chain'], /Card charges/],
    ['?', ['card', 'chain'], /Card charges/],
  ]
  for (const [accept, methods, help] of cases)
    it(`with Accept-Payment ${accept} is offered ${methods.join(' and ')}`, async () => {
      const headers = accept === null ? {} : { 'Accept-Payment': accept }
      for (const token of [api.token, null]) {
        const body = { name: 'Shop', url: 'https://example.com' }
        const asked = await api.post('/monitors', body, { token, headers })
        const challenges = challengesIn(asked.headers.get('www-authenticate'))
        assert.deepEqual(
          challenges.map(({ method }) => method),
          methods,
        )
        assert.match(asked.text, help)
      }
    })
})

describe('a quote of a service with several methods', async () => {
  const api = await market({ payments })
  const quote = (due: number): QuoteRecord => withPaymentMethods(quoteOfTopUp(due, 0), api.services.payments)

  it('says what each would charge, as its challenge asks it, and that there is no sandbox', async () => {
    for (const [token, locations] of [
      [api.token, ['amsterdam', 'boston']],
      [null, ['amsterdam']],
    ] as const) {
      const body = { name: 'Shop', url: 'https://example.com', locations }
      const quoted = await api.post('/monitors/quote', body, { token })
      const asked = await api.post('/monitors', body, { token })
      const due = locations.length
      const shared = { fee_cents: 0 }
      assert.partialDeepStrictEqual(quoted.body, { data: { amount_due_cents: due } })
      const { payment_methods: methods = [] } = z.object({ data: quoteSchema }).parse(quoted.body).data
      assert.deepEqual(methods, [
        {
          ...shared,
          method: 'card',
          amount_cents: 50,
          minimum_cents: 50,
          stays_as_credit_cents: 50 - due,
          amount: '50',
          currency: 'usd',
        },
        {
          ...shared,
          method: 'chain',
          amount_cents: due,
          minimum_cents: 1,
          stays_as_credit_cents: 0,
          amount: String(due * 10_000),
          currency: `0x${'a'.repeat(40)}`,
          x402: { scheme: 'exact', network: 'eip155:31337' },
        },
      ])
      assert.deepEqual(
        challengesIn(asked.headers.get('www-authenticate')).map(({ method, request: { amount, currency } }) => ({
          method,
          amount,
          currency,
        })),
        methods.map(({ method, amount, currency }) => ({ method, amount, currency })),
      )
      assert.doesNotMatch(asked.text, /sandbox|spt_test/)
    }
  })

  it('says nothing of methods where nothing is due, and has none that takes so much', async () => {
    assert.equal('payment_methods' in quote(0), false)
    assert.equal('payment_methods' in withPaymentMethods(quoteOfTopUp(50, 0), null), false)
    assert.deepEqual(
      [99_999_999, 100_000_000].map((due) => quote(due).payment_methods?.map(({ method }) => method)),
      [['card', 'chain'], []],
    )
  })
})
