import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attempt, Credential } from './method.ts'
import { createSandboxMethod } from './sandbox.ts'

const sandbox = createSandboxMethod('card')
const order = { amountCents: 3, externalId: 'wish', description: '3 locations for 30 days' }
const attempt: Attempt = {
  id: '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11',
  amountCents: 50,
  externalId: 'wish',
  description: order.description,
  payload: { spt: 'spt_test_ok' },
  notes: {},
  request: {},
  challengeId: 'challenge',
}
const unkept = (): Promise<void> => assert.fail('nothing is to be kept')

function answering(payload: unknown, request: Record<string, unknown> = { amount: '50' }): Credential {
  const bound = {
    id: 'challenge',
    realm: 'perigee.test',
    method: 'card',
    intent: 'charge',
    requestText: '',
    expires: '',
  }
  return { challenge: { ...bound, request }, payload }
}

describe('the sandbox', () => {
  for (const [due, asked] of [
    [1, 50],
    [50, 50],
    [51, 51],
    [100_000, 100_000],
  ] as const)
    it(`asks for ${asked} cents where ${due} are due`, () => {
      const offered = sandbox.offer({ ...order, amountCents: due })
      assert.equal(offered?.amountCents, asked)
      assert.deepEqual(offered.request, {
        amount: String(asked),
        currency: 'usd',
        externalId: 'wish',
        methodDetails: { networkId: 'profile_test', paymentMethodTypes: ['card'] },
      })
    })

  it('takes its tokens again and again, for what the challenge asked', async () => {
    for (const spt of ['spt_test_ok', 'spt_test_declined', 'spt_test_timeout'])
      assert.deepEqual(await sandbox.verify(answering({ spt, externalId: 'wish' }), order), {
        ok: true,
        amountCents: 50,
        proofHash: null,
        payload: { spt },
      })
  })

  const refused: [what: string, payload: unknown, problem: string][] = [
    ['a token of elsewhere', { spt: 'spt_live_1' }, 'invalid-payload'],
    ['no payload', undefined, 'invalid-payload'],
    ['a token for another request', { spt: 'spt_test_ok', externalId: 'other' }, 'verification-failed'],
  ]
  for (const [what, payload, problem] of refused)
    it(`refuses ${what}`, async () => {
      const verified = await sandbox.verify(answering(payload), order)
      assert.equal(verified.ok ? 'ok' : verified.problem, problem)
    })

  it('refuses a challenge without an amount', async () => {
    assert.equal((await sandbox.verify(answering({ spt: 'spt_test_ok' }, {}), order)).ok, false)
  })

  it('settles the first token under the name of the attempt, never live', async () => {
    assert.deepEqual(await sandbox.settle(attempt, unkept), {
      type: 'settled',
      reference: 'test_0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11',
      livemode: false,
    })
  })

  it('declines the second', async () => {
    const declined = await sandbox.settle({ ...attempt, payload: { spt: 'spt_test_declined' } }, unkept)
    assert.deepEqual(declined, { type: 'declined', reason: 'The card was declined.' })
  })

  it('leaves the third unknown until it is asked again', async () => {
    const slow = { ...attempt, payload: { spt: 'spt_test_timeout' } }
    const kept: Attempt['notes'][] = []
    const first = await sandbox.settle(slow, async (notes) => void kept.push(notes))
    assert.equal(first.type, 'unknown')
    const [notes] = kept
    assert.ok(notes !== undefined)
    assert.equal((await sandbox.settle({ ...slow, notes }, unkept)).type, 'settled')
  })
})
