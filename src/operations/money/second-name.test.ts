import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { paymentRequiredSchema } from '#core/money/payment-required.ts'
import { monitorOf } from '../../../test/support/monitors.ts'
import { challengesIn } from '../../../test/support/payment-client.ts'
import { answerTo, challengeOf, ledgerOf, market, problemOf, receiptOf, send } from '../../../test/support/paying.ts'

describe('cards with a second name', async () => {
  const api = await market({ payments: { mode: 'sandbox', cardWireName: 'card', secondWireName: 'stripe' } })
  const body = { name: 'Shop', url: 'https://example.com' }

  it('are offered by both, for the same', async () => {
    const asked = await send(api, { path: '/monitors', body })
    const challenges = challengesIn(asked.headers.get('www-authenticate'))
    assert.deepEqual(
      challenges.map(({ method }) => method),
      ['card', 'stripe'],
    )
    assert.deepEqual(challenges[0]?.request, challenges[1]?.request)
    const { sandbox } = paymentRequiredSchema.parse(asked.body)
    assert.equal(sandbox?.payloads.length, 3)
  })

  it('are paid by either, once for a request, and recorded as card', async () => {
    for (const [name, other] of [
      ['card', 'stripe'],
      ['stripe', 'card'],
    ] as const) {
      const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
      const request = { path: '/monitors', body, token }
      const asked = await send(api, request)
      const credential = answerTo(challengeOf(asked, name))
      const paid = await send(api, request, credential)
      assert.equal(paid.status, 201)
      assert.equal(receiptOf(paid)?.method, name)
      assert.deepEqual(receiptOf(await send(api, request, credential)), receiptOf(paid))
      const again = await send(api, request, answerTo(challengeOf(asked, other)))
      assert.equal(monitorOf(again).id, monitorOf(paid).id)
      assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { payments: 1, creditCents: 49 })
      const { data } = z
        .object({ data: z.array(z.object({ method: z.string() })) })
        .parse((await api.get('/payments', { token })).body)
      assert.deepEqual(data, [{ method: 'card' }])
    }
  })

  it('are paid by no third', async () => {
    const asked = await send(api, { path: '/monitors', body })
    const credential = answerTo({ ...challengeOf(asked), method: 'stripe' })
    assert.equal(problemOf(await send(api, { path: '/monitors', body }, credential)), 'invalid-challenge')
  })
})
