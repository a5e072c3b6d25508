import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  atomsOf,
  authorizationSchema,
  centsOf,
  isSigned,
  nonceOf,
  proofOf,
  signAuthorization,
  type Token,
} from './chain-authorization.ts'

const token: Token = {
  address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  name: 'USD Coin',
  version: '2',
  decimals: 6,
}
const wish = {
  to: '0x00000000000000000000000000000000000000a1',
  value: '30000',
  validAfter: '0',
  validBefore: '1800000000',
  nonce: `0x${'ab'.repeat(32)}`,
} as const
const signed = await signAuthorization(wish, { key: `0x${'1'.repeat(64)}`, token, chainId: 8453 })

describe('an authorization', () => {
  it('is signed for its token on its chain', async () => {
    assert.equal(await isSigned(signed, token, 8453), true)
    assert.equal(await isSigned(signed, token, 8454), false)
    assert.equal(await isSigned(signed, { ...token, version: '1' }, 8453), false)
  })

  it('is signed by the same text each time', async () =>
    assert.deepEqual(await signAuthorization(wish, { key: `0x${'1'.repeat(64)}`, token, chainId: 8453 }), signed))

  it('is not signed for another payer or sum', async () => {
    assert.equal(await isSigned({ ...signed, from: wish.to }, token, 8453), false)
    assert.equal(await isSigned({ ...signed, value: '30001' }, token, 8453), false)
  })

  it('is not signed by a text that only has the form of a signature', async () => {
    assert.equal(await isSigned({ ...signed, signature: `0x${'f'.repeat(130)}` }, token, 8453), false)
    assert.equal(await isSigned({ ...signed, signature: `0x${'0'.repeat(130)}` }, token, 8453), false)
  })

  it('has one proof for each of its spellings, and another for another nonce or chain', () => {
    const proof = proofOf(signed, token, 8453)
    const loud = { ...signed, nonce: `0x${'AB'.repeat(32)}` } as const
    assert.deepEqual(proofOf(loud, token, 8453), proof)
    assert.notDeepEqual(proofOf({ ...signed, nonce: `0x${'ac'.repeat(32)}` }, token, 8453), proof)
    assert.notDeepEqual(proofOf(signed, token, 8454), proof)
  })

  it('has addresses of 20 bytes, a nonce of 32 and a signature of 65', () => {
    assert.equal(authorizationSchema.safeParse(signed).success, true)
    for (const field of ['from', 'to', 'nonce', 'signature'] as const)
      for (const value of [`${signed[field]}0`, signed[field].slice(0, -1)])
        assert.equal(authorizationSchema.safeParse({ ...signed, [field]: value }).success, false, field)
  })

  it('has the nonce of one challenge', async () => {
    const nonce = await nonceOf({ id: 'id', realm: 'r' })
    assert.match(nonce, /^0x[0-9a-f]{64}$/)
    assert.notEqual(await nonceOf({ id: 'id', realm: 's' }), nonce)
  })
})

describe('a cent', () => {
  it('is a hundredth of a token, and a part of a cent is none', () => {
    assert.equal(atomsOf(3, token), 30_000n)
    assert.equal(centsOf(30_000n, token), 3)
    assert.equal(centsOf(39_999n, token), 3)
    assert.equal(atomsOf(3, { decimals: 18 }), 30_000_000_000_000_000n)
  })
})
