import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { startStripe, type StripeServer } from '../../test/support/stripe-server.ts'
import { until } from '../../test/support/until.ts'
import { createCardMethod } from './card.ts'
import type { Attempt, Challenge, Credential, Order, PaymentMethod } from './method.ts'
import type { Json } from '#store/database/schema.ts'

const start = new Date('2026-11-21T12:00:00Z')
const order: Order = { amountCents: 1, externalId: 'order-1', description: '1 location, 30 days' }

describe('what the card is offered for', async () => {
  const { method } = await shop()
  const cases: [what: string, amountCents: number, offered: number | null][] = [
    ['a cent is raised to the least that Stripe takes', 1, 50],
    ['49 cents too', 49, 50],
    ['50 cents are 50 cents', 50, 50],
    ['51 cents are 51 cents', 51, 51],
    ['the most that Stripe takes', 99_999_999, 99_999_999],
    ['more is not offered', 100_000_000, null],
  ]
  for (const [what, amountCents, offered] of cases)
    it(what, () => {
      const offer = method.offer({ ...order, amountCents })
      assert.equal(offer?.amountCents ?? null, offered)
      if (offered !== null) assert.equal(offer?.request['amount'], String(offered))
    })

  it('says in the words of the draft what is wanted', () => {
    assert.deepEqual(method.offer(order)?.request, {
      amount: '50',
      currency: 'usd',
      externalId: 'order-1',
      methodDetails: { networkId: 'profile_test_perigee', paymentMethodTypes: ['card'] },
    })
  })
})

describe('a credential', async () => {
  const { method } = await shop()
  const request = method.offer(order)?.request ?? {}

  it('with a token is good, and brings what its challenge asked for', async () => {
    const verified = await method.verify(credentialOf(request, { spt: 'spt_abc' }), order)
    assert.ok(verified.ok)
    assert.equal(verified.amountCents, 50)
    assert.deepEqual(verified.payload, { spt: 'spt_abc' })
  })

  it('proves by its token alone, so another challenge with the same token is the same proof', async () => {
    const one = await method.verify(credentialOf(request, { spt: 'spt_abc' }), order)
    const other = await method.verify(credentialOf(request, { spt: 'spt_abc', externalId: 'order-1' }), order)
    const third = await method.verify(credentialOf(request, { spt: 'spt_abd' }), order)
    assert.ok(one.ok && other.ok && third.ok)
    assert.deepEqual(one.proofHash, other.proofHash)
    assert.notDeepEqual(one.proofHash, third.proofHash)
  })

  const refusals: [what: string, credential: Credential, problem: string][] = [
    ['without a token', credentialOf(request, {}), 'invalid-payload'],
    ['with something else than a token', credentialOf(request, { spt: 'tok_visa' }), 'invalid-payload'],
    ['with a payload that is no object', credentialOf(request, 'spt_abc'), 'invalid-payload'],
    [
      'of another order by its payload',
      credentialOf(request, { spt: 'spt_a', externalId: 'x' }),
      'verification-failed',
    ],
    [
      'of another order by its challenge',
      credentialOf({ ...request, externalId: 'order-2' }, { spt: 'spt_a' }),
      'verification-failed',
    ],
    [
      'for a profile that is no longer ours',
      credentialOf({ ...request, methodDetails: { networkId: 'profile_old' } }, { spt: 'spt_a' }),
      'verification-failed',
    ],
    ['in another currency', credentialOf({ ...request, currency: 'eur' }, { spt: 'spt_a' }), 'verification-failed'],
  ]
  for (const [what, credential, problem] of refusals)
    it(`${what} is refused`, async () => {
      const verified = await method.verify(credential, order)
      assert.ok(!verified.ok)
      assert.equal(verified.problem, problem)
    })

  it('of any shape throws nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.dictionary(fc.string(), fc.anything()), async (payload, changes) => {
        const verified = await method.verify(credentialOf({ ...request, ...changes }, payload), order)
        assert.equal(typeof verified.ok, 'boolean')
      }),
    )
  })
})

describe('a card is charged', () => {
  it('once, with the key of the attempt, and says what was paid', async () => {
    const { stripe, pay } = await shop()
    const spt = stripe.grant()
    const { attempt, settle } = pay(spt)
    const settlement = await settle()
    const [intent] = stripe.intents()
    assert.deepEqual(settlement, { type: 'settled', reference: intent?.id, livemode: false })
    assert.equal(stripe.chargedCents(), 50)
    const [request] = stripe.requests
    assert.equal(request?.headers['idempotency-key'], attempt.id)
    assert.deepEqual(request?.form, {
      amount: '50',
      currency: 'usd',
      confirm: 'true',
      automatic_payment_methods: { enabled: 'true', allow_redirects: 'never' },
      payment_method_data: { shared_payment_granted_token: spt },
      description: order.description,
      metadata: { perigee_attempt: attempt.id, external_id: order.externalId },
    })
  })

  it('once, however often it is asked', async () => {
    const { stripe, pay } = await shop()
    const { settle } = pay(stripe.grant())
    const first = await settle()
    assert.deepEqual(await Promise.all([settle(), settle(), settle()]), [first, first, first])
    assert.equal(stripe.chargedCents(), 50)
  })

  it('for real where the account is', async () => {
    const { stripe, pay } = await shop({ livemode: true })
    const settlement = await pay(stripe.grant()).settle()
    assert.equal(settlement.type === 'settled' && settlement.livemode, true)
  })

  it('only after the time was noted, from which on Stripe knows the key', async () => {
    const { stripe, pay } = await shop()
    const { settle } = pay(stripe.grant())
    const settlement = await settle(() => Promise.reject(new Error('the database is away')))
    assert.deepEqual(settlement, { type: 'unknown', reason: 'the database is away' })
    assert.equal(stripe.requests.length, 0)
  })
})

describe('a decline is told in words', () => {
  const cases: [what: string, token: Parameters<StripeServer['grant']>[0], reason: RegExp][] = [
    ['of a card', { paymentMethod: 'pm_card_visa_chargeDeclined' }, /Your card was declined/],
    ['of an empty account', { paymentMethod: 'pm_card_visa_chargeDeclinedInsufficientFunds' }, /insufficient funds/],
    ['of a bank that wants to see the buyer', { paymentMethod: 'pm_card_authenticationRequired' }, /3-D Secure/],
    ['of a token that was revoked', { isRevoked: true }, /revoked/],
    ['of a token that has expired', { expiresAt: new Date(0) }, /expired/],
    ['of a token for less', { maxAmount: 49 }, /exceeds the limit/],
    ['of a token in another currency', { currency: 'eur' }, /currency/],
  ]
  for (const [what, token, reason] of cases)
    it(what, async () => {
      const { stripe, pay } = await shop()
      const { settle } = pay(stripe.grant(token))
      const settlement = await settle()
      assert.equal(settlement.type, 'declined')
      assert.match(settlement.type === 'declined' ? settlement.reason : '', reason)
      assert.deepEqual(await settle(), settlement)
      assert.equal(stripe.chargedCents(), 0)
      assert.ok(stripe.intents().every(({ status }) => status !== 'requires_action'))
    })

  it('of a token that paid another attempt', async () => {
    const { stripe, pay } = await shop()
    const spt = stripe.grant()
    await pay(spt).settle()
    const settlement = await pay(spt).settle()
    assert.equal(settlement.type, 'declined')
    assert.equal(stripe.chargedCents(), 50)
  })

  it('without the token, which stays secret', async () => {
    const { pay } = await shop()
    const settlement = await pay('spt_nobody_granted').settle()
    assert.equal(settlement.type, 'declined')
    assert.doesNotMatch(JSON.stringify(settlement), /nobody/)
  })
})

describe('an outcome that is not known', () => {
  it('is looked for again with the same key: the connection broke after the charge', async () => {
    const { stripe, pay } = await shop()
    const { settle } = pay(stripe.grant())
    stripe.meet('drop-after-charge', 'drop-before-charge', 'drop-before-charge')
    assert.equal((await settle()).type, 'unknown')
    assert.equal((await settle()).type, 'settled')
    assert.equal(stripe.chargedCents(), 50)
  })

  for (const trouble of ['rate-limit', 'drop-before-charge'] as const)
    it(`is charged later: ${trouble}`, async () => {
      const { stripe, pay } = await shop()
      const { settle } = pay(stripe.grant())
      stripe.meet(trouble, trouble, trouble, trouble)
      assert.equal((await settle()).type, 'unknown')
      assert.equal(stripe.chargedCents(), 0)
      stripe.meet()
      assert.equal((await settle()).type, 'settled')
    })

  it('is settled by a search where Stripe keeps answering its own error: the charge was made', async () => {
    const { stripe, pay, clock } = await shop()
    const { settle } = pay(stripe.grant())
    stripe.meet('server-error-after-charge')
    assert.equal((await settle()).type, 'unknown')
    clock.pass(59_999)
    assert.equal((await settle()).type, 'unknown')
    clock.pass(1)
    assert.deepEqual(await settle(), { type: 'settled', reference: stripe.intents()[0]?.id, livemode: false })
    assert.equal(stripe.chargedCents(), 50)
  })

  it('stays unknown while the charge was not made and the key is held, and is declined after a day', async () => {
    const { stripe, pay, clock } = await shop()
    const { settle } = pay(stripe.grant())
    stripe.meet('server-error')
    assert.equal((await settle()).type, 'unknown')
    clock.pass(22 * 3_600_000)
    assert.equal((await settle()).type, 'unknown')
    clock.pass(2 * 3_600_000)
    stripe.forgetKeys()
    assert.equal((await settle()).type, 'unknown')
    clock.pass(3_599_999)
    assert.equal((await settle()).type, 'unknown')
    clock.pass(1)
    assert.equal((await settle()).type, 'declined')
    assert.equal(stripe.intents().length, 0)
  })

  it('is never charged again after a day, when the key is forgotten', async () => {
    const { stripe, pay, clock } = await shop()
    const { settle } = pay(stripe.grant())
    stripe.meet('drop-after-charge', 'drop-before-charge', 'drop-before-charge')
    assert.equal((await settle()).type, 'unknown')
    stripe.forgetKeys()
    stripe.setSearchBehind(true)
    clock.pass(23 * 3_600_000)
    assert.equal((await settle()).type, 'unknown')
    stripe.setSearchBehind(false)
    assert.equal((await settle()).type, 'settled')
    assert.equal(stripe.chargedCents(), 50)
  })

  it('is not declined by a key that Stripe refuses, which says nothing about an earlier charge', async () => {
    const { stripe, pay, clock } = await shop()
    const { attempt, settle } = pay(stripe.grant())
    stripe.meet('drop-after-charge', 'drop-before-charge', 'drop-before-charge')
    assert.equal((await settle()).type, 'unknown')
    const stranger = methodOf({ ...stripe, secretKey: 'sk_test_of_nobody' }, clock)
    assert.equal((await stranger.settle(attempt, () => Promise.resolve())).type, 'unknown')
    clock.pass(26 * 3_600_000)
    assert.equal((await stranger.settle(attempt, () => Promise.resolve())).type, 'unknown')
    assert.equal((await settle()).type, 'settled')
  })

  it('waits for a bank that takes its time', async () => {
    const { stripe, pay } = await shop()
    const { settle } = pay(stripe.grant({ paymentMethod: 'pm_card_slow' }))
    assert.equal((await settle()).type, 'unknown')
    const [intent] = stripe.intents()
    stripe.setStatus(intent?.id ?? '', 'succeeded')
    assert.deepEqual(await settle(), { type: 'settled', reference: intent?.id, livemode: false })
  })

  it('is settled where the buyer confirmed before the payment could be given up', async () => {
    const { stripe, pay } = await shop()
    const { settle } = pay(stripe.grant({ paymentMethod: 'pm_card_authenticationRequired' }))
    stripe.meet('drop-after-charge', 'drop-before-charge', 'drop-before-charge')
    assert.equal((await settle()).type, 'unknown')
    stripe.setStatus(stripe.intents()[0]?.id ?? '', 'succeeded')
    assert.equal((await settle()).type, 'settled')
  })

  it('is answered while another asks with the same key', async () => {
    const { stripe, pay } = await shop()
    const { settle } = pay(stripe.grant())
    stripe.meet('hold-after-charge')
    const first = settle()
    await until('the charge', () => Promise.resolve(stripe.held() === 1))
    assert.equal((await settle()).type, 'unknown')
    stripe.release()
    assert.equal((await first).type, 'settled')
    assert.equal(stripe.chargedCents(), 50)
  })
})

type Clock = { now: () => Date; pass: (ms: number) => void }

async function shop(options: { livemode?: boolean } = {}) {
  const stripe = await startStripe(options)
  let at = start.getTime()
  const clock: Clock = {
    now: () => new Date(at),
    pass: (ms) => {
      at += ms
    },
  }
  const method = methodOf(stripe, clock)
  return { stripe, clock, method, pay: (spt: string) => paying(method, spt) }
}

function methodOf({ url, secretKey, profile }: StripeServer, { now }: Clock): PaymentMethod {
  return createCardMethod({ wireName: 'card', url, secretKey, profile }, now)
}

/** An attempt whose notes pass through JSON, as in the database. */
function paying(method: PaymentMethod, spt: string) {
  const request = method.offer(order)?.request ?? {}
  const attempt: Attempt = {
    id: randomUUID(),
    amountCents: 50,
    externalId: order.externalId,
    description: order.description,
    payload: { spt },
    notes: {},
    request,
    challengeId: 'challenge',
  }
  async function keep(notes: Json): Promise<void> {
    await Promise.resolve()
    attempt.notes = notes
  }
  return { attempt, settle: (keeping = keep) => method.settle({ ...attempt }, keeping) }
}

function credentialOf(request: Challenge['request'], payload: unknown): Credential {
  const challenge = {
    id: 'id',
    realm: 'perigee.test',
    method: 'card',
    intent: 'charge',
    request,
    requestText: '',
    expires: '2026-11-21T12:05:00Z',
  }
  return { challenge, payload }
}
