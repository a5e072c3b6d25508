import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authorizationSchema, isSigned, nonceOf } from './chain-authorization.ts'
import type { Offer } from '#core/money/challenge-header.ts'
import { readCredential } from './mpp.ts'
import { costOf, describeOffer, pay, type Purse } from './wallet.ts'

const token = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const recipient = '0x00000000000000000000000000000000000000a1'
const card: Purse = { type: 'card', token: 'spt_1' }
const coins: Purse = { type: 'chain', key: `0x${'1'.repeat(64)}`, chainId: 8453, token, decimals: 6 }
const cardRequest = { amount: '50', currency: 'usd', externalId: 'e', methodDetails: { networkId: 'profile_1' } }
const chainRequest = {
  amount: '30000',
  currency: token,
  recipient,
  externalId: 'e',
  methodDetails: {
    chainId: 8453,
    credentialTypes: ['authorization'],
    decimals: 6,
    domain: { name: 'USD Coin', version: '2' },
  },
}
const { methodDetails: details } = chainRequest

function offerOf(request: Readonly<Record<string, unknown>>): Offer {
  const text = Buffer.from(JSON.stringify(request)).toString('base64url')
  const expires = '2026-11-21T12:05:00.000Z'
  const challenge = { id: 'id', realm: 'r', method: 'm', intent: 'charge' as const, request: text, expires }
  return { challenge, request }
}

describe('what an offer costs', () => {
  const cases: [what: string, request: Record<string, unknown>, purse: Purse, cents: number | null][] = [
    ['a card is charged', cardRequest, card, 50],
    ['a card in another currency is not ours', { ...cardRequest, currency: 'eur' }, card, null],
    ['a card pays no chain', chainRequest, card, null],
    ['a chain pays no card', cardRequest, coins, null],
    ['a token is sent', chainRequest, coins, 3],
    ['an address in lower case is the same', { ...chainRequest, currency: token.toLowerCase() }, coins, 3],
    ['a part of a cent is a whole one', { ...chainRequest, amount: '30001' }, coins, 4],
    ['another token is not ours', { ...chainRequest, currency: recipient }, coins, null],
    ['a receiver without an address is none', { ...chainRequest, recipient: 'shop' }, coins, null],
    ['another chain is not ours', { ...chainRequest, methodDetails: { ...details, chainId: 1 } }, coins, null],
    [
      'by the decimals that the payer knows, whatever the service says',
      { ...chainRequest, methodDetails: { ...details, decimals: 18 } },
      coins,
      3,
    ],
    [
      'another way of the chain is not ours',
      { ...chainRequest, methodDetails: { ...details, credentialTypes: ['hash'] } },
      coins,
      null,
    ],
    ['nothing that can be read', {}, coins, null],
  ]
  for (const [what, request, purse, cents] of cases)
    it(what, () => assert.equal(costOf(offerOf(request), purse), cents))

  it('is told to people', () => {
    assert.match(describeOffer(offerOf({ ...cardRequest, amount: '123456' })), /^\$1234\.56 by card: /)
    assert.equal(describeOffer(offerOf(cardRequest)), '$0.50 by card: a shared payment token for profile_1')
    assert.equal(
      describeOffer(offerOf(chainRequest)),
      `30000 units of USD Coin to ${recipient}: the token 8453:${token}:6`,
    )
    assert.equal(describeOffer(offerOf({})), 'm, which is not known here')
  })
})

describe('paying', () => {
  it('by card sends the token with the challenge as it came', async () => {
    const offer = offerOf(cardRequest)
    const read = readCredential((await pay(offer, card)).replace(/^Payment /, ''))
    assert.ok(read.type === 'one')
    assert.deepEqual(read.credential.payload, { spt: 'spt_1' })
    assert.equal(read.credential.challenge.requestText, offer.challenge.request)
  })

  it('by a chain signs for this challenge, this amount and no longer than the challenge lasts', async () => {
    const offer = offerOf(chainRequest)
    const read = readCredential((await pay(offer, coins)).replace(/^Payment /, ''))
    assert.ok(read.type === 'one')
    const payer = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
    assert.equal(read.credential.source, `did:pkh:eip155:8453:${payer}`)
    const { signature, ...authorization } = authorizationSchema.parse(read.credential.payload)
    assert.deepEqual(authorization, {
      type: 'authorization',
      from: payer,
      to: recipient,
      value: '30000',
      validAfter: '0',
      validBefore: String(Date.parse('2026-11-21T12:05:00Z') / 1000),
      nonce: await nonceOf(offer.challenge),
    })
    const ours = { address: token, name: 'USD Coin', version: '2', decimals: 6 } as const
    assert.ok(await isSigned({ ...authorization, signature }, ours, 8453))
    assert.ok(!(await isSigned({ ...authorization, signature }, ours, 1)))
  })
})
