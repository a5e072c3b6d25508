// What a seller that uses the public library offers, as a monitor of kind paid_endpoint reads it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evm } from 'mppx/evm/server'
import { Mppx, NodeListener } from 'mppx/server/core'
import { paidEndpoint } from '#kinds/paid/paid-endpoint.ts'
import { checkOnce } from '../support/check.ts'
import { httpServer } from '../support/http-server.ts'
import { pinnedSale } from '../support/sale-offers.ts'

const other = `0x${'ab'.repeat(20)}`

describe('a seller that uses mppx', async () => {
  const seller = Mppx.create({
    secretKey: 'a secret of more than thirty-two characters',
    realm: 'api.example.com',
    methods: [
      evm.charge({
        currency: pinnedSale.asset,
        chainId: 8453,
        decimals: 6,
        authorization: { name: 'USD Coin', version: '2' },
        recipient: pinnedSale.payee,
        settle: () => Promise.reject(new Error('Nothing is to be settled.')),
      }),
    ],
  })
  const sell = seller.compose(['evm/charge', { amount: '0.01' }])
  const { port } = await httpServer((request, response) => void answer(request.url ?? '/', response))
  const check = (options: Record<string, unknown>) =>
    checkOnce(paidEndpoint, { url: `http://127.0.0.1:${port}/forecast`, options: { ...pinnedSale, ...options } })

  async function answer(path: string, response: Parameters<typeof NodeListener.sendResponse>[0]): Promise<void> {
    const sale = await sell(new Request(new URL(path, `http://127.0.0.1:${port}`)))
    assert.ok(sale.status === 402)
    await NodeListener.sendResponse(response, sale.challenge)
  }

  for (const protocol of ['x402', 'mpp'] as const) {
    it(`sells as pinned by ${protocol}`, async () => {
      const { status, error, details } = await check({ protocol })
      assert.deepEqual([status, error, details], ['up', null, { protocol, price: '10000' }])
    })

    it(`is found to ask for more than the highest price by ${protocol}`, async () => {
      const { status, error } = await check({ protocol, highest_price: '9999' })
      assert.deepEqual([status, error], ['degraded', 'The price is 10000, above the highest of 9999'])
    })

    it(`is found to have another payee by ${protocol}`, async () => {
      const { status, error } = await check({ protocol, payee: other })
      const found = `The payee of the offer is ${pinnedSale.payee.toLowerCase()}, expected ${other}`
      assert.deepEqual([status, error], ['down', found])
    })
  }
})
