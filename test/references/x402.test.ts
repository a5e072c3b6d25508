// A service that is paid by x402, as the real program on a chain of its own: the payer is the public client, unmodified.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import { parsePaymentRequired } from '@x402/core/schemas'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { Receipt } from 'mppx'
import { Mppx } from 'mppx/client'
import { evm } from 'mppx/evm/client'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { mpp, order } from '../support/chain-payment.ts'
import { chainEnvironment, noChain, startChain, type TestChain } from '../support/chain.ts'
import { sellerEnvironment } from '../support/payments.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { keptAuthorizationSchema } from '#payments/chain-authorization.ts'
import { createChainMethod } from '#payments/chain.ts'
import type { Attempt } from '#payments/method.ts'
import { formatOffer, readSignature, x402Name, x402RequestOf } from '#payments/x402.ts'
import type { Json } from '#store/database/schema.ts'

const ownerToken = `pgk_${'a1'.repeat(20)}`
const monitor = { name: 'Shop', url: 'http://127.0.0.1:9/', interval_seconds: 300, locations: ['l0'] }

describe('a service with a chain', { skip: noChain }, async () => {
  const chain = await startChain()
  const url = await startPaid(chain)
  const pay = payerOf(chain)
  const { recipient } = chain.options

  it('is paid by @x402/fetch for a monitor without an account', async () => {
    const had = await chain.balanceOf(recipient)
    const created = await pay(`${url}/monitors`, post(monitor, { 'idempotency-key': randomUUID() }))
    assert.equal(created.status, 201, await created.clone().text())
    const settled = decodePaymentResponseHeader(created.headers.get('payment-response') ?? '')
    assert.match(settled.transaction, /^0x[0-9a-f]{64}$/)
    assert.partialDeepStrictEqual(settled, { success: true, network: 'eip155:31337', payer: chain.payer.address })
    const { api_key: key = '' } = createdSchema.parse(await created.json())
    assert.equal(await creditOf(url, key), 0)
    assert.equal((await chain.balanceOf(recipient)) - had, 10_000n)
  })

  const tokens: [where: string, headers: Record<string, string>][] = [
    ['X-API-Key', { 'x-api-key': ownerToken }],
    ['Authorization, beside the payment', { authorization: `Bearer ${ownerToken}` }],
  ]
  for (const [where, headers] of tokens)
    it(`is paid by @x402/fetch for a monitor of a caller with a token in ${where}`, async () => {
      const had = await chain.balanceOf(recipient)
      const created = await pay(`${url}/monitors`, post({ ...monitor, name: where }, headers))
      assert.equal(created.status, 201, await created.clone().text())
      assert.equal(createdSchema.parse(await created.json()).api_key, undefined)
      assert.equal((await chain.balanceOf(recipient)) - had, 10_000n)
    })

  it('takes a payment once, however often it is sent, and answers it the same', async () => {
    const had = await chain.balanceOf(recipient)
    const sent: Request[] = []
    const spy: typeof fetch = (input, init) => {
      const request = new Request(input, init)
      sent.push(request.clone())
      return fetch(request)
    }
    const created = await payerOf(chain, spy)(`${url}/monitors`, post(monitor))
    assert.equal(created.status, 201)
    const { data } = createdSchema.parse(await created.json())
    const paying = sent.at(-1) ?? assert.fail()
    assert.ok(paying.headers.has('payment-signature'))
    const answers = await Promise.all(Array.from({ length: 4 }, () => fetch(paying.clone())))
    for (const answer of answers) {
      assert.equal(answer.status, 200)
      assert.equal(createdSchema.parse(await answer.json()).data.id, data.id)
      assert.equal(answer.headers.get('payment-response'), created.headers.get('payment-response'))
    }
    assert.equal((await chain.balanceOf(recipient)) - had, 10_000n)
  })

  it('makes an offer that the public schemas know, and is paid by mppx, which does not look at it', async () => {
    const asked = await fetch(`${url}/monitors`, post({ ...monitor, name: 'Other' }))
    const offer = decodePaymentRequiredHeader(asked.headers.get('payment-required') ?? '')
    assert.equal(parsePaymentRequired(offer).success, true)
    assert.equal(offer.resource?.url, `${url}/monitors`)
    const had = await chain.balanceOf(recipient)
    const paid = await mppWalletOf(chain)(`${url}/monitors`, post({ ...monitor, name: 'Other' }))
    assert.equal(paid.status, 201)
    assert.equal(Receipt.fromResponse(paid).method, 'evm')
    assert.equal(paid.headers.get('payment-response'), null)
    assert.equal((await chain.balanceOf(recipient)) - had, 10_000n)
  })

  it('is not paid by a client whose limit is lower', async () => {
    const frugal = x402ClientOf(chain, { allowedAssets: [{ ...assetOf(chain), maxAmountPerPayment: '9999' }] })
    await assert.rejects(wrapFetchWithPayment(fetch, frugal)(`${url}/monitors`, post(monitor)), /spendControls/)
  })

  for (const [where, headers] of tokens)
    it(`is paid by @x402/fetch for credit of a caller with a token in ${where}`, async () => {
      const [had, credit] = [await chain.balanceOf(recipient), await creditOf(url, ownerToken)]
      const topped = await pay(`${url}/credits`, post({ amount_cents: 75 }, headers))
      assert.equal(topped.status, 200, await topped.clone().text())
      assert.equal(await creditOf(url, ownerToken), credit + 75)
      assert.equal((await chain.balanceOf(recipient)) - had, 750_000n)
    })

  it('says why a payment is refused, with an offer to go on', async () => {
    const stranger = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`)
    const poor = x402ClientOf(chain, undefined, stranger)
    const refused = await wrapFetchWithPayment(fetch, poor)(`${url}/monitors`, post(monitor))
    assert.equal(refused.status, 402)
    const settled = decodePaymentResponseHeader(refused.headers.get('payment-response') ?? '')
    assert.partialDeepStrictEqual(settled, { success: false, transaction: '', payer: stranger.address })
    assert.match(settled.errorMessage ?? '', /ERC20InsufficientBalance/)
    assert.match(
      decodePaymentRequiredHeader(refused.headers.get('payment-required') ?? '').error ?? '',
      /ERC20InsufficientBalance/,
    )
  })
})

describe('an authorization whose nonce its payer chose', { skip: noChain }, async () => {
  const chain = await startChain()

  it('is settled once, by its transfer', async () => {
    const { settle } = await x402Attempt(chain)
    const had = await chain.balanceOf(chain.options.recipient)
    const first = await settle()
    assert.equal(first.type, 'settled')
    assert.deepEqual(await settle(), first)
    assert.equal((await chain.balanceOf(chain.options.recipient)) - had, 30_000n)
  })

  it('is declined where it was spent before it was sent here: it may have paid another service', async () => {
    const { settle, authorization } = await x402Attempt(chain)
    await chain.submit(authorization)
    assert.deepEqual(await settle(), {
      type: 'declined',
      reason: 'The authorization was used before it was sent here, so it pays for something else.',
    })
  })

  it('is settled where somebody else submitted it after that, since the money came', async () => {
    const { settle, authorization, keep } = await x402Attempt(chain)
    let kept = 0
    const keepFirst = async (notes: Json): Promise<void> => {
      if (kept++ > 0) throw new Error('no database')
      await keep(notes)
    }
    assert.equal((await settle(keepFirst)).type, 'unknown')
    const hash = await chain.submit(authorization)
    const settlement = await settle()
    assert.match(settlement.type === 'settled' ? settlement.reference : settlement.reason, new RegExp(`^${hash}:\\d+$`))
  })
})

const createdSchema = z.object({ data: z.object({ id: z.uuid() }), api_key: z.string().optional() })
const accountSchema = z.object({ data: z.object({ credit_cents: z.int() }) })

async function startPaid(chain: TestChain): Promise<string> {
  const service = serviceFolder().start({
    ...sellerEnvironment,
    PERIGEE_PAYMENTS: 'live',
    ...chainEnvironment(chain),
    PERIGEE_CHAIN_WIRE_NAME: 'evm',
    PERIGEE_OWNER_TOKEN: ownerToken,
    PERIGEE_OWNER_PLAN: 'pay_as_you_go',
    PERIGEE_LOCATIONS: 'l0=l0',
    PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
  })
  const [, root = ''] = await service.printed(/Perigee is at (http:\/\/[^\s]+)/)
  return `${root}/api/v1`
}

type SpendControls = Parameters<x402Client['setSpendControls']>[0]

/** The token is one of a test, which the client knows by no default. */
function assetOf(chain: TestChain) {
  return { network: 'eip155:31337', asset: chain.options.token.address } as const
}

function x402ClientOf(
  chain: TestChain,
  controls: SpendControls = { allowedAssets: [assetOf(chain)] },
  payer: TestChain['payer'] = chain.payer,
): x402Client {
  return new x402Client().register('eip155:31337', new ExactEvmScheme(payer)).setSpendControls(controls)
}

function payerOf(chain: TestChain, fetching: typeof fetch = fetch) {
  return wrapFetchWithPayment(fetching, x402ClientOf(chain))
}

function mppWalletOf(chain: TestChain): typeof fetch {
  const { token, chainId } = chain.options
  const coins = evm.charge({
    account: chain.payer,
    authorization: { name: token.name, version: token.version },
    networks: [chainId],
    currencies: [token.address],
    decimals: token.decimals,
    maxAmount: '1',
  })
  return Mppx.create({ methods: [coins], polyfill: false }).fetch
}

function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

async function creditOf(url: string, token: string): Promise<number> {
  const account = await fetch(`${url}/account`, { headers: { 'x-api-key': token } })
  return accountSchema.parse(await account.json()).data.credit_cents
}

/** What the public client pays for the order, as an attempt whose notes are kept as the database keeps them. */
async function x402Attempt(chain: TestChain) {
  const method = createChainMethod(chain.options, () => new Date())
  const request = x402RequestOf(method.offer(order)?.request ?? {}) ?? assert.fail()
  const challenge = mpp.createChallenge({ method: x402Name, request, nonce: randomUUID(), at: new Date() })
  const texts = { resource: 'http://perigee.test/', description: order.description, error: 'Pay first' }
  const offer = decodePaymentRequiredHeader(formatOffer(challenge, texts))
  const sent = encodePaymentSignatureHeader(await x402ClientOf(chain).createPaymentPayload(offer))
  const read = readSignature(sent, 'perigee.test')
  assert.ok(read.type === 'one')
  assert.ok(mpp.isOurs(read.credential.challenge))
  const verified = await method.verify(read.credential, order)
  assert.ok(verified.ok)
  const attempt: Attempt = {
    id: randomUUID(),
    amountCents: verified.amountCents,
    externalId: order.externalId,
    description: order.description,
    payload: verified.payload,
    notes: {},
    request,
    challengeId: challenge.id,
  }
  async function keep(notes: Json): Promise<void> {
    await Promise.resolve()
    attempt.notes = structuredClone(notes)
  }
  return {
    keep,
    authorization: keptAuthorizationSchema.parse(verified.payload),
    settle: (keeping = keep) => method.settle({ ...attempt }, keeping),
  }
}
