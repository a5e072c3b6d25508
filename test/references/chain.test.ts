import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Mppx } from 'mppx/client'
import { evm } from 'mppx/evm/client'
import { mpp, order, wishOf } from '../support/chain-payment.ts'
import { noChain, startChain } from '../support/chain.ts'
import type { Authorization } from '#payments/chain-authorization.ts'
import { type ChainOptions, createChainMethod } from '#payments/chain.ts'
import { formatChallenges, readCredential } from '#payments/mpp.ts'

describe('what the chain is offered for', { skip: noChain }, () => {
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
  const cases: [what: string, minimumCents: number, decimals: number, amountCents: number, atoms: string | null][] = [
    ['a cent of six decimals', 1, 6, 1, '10000'],
    ['a cent of eighteen decimals', 1, 18, 1, '10000000000000000'],
    ['a cent of two decimals', 1, 2, 1, '1'],
    ['less than the minimum is raised to it', 25, 6, 24, '250000'],
    ['the minimum', 25, 6, 25, '250000'],
    ['more than the minimum', 25, 6, 26, '260000'],
    ['a million dollars less a cent', 1, 6, 99_999_999, '999999990000'],
    ['more than that is not offered', 1, 6, 100_000_000, null],
  ]
  for (const [what, minimumCents, decimals, amountCents, atoms] of cases)
    it(what, () => {
      const token = { ...options.token, decimals }
      const offer = createChainMethod({ ...options, minimumCents, token }, () => new Date()).offer({
        ...order,
        amountCents,
      })
      assert.equal(offer?.request['amount'] ?? null, atoms)
      if (atoms !== null) assert.equal(offer?.amountCents, Math.max(minimumCents, amountCents))
    })

  it('says in the words of the draft what is wanted', () => {
    assert.deepEqual(createChainMethod(options, () => new Date()).offer(order)?.request, {
      amount: '30000',
      currency: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      recipient: '0x00000000000000000000000000000000000000a1',
      externalId: 'order-1',
      methodDetails: {
        chainId: 8453,
        credentialTypes: ['authorization'],
        decimals: 6,
        domain: { name: 'USD Coin', version: '2' },
      },
    })
  })
})

describe('an authorization', { skip: noChain }, async () => {
  const chain = await startChain()

  it('of the public client is good', async () => {
    const { method, challenge } = wishOf(chain, 'evm')
    const { token } = chain.options
    const payer = evm.charge({
      account: chain.payer,
      authorization: { name: token.name, version: token.version },
      networks: [chain.options.chainId],
      currencies: [token.address],
      decimals: token.decimals,
      maxAmount: '0.03',
    })
    const headers = { 'www-authenticate': formatChallenges([challenge], order.description) }
    const client = Mppx.create({ methods: [payer], polyfill: false })
    const sent = await client.createCredential(new Response(null, { status: 402, headers }))
    const read = readCredential(sent.replace(/^Payment /, ''))
    assert.equal(read.type, 'one')
    if (read.type !== 'one') return
    assert.ok(mpp.isOurs(read.credential.challenge))
    const verified = await method.verify(read.credential, order)
    assert.deepEqual(verified.ok ? verified.amountCents : verified.message, 3)
  })

  const refusals: [what: string, changes: (now: number) => Partial<Authorization>, problem: RegExp][] = [
    ['to somebody else', () => ({ to: '0x00000000000000000000000000000000000000b2' }), /another recipient/],
    ['of less', () => ({ value: '29999' }), /another amount/],
    ['of more', () => ({ value: '30001' }), /another amount/],
    ['of another challenge', () => ({ nonce: `0x${'ab'.repeat(32)}` }), /nonce/],
    ['that begins later', (now) => ({ validAfter: String(now + 60) }), /not valid yet/],
    ['that ends in a moment', (now) => ({ validBefore: String(now + 14) }), /ends too soon/],
    ['that has ended', (now) => ({ validBefore: String(now) }), /ends too soon/],
    ['that lasts for hours', (now) => ({ validBefore: String(now + 3700) }), /within an hour/],
    ['of whom it is not signed by', () => ({ from: '0x00000000000000000000000000000000000000c3' }), /signature/],
    ['with a signature of something else', () => ({ signature: `0x${'11'.repeat(65)}` }), /signature/],
    ['with numbers for a signature', () => ({ signature: `0x${'ff'.repeat(65)}` }), /signature/],
  ]
  for (const [what, changes, problem] of refusals)
    it(`${what} is refused`, async () => {
      const { method, challenge } = wishOf(chain)
      const payload = await chain.authorize(challenge, changes(Math.floor(Date.now() / 1000)))
      const verified = await method.verify({ challenge, payload }, order)
      assert.ok(!verified.ok)
      assert.equal(verified.problem, 'verification-failed')
      assert.match(verified.message, problem)
    })

  it('of somebody else than the source of the credential is refused', async () => {
    const { method, challenge } = wishOf(chain)
    const payload = await chain.authorize(challenge)
    const good = { challenge, payload, source: `did:pkh:eip155:31337:${chain.payer.address.toLowerCase()}` }
    assert.ok((await method.verify(good, order)).ok)
    const other = { ...good, source: `did:pkh:eip155:1:${chain.payer.address}` }
    assert.ok(!(await method.verify(other, order)).ok)
  })

  it('for a recipient, a token or a chain that is no longer ours is refused', async () => {
    const { challenge } = wishOf(chain)
    const payload = await chain.authorize(challenge)
    const other = '0x00000000000000000000000000000000000000d4'
    const { options } = chain
    for (const changed of [
      { recipient: other },
      { token: { ...options.token, address: other } },
      { chainId: 1 },
    ] as const) {
      const method = createChainMethod({ ...options, ...changed }, () => new Date())
      const verified = await method.verify({ challenge, payload }, order)
      assert.match(verified.ok ? '' : verified.message, /no longer ours/)
    }
  })

  it('for another order is refused', async () => {
    const { method, challenge } = wishOf(chain)
    const payload = await chain.authorize(challenge)
    assert.ok(!(await method.verify({ challenge, payload }, { ...order, externalId: 'order-2' })).ok)
  })

  it('is the same proof in whatever case it is written', async () => {
    const { method, challenge } = wishOf(chain)
    const payload = await chain.authorize(challenge)
    const from = `0x${payload.from.slice(2).toLowerCase()}` as const
    const one = await method.verify({ challenge, payload }, order)
    const other = await method.verify({ challenge, payload: { ...payload, from } }, order)
    assert.ok(one.ok && other.ok && one.proofHash !== null)
    assert.deepEqual(one.proofHash, other.proofHash)
  })

  it('of any shape throws nothing', async () => {
    const { method, challenge } = wishOf(chain)
    const good = await chain.authorize(challenge)
    const members = fc.dictionary(fc.constantFrom(...Object.keys(good)), fc.oneof(fc.string(), fc.anything()))
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.anything(), members), async (given) => {
        const payload: unknown = typeof given === 'object' && given !== null ? { ...good, ...given } : given
        assert.equal(typeof (await method.verify({ challenge, payload }, order)).ok, 'boolean')
      }),
    )
  })
})
