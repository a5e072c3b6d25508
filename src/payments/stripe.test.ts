import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { httpServer } from '../../test/support/http-server.ts'
import { startStripe } from '../../test/support/stripe-server.ts'
import type { Attempt } from './method.ts'
import { createStripe, type Stripe } from './stripe.ts'

const secretKey = 'sk_test_stand_in'

function newAttempt(): Attempt {
  return {
    id: randomUUID(),
    amountCents: 50,
    externalId: 'order-1',
    description: '1 location, 30 days',
    payload: {},
    notes: {},
    request: {},
    challengeId: 'challenge',
  }
}

type Answers = Readonly<Record<string, { status: number; body: unknown }>>

/** A Stripe that answers each path with the same, and with an error of its own where it has no answer. */
async function answeringStripe(answers: Answers): Promise<{ stripe: Stripe; asked: string[] }> {
  const asked: string[] = []
  const { port } = await httpServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://stand-in')
    asked.push(`${request.method} ${pathname}`)
    const { status, body } = answers[pathname] ?? {
      status: 500,
      body: { error: { type: 'api_error', message: 'No.' } },
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return { stripe: createStripe({ secretKey, url: `http://127.0.0.1:${port}` }), asked }
}

function intentAnswer(status: string, id = 'pi_1'): Answers {
  return { '/v1/payment_intents': { status: 200, body: { id, status, livemode: false } } }
}

describe('a request that meets an error of Stripe', { concurrency: true }, () => {
  it('is made twice where it charges, because the key makes that safe', async () => {
    const { stripe, asked } = await answeringStripe({})
    assert.equal((await stripe.charge(newAttempt(), 'spt_a')).type, 'unknown')
    assert.deepEqual(
      asked,
      Array.from({ length: 2 }, () => 'POST /v1/payment_intents'),
    )
  })

  const once: [what: string, status: string, second: string][] = [
    ['gives up a payment', 'requires_action', 'POST /v1/payment_intents/pi_1/cancel'],
    ['looks at a payment', 'processing', 'GET /v1/payment_intents/pi_1'],
  ]
  for (const [what, status, second] of once)
    it(`is made once where it ${what}, because the attempt is settled again later`, async () => {
      const { stripe, asked } = await answeringStripe(intentAnswer(status))
      assert.equal((await stripe.charge(newAttempt(), 'spt_a')).type, 'unknown')
      assert.deepEqual(asked, ['POST /v1/payment_intents', second])
    })

  it('is made once where it searches', async () => {
    const { stripe, asked } = await answeringStripe({})
    assert.equal((await stripe.find(newAttempt().id))?.type, 'unknown')
    assert.deepEqual(asked, ['GET /v1/payment_intents/search'])
  })
})

describe('an answer of Stripe', { concurrency: true }, () => {
  it('that names no payment settles nothing', async () => {
    for (const [id, type] of [
      ['', 'unknown'],
      ['p', 'settled'],
    ] as const) {
      const { stripe } = await answeringStripe(intentAnswer('succeeded', id))
      assert.equal((await stripe.charge(newAttempt(), 'spt_a')).type, type)
    }
  })

  const refusals: [status: number, type: string][] = [
    [400, 'declined'],
    [401, 'unknown'],
    [402, 'declined'],
    [403, 'unknown'],
    [404, 'declined'],
    [405, 'unknown'],
  ]
  for (const [status, type] of refusals)
    it(`of status ${status} is ${type}`, async () => {
      const body = { error: { type: 'invalid_request_error', message: 'No such token: spt_a' } }
      const { stripe } = await answeringStripe({ '/v1/payment_intents': { status, body } })
      assert.equal((await stripe.charge(newAttempt(), 'spt_a')).type, type)
    })
})

describe('a search for the payments of an attempt', () => {
  for (const cards of [
    ['pm_card_slow', 'pm_card_visa'],
    ['pm_card_visa', 'pm_card_slow'],
  ])
    it(`finds the one that was made of ${cards.join(' and ')}`, async () => {
      const server = await startStripe()
      const stripe = createStripe(server)
      const attempt = newAttempt()
      for (const paymentMethod of cards) {
        await stripe.charge(attempt, server.grant({ paymentMethod }))
        server.forgetKeys()
      }
      const made = server.intents().find(({ status }) => status === 'succeeded')
      assert.equal(server.intents().length, 2)
      assert.deepEqual(await stripe.find(attempt.id), { type: 'settled', reference: made?.id, livemode: false })
    })
})

it('Stripe is told nothing about earlier requests', async () => {
  const server = await startStripe()
  const stripe = createStripe(server)
  for (let charges = 0; charges < 3; charges += 1) await stripe.charge(newAttempt(), server.grant())
  assert.equal(server.requests.length, 3)
  for (const { headers } of server.requests) assert.equal(headers['x-stripe-client-telemetry'], undefined)
})
