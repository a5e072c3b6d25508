// A payment by the test chain, as far as a method is asked: the wish, its challenge, the attempt and what is noted.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type ChainOptions, createChainMethod } from '../../src/payments/chain.ts'
import type { Attempt, Challenge, Order, PaymentMethod, Settlement } from '../../src/payments/method.ts'
import { createMpp } from '../../src/payments/mpp.ts'
import type { Json } from '#store/database/schema.ts'
import type { Authorization } from '../../src/payments/chain-authorization.ts'
import type { TestChain } from './chain.ts'

export const order: Order = { amountCents: 3, externalId: 'order-1', description: '3 locations, 30 days' }
export const mpp = createMpp({ realm: 'perigee.test', secrets: () => ['a secret of thirty-two letters and more'] })

export function wishOf(chain: TestChain, wireName = 'chain'): { method: PaymentMethod; challenge: Challenge } {
  const method = createChainMethod(chain.options, () => new Date())
  const request = method.offer(order)?.request ?? {}
  const challenge: Challenge = mpp.createChallenge({ method: wireName, request, nonce: randomUUID(), at: new Date() })
  return { method, challenge }
}

type Noted = { transactions: { hash: string; nonce: number; maxFeePerGas: string }[] }

/** An attempt whose notes are kept as the database keeps them. */
export async function payment(chain: TestChain) {
  const { method, challenge } = wishOf(chain)
  const credential = { challenge, payload: await chain.authorize(challenge) }
  const verified = await method.verify(credential, order)
  assert.ok(verified.ok)
  const attempt: Attempt = {
    id: randomUUID(),
    amountCents: verified.amountCents,
    externalId: order.externalId,
    description: order.description,
    payload: verified.payload,
    notes: {},
    request: challenge.request,
    challengeId: challenge.id,
  }
  async function keep(notes: Json): Promise<void> {
    await Promise.resolve()
    attempt.notes = structuredClone(notes)
  }
  function settle(changes: Partial<ChainOptions> = {}, keeping = keep): Promise<Settlement> {
    return createChainMethod({ ...chain.options, ...changes }, () => new Date()).settle({ ...attempt }, keeping)
  }
  return { attempt, challenge, keep, settle, notes: (): Noted => notedOf(attempt.notes) }
}

function notedOf(notes: Json): Noted {
  const known: Noted = JSON.parse(JSON.stringify(notes))
  return { transactions: known.transactions ?? [] }
}

export function authorizationOf({ payload }: Attempt): Authorization {
  const known: Authorization = JSON.parse(JSON.stringify(payload))
  return known
}
