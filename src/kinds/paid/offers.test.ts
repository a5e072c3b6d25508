import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { offeringMpp, offeringX402, pinnedSale, x402Entry } from '../../../test/support/sale-offers.ts'
import { readMppOffers } from './mpp-offers.ts'
import type { OffersRead, SaleOffer } from './sale-offer.ts'
import { readX402Offers } from './x402-offers.ts'

const offered = {
  network: 'eip155:8453',
  asset: pinnedSale.asset.toLowerCase(),
  payee: pinnedSale.payee.toLowerCase(),
  price: 10_000n,
}
const byX402 = { protocol: 'x402', ...offered } as const
const byMpp = { protocol: 'mpp', ...offered } as const
const none: OffersRead = { type: 'none' }
const noOffer: OffersRead = { type: 'offers', offers: [] }
const fiveOf = (offer: SaleOffer): SaleOffer[] => [offer, offer, offer, offer, offer]
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const unreadable: OffersRead = {
  type: 'malformed',
  fault: 'it is no JSON of version 2 in base64 with a list of offers',
}
const brokenOffer = (at: number): OffersRead => ({
  type: 'malformed',
  fault: `offer ${at} lacks a member, or has one of a wrong form`,
})
const brokenChallenge: OffersRead = {
  type: 'malformed',
  fault: 'challenge 1 lacks a member, or has one of a wrong form',
}

type Case = [what: string, header: string | undefined, read: OffersRead]

const x402: Case[] = [
  ['no header', undefined, none],
  ['one offer', offeringX402(), { type: 'offers', offers: [byX402] }],
  [
    'several offers',
    offeringX402({}, { amount: '0', network: 'eip155:1' }),
    { type: 'offers', offers: [byX402, { ...byX402, price: 0n, network: 'eip155:1' }] },
  ],
  [
    'the largest amount',
    offeringX402({ amount: '9'.repeat(78) }),
    { type: 'offers', offers: [{ ...byX402, price: 10n ** 78n - 1n }] },
  ],
  ['an amount beyond it', offeringX402({ amount: '1'.repeat(79) }), brokenOffer(1)],
  ['an amount with a point', offeringX402({ amount: '0.01' }), brokenOffer(1)],
  ['an amount as a number', offeringX402({ amount: 10_000 }), brokenOffer(1)],
  ['an amount with zeros before it', offeringX402({ amount: '010' }), brokenOffer(1)],
  ['an asset that is no address', offeringX402({}, { asset: 'USDC' }), brokenOffer(2)],
  ['an asset that is too long', offeringX402({ asset: `${pinnedSale.asset}0` }), brokenOffer(1)],
  ['no payee', offeringX402({ payTo: undefined }), brokenOffer(1)],
  ['no name of the token', offeringX402({ extra: { version: '2' } }), brokenOffer(1)],
  ['no time for the payment', offeringX402({ maxTimeoutSeconds: 0 }), brokenOffer(1)],
  ['a chain without a number', offeringX402({ network: 'eip155:base' }), brokenOffer(1)],
  ['no scheme', offeringX402({ scheme: undefined }), brokenOffer(1)],
  ['another scheme', offeringX402({ scheme: 'upto' }), noOffer],
  ['a chain that is not of EVM', offeringX402({ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }), noOffer],
  ['another way to transfer', offeringX402({ extra: { assetTransferMethod: 'permit2' } }), noOffer],
  [
    'the usual way to transfer, named',
    offeringX402({ extra: { name: 'a', version: '1', assetTransferMethod: 'eip3009' } }),
    { type: 'offers', offers: [byX402] },
  ],
  ['more than five offers', offeringX402({}, {}, {}, {}, {}, {}), { type: 'offers', offers: fiveOf(byX402) }],
  [
    'a broken offer behind five',
    offeringX402({}, {}, {}, {}, {}, { amount: 'x' }),
    { type: 'offers', offers: fiveOf(byX402) },
  ],
  ['version 1', encode({ x402Version: 1, accepts: [x402Entry] }), unreadable],
  ['an empty list', encode({ x402Version: 2, accepts: [] }), unreadable],
  ['an offer that is no object', encode({ x402Version: 2, accepts: ['exact'] }), brokenOffer(1)],
  ['a list', encode([]), unreadable],
  ['no JSON', Buffer.from('{').toString('base64'), unreadable],
  ['no base64', '{"x402Version":2}', unreadable],
  ['an empty header', '', unreadable],
  ['the header twice', `${offeringX402()}, ${offeringX402()}`, unreadable],
]

const mpp: Case[] = [
  ['no header', undefined, none],
  ['other schemes', 'Bearer realm="Payment"', none],
  ['one challenge', offeringMpp(), { type: 'offers', offers: [byMpp] }],
  ['a method of another name', offeringMpp({}, 'evm'), { type: 'offers', offers: [byMpp] }],
  [
    'several challenges, beside another scheme',
    `Bearer, ${offeringMpp()}, ${offeringMpp({ amount: '1' })}`,
    { type: 'offers', offers: [byMpp, { ...byMpp, price: 1n }] },
  ],
  ['a card', offeringMpp({ methodDetails: { networkId: 'profile_1' } }, 'card'), noOffer],
  ['a transaction alone', offeringMpp({ methodDetails: { chainId: 8453, credentialTypes: ['transaction'] } }), noOffer],
  ['no means at all', offeringMpp({ methodDetails: { chainId: 8453 } }), noOffer],
  ['an amount in words', offeringMpp({ amount: 'ten' }), brokenChallenge],
  ['a currency that is no address', offeringMpp({ currency: 'usd' }), brokenChallenge],
  ['no recipient', offeringMpp({ recipient: undefined }), brokenChallenge],
  [
    'a chain in words',
    offeringMpp({ methodDetails: { chainId: 'base', credentialTypes: ['authorization'] } }),
    brokenChallenge,
  ],
  ['no end', offeringMpp().replace(/, expires=.*/, ''), brokenChallenge],
  ['a request that is no JSON', offeringMpp().replace(/request="[^"]*"/, 'request="AAAA"'), brokenChallenge],
  ['another intent', offeringMpp().replace('charge', 'session'), none],
  ['more than five', `${offeringMpp()}, `.repeat(6), { type: 'offers', offers: fiveOf(byMpp) }],
]

describe('the offers of x402', () => {
  for (const [what, header, read] of x402) it(what, () => assert.deepEqual(readX402Offers(header), read))

  it('of any text throw nothing', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json().map(encode)), (text) => void readX402Offers(text)))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (wish) => void readX402Offers(offeringX402(wish))),
    )
  })
})

describe('the offers of MPP', () => {
  for (const [what, header, read] of mpp) it(what, () => assert.deepEqual(readMppOffers(header), read))

  it('of any request throw nothing', () => {
    fc.assert(fc.property(fc.string(), (text) => void readMppOffers(text)))
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (wish) => void readMppOffers(offeringMpp(wish))))
  })
})
