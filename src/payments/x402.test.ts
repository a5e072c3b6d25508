import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type X402Offer, offerSchema, x402Answer } from '../../test/support/x402-client.ts'
import { decodeJson } from '#core/language/base64-json.ts'
import { type Authorization, type Hex, proofOf, signAuthorization } from './chain-authorization.ts'
import { type ChainOptions, createChainMethod } from './chain.ts'
import type { Credential, Verified } from './method.ts'
import { createMpp } from './mpp.ts'
import { formatOffer, formatSettlement, payerOf, readSignature, x402KindOf, x402Name, x402RequestOf } from './x402.ts'

const options: ChainOptions = {
  wireName: 'chain',
  rpcUrl: 'http://127.0.0.1:1',
  chainId: 8453,
  isTestnet: false,
  token: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', name: 'USD Coin', version: '2', decimals: 6 },
  recipient: '0x00000000000000000000000000000000000000a1',
  relayerKey: `0x${'1'.repeat(64)}`,
  minimumCents: 1,
  confirmations: 1,
}
const at = new Date('2026-11-21T12:00:00.000Z')
const nowSeconds = at.getTime() / 1000
const order = { amountCents: 3, externalId: 'order-1', description: '3 locations, 30 days' }
const realm = 'perigee.test'
const mpp = createMpp({ realm, secrets: () => ['a secret of thirty-two letters and more'] })
const method = createChainMethod(options, () => at)
const request = x402RequestOf(method.offer(order)?.request ?? {}) ?? assert.fail()
const challenge = mpp.createChallenge({ method: x402Name, request, nonce: 'n1', at, isForAccount: true })
const texts = { resource: 'https://perigee.test/api/v1/monitors', description: order.description, error: 'Pay first' }
const header = formatOffer(challenge, texts)
const offer: X402Offer = offerSchema.parse(JSON.parse(Buffer.from(header, 'base64').toString()))

const payerKey: Hex = `0x${'2'.repeat(64)}`

async function sign(changes: Partial<Omit<Authorization, 'type' | 'from' | 'signature'>> = {}) {
  const wish = {
    to: options.recipient,
    value: '30000',
    validAfter: '0',
    validBefore: String(nowSeconds + 300),
    nonce: `0x${'ab'.repeat(32)}` as const,
    ...changes,
  }
  const { type, signature, ...authorization } = await signAuthorization(wish, { key: payerKey, ...options })
  assert.equal(type, 'authorization')
  return { signature, authorization }
}

function verify(payload: unknown): Promise<Verified> {
  return method.verify(readOne(x402Answer(offer, payload)), order)
}

function readOne(text: string): Credential {
  const read = readSignature(text, realm)
  assert.ok(read.type === 'one')
  return read.credential
}

describe('an offer of x402', () => {
  it('says what the specification asks for, and carries the challenge', () => {
    const { id, expires, opaque } = challenge
    assert.deepEqual(offer, {
      x402Version: 2,
      error: 'Pay first',
      resource: { url: texts.resource, description: '3 locations, 30 days', mimeType: 'application/json' },
      accepts: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '30000',
          asset: options.token.address,
          payTo: options.recipient,
          maxTimeoutSeconds: 300,
          extra: {
            name: 'USD Coin',
            version: '2',
            assetTransferMethod: 'eip3009',
            challenge: { id, expires, opaque, externalId: 'order-1' },
          },
        },
      ],
      extensions: {},
    })
  })

  it('is in base64 without the letters of base64url, as its clients want it', () => {
    const description = '\u{10FFFF}~~~???'.repeat(4)
    const value = formatOffer(challenge, { ...texts, description })
    assert.match(value, /^[A-Za-z0-9+/]*={0,2}$/)
    const read = offerSchema.parse(JSON.parse(Buffer.from(value, 'base64').toString()))
    assert.equal(read.resource.description, description)
  })

  it('is made for a chain alone', () => {
    const card = { amount: '50', currency: 'usd', externalId: 'order-1', methodDetails: { networkId: 'profile' } }
    assert.equal(x402RequestOf(card), null)
    assert.equal(x402KindOf(card), null)
    assert.deepEqual(x402KindOf(request), { scheme: 'exact', network: 'eip155:8453' })
  })
})

describe('a payment by x402', async () => {
  const payload = await sign()

  it('is read as the answer to its challenge, which is ours', () => {
    const { challenge: read, payload: sent } = readOne(x402Answer(offer, payload))
    assert.deepEqual(read, challenge)
    assert.deepEqual(sent, payload)
    assert.equal(mpp.isOurs(read), true)
    assert.equal(mpp.isForAccount(read), true)
  })

  const [accepted] = offer.accepts
  const named = (name: string) => ({ ...accepted.extra, name })
  /** Spaces fill the JSON up; of three bytes base64 makes four characters. */
  const padded = (characters: number): string => {
    const json = Buffer.from(x402Answer(offer, payload), 'base64').toString()
    return Buffer.from(json.padEnd((characters / 4) * 3)).toString('base64')
  }
  const changes: [what: string, changed: object][] = [
    ['another amount', { amount: '10000' }],
    ['another payee', { payTo: '0x00000000000000000000000000000000000000b2' }],
    ['another token', { asset: options.recipient }],
    ['another chain', { network: 'eip155:1' }],
    ['another name of the token', { extra: { ...accepted.extra, name: 'Other Coin' } }],
    ['another request', { extra: { ...accepted.extra, challenge: { ...challenge, externalId: 'order-2' } } }],
    [
      'a later end',
      {
        extra: {
          ...accepted.extra,
          challenge: { ...challenge, externalId: 'order-1', expires: '2036-11-21T12:00:00.000Z' },
        },
      },
    ],
    [
      'no caller',
      { extra: { ...accepted.extra, challenge: { ...challenge, externalId: 'order-1', opaque: undefined } } },
    ],
  ]
  for (const [what, changed] of changes)
    it(`that says ${what} answers no challenge of ours`, () => {
      assert.equal(mpp.isOurs(readOne(x402Answer(offer, payload, changed)).challenge), false)
    })

  const malformed: [what: string, text: string][] = [
    ['nothing', ''],
    ['no base64', '{"x402Version":2}'],
    ['no JSON', Buffer.from('x402').toString('base64')],
    ['version 1', Buffer.from(JSON.stringify({ x402Version: 1, scheme: 'exact', payload })).toString('base64')],
    ['another scheme', x402Answer(offer, payload, { scheme: 'upto' })],
    ['a network of another kind', x402Answer(offer, payload, { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' })],
    ['an offer without its challenge', x402Answer(offer, payload, { extra: { name: 'USD Coin', version: '2' } })],
    ['a payload that is a text', x402Answer(offer, 'paid')],
    ['a name beyond 1,000 characters', x402Answer(offer, payload, { extra: named('x'.repeat(1001)) })],
    ['more than 16 KiB', padded(16 * 1024 + 4)],
    ['JSON that is too deep', Buffer.from('['.repeat(5000) + ']'.repeat(5000)).toString('base64')],
  ]
  for (const [what, text] of malformed)
    it(`cannot be read where it is ${what}`, () => assert.deepEqual(readSignature(text, realm), { type: 'malformed' }))

  it('is read up to 16 KiB, with names of up to 1,000 characters', () => {
    assert.equal(mpp.isOurs(readOne(padded(16 * 1024)).challenge), true)
    assert.equal(readSignature(x402Answer(offer, payload, { extra: named('x'.repeat(1000)) }), realm).type, 'one')
  })

  it('of any text throws nothing', () => {
    const members = fc.dictionary(fc.constantFrom('x402Version', 'accepted', 'payload', 'resource'), fc.anything())
    const encoded = fc.oneof(
      fc.json(),
      members.map((given) => JSON.stringify({ x402Version: 2, ...given })),
    )
    const text = fc.oneof(
      fc.string(),
      encoded.map((each) => Buffer.from(each).toString('base64')),
    )
    fc.assert(
      fc.property(text, (each) => {
        assert.match(readSignature(each, realm).type, /^(?:malformed|one)$/)
      }),
    )
  })
})

describe('a chain that is paid by x402', () => {
  it('takes an authorization with any nonce, which is its proof', async () => {
    for (const nonce of [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(32)}`] as const) {
      const { signature, authorization } = await sign({ nonce })
      const verified = await verify({ signature, authorization })
      const kept = { type: 'authorization', signature, ...authorization } as const
      const proofHash = proofOf(kept, options.token, options.chainId)
      assert.deepEqual(verified, { ok: true, amountCents: 3, proofHash, payload: { ...kept, isNonceChosen: true } })
    }
  })

  const refusals: [what: string, changes: Parameters<typeof sign>[0], problem: RegExp][] = [
    ['to another account', { to: '0x00000000000000000000000000000000000000b2' }, /another recipient/],
    ['of less', { value: '29999' }, /another amount/],
    ['of more', { value: '30001' }, /another amount/],
    ['that begins later', { validAfter: String(nowSeconds + 60) }, /not valid yet/],
    ['that ends in a moment', { validBefore: String(nowSeconds + 14) }, /ends too soon/],
    ['that lasts for hours', { validBefore: String(nowSeconds + 3700) }, /within an hour/],
  ]
  for (const [what, changed, problem] of refusals)
    it(`refuses one ${what}`, async () => {
      const verified = await verify(await sign(changed))
      assert.ok(!verified.ok)
      assert.equal(verified.problem, 'verification-failed')
      assert.match(verified.message, problem)
    })

  it('refuses one that its payer has not signed', async () => {
    const { signature, authorization } = await sign()
    const verified = await verify({ signature, authorization: { ...authorization, from: options.recipient } })
    assert.match(verified.ok ? '' : verified.message, /signature/)
  })

  it('refuses payloads of other kinds, and the flat one of Authorization: Payment', async () => {
    const { signature, authorization } = await sign()
    for (const payload of [
      {},
      { signature },
      { type: 'authorization', signature, ...authorization },
      { signature: `${signature}00`, authorization },
      { signature, permit2Authorization: {} },
    ]) {
      const verified = await verify(payload)
      assert.equal(verified.ok ? null : verified.problem, 'invalid-payload')
    }
  })
})

describe('what became of a payment by x402', async () => {
  const payload = await sign()
  const credential = readOne(x402Answer(offer, payload))

  it('names the transaction, the chain and the payer', () => {
    const known = { success: true, network: 'eip155:8453', payer: payload.authorization.from }
    for (const reference of ['0xfeed', '0xfeed:7'])
      assert.deepEqual(decodeJson(formatSettlement(credential, { type: 'paid', reference })), {
        ...known,
        transaction: '0xfeed',
      })
  })

  it('names why it was refused, and no payer where the payload names none', () => {
    const end = { type: 'refused', reason: 'verification_failed', message: 'No.' } as const
    assert.deepEqual(decodeJson(formatSettlement({ ...credential, payload: {} }, end)), {
      success: false,
      errorReason: 'verification_failed',
      errorMessage: 'No.',
      transaction: '',
      network: 'eip155:8453',
    })
    assert.equal(payerOf(credential), payload.authorization.from)
  })
})
