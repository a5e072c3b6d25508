import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { challengesIn } from '../../../test/support/payment-client.ts'
import { market } from '../../../test/support/paying.ts'
import type { PaymentOptions } from '#payments/index.ts'

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
