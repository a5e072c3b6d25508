import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lockForMove, moveWorkspace } from '#store/people/workspace-moves.ts'
import type { Answer } from '../../../test/support/api.ts'
import { monitorOf } from '../../../test/support/monitors.ts'
import {
  answerTo,
  challengeOf,
  firstKeyOf,
  ledgerOf,
  market,
  pay,
  problemOf,
  receiptOf,
  send,
  settleAll,
} from '../../../test/support/paying.ts'

const request = { path: '/monitors', body: { name: 'Shop', url: 'https://example.com' }, token: null }
const minuteMs = 60_000
const dayMs = 24 * 3_600_000

/** Each stranger has paid once and has a key, a workspace and a monitor that no other stranger has. */
async function assertApart(api: Awaited<ReturnType<typeof market>>, answers: readonly Answer[]): Promise<void> {
  const keys = answers.map(firstKeyOf)
  assert.equal(new Set(keys.map(({ apiKey }) => apiKey)).size, answers.length)
  assert.equal(new Set(keys.map(({ workspaceId }) => workspaceId)).size, answers.length)
  assert.equal(new Set(answers.map((answer) => monitorOf(answer).id)).size, answers.length)
  for (const [index, { apiKey, workspaceId }] of keys.entries()) {
    assert.deepEqual(await ledgerOf(api, workspaceId), {
      creditCents: 49,
      rows: [
        [-1, 'monitor'],
        [50, 'payment'],
      ],
      payments: 1,
      attempts: { succeeded: 1 },
      monitors: 1,
    })
    const seen = await api.get('/monitors', { token: apiKey })
    const { id } = monitorOf(answers[index] ?? assert.fail())
    assert.partialDeepStrictEqual(seen.body, { data: [{ id }] })
  }
}

describe('strangers who send the same body without a key', async () => {
  const api = await market()
  const ask = async (): Promise<string> => answerTo(challengeOf(await send(api, request)))

  it('get a monitor and a key each, one after the other', async () => {
    const [mine, theirs] = [await ask(), await ask()]
    const first = await send(api, request, mine)
    const second = await send(api, request, theirs)
    assert.deepEqual([first.status, second.status], [201, 201])
    await assertApart(api, [first, second])
    const [mineAgain, theirsAgain] = [await send(api, request, mine), await send(api, request, theirs)]
    assert.deepEqual([mineAgain.status, theirsAgain.status], [200, 200])
    assert.equal(monitorOf(mineAgain).id, monitorOf(first).id)
    assert.equal(monitorOf(theirsAgain).id, monitorOf(second).id)
    await assertApart(api, [mineAgain, theirsAgain])
  })

  it('get a monitor and a key each, all at once', { timeout: 60_000 }, async () => {
    const credentials = await Promise.all(Array.from({ length: 5 }, ask))
    const answers = await Promise.all(credentials.map((credential) => send(api, request, credential)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201, 201],
    )
    await assertApart(api, answers)
  })

  it('wait for nobody else’s processor', async () => {
    const slow = answerTo(challengeOf(await send(api, request)), 'spt_test_timeout')
    const quick = await ask()
    assert.equal((await send(api, request, slow)).status, 503)
    const second = await send(api, request, quick)
    assert.equal(second.status, 201)
    const first = await send(api, request, slow)
    assert.equal(first.status, 201)
    await assertApart(api, [first, second])
  })

  it('find what they have paid, whoever was served meanwhile', async () => {
    const lost = answerTo(challengeOf(await send(api, request)), 'spt_test_timeout')
    assert.equal((await send(api, request, lost)).status, 503)
    await settleAll(api)
    const { paid: second } = await pay(api, request)
    const first = await send(api, request, lost)
    assert.equal(first.status, 201)
    await assertApart(api, [first, second])
  })

  it('are given nothing for an answer to a challenge that somebody else has paid', async () => {
    const challenge = challengeOf(await send(api, request))
    const { apiKey } = firstKeyOf(await send(api, request, answerTo(challenge)))
    const copied = await send(api, request, answerTo(challenge, 'spt_test_declined'))
    assert.deepEqual(Object.keys(Object(copied.body)), ['data'])
    assert.equal((await api.get('/account', { token: apiKey })).status, 200)
  })
})

describe('a stranger who sends a key', async () => {
  const api = await market()

  it('is charged once for it within a day, whichever challenge is answered, and the quote says so', async () => {
    const wish = { ...request, key: 'a key of my own' }
    const { paid } = await pay(api, wish)
    const { workspaceId } = firstKeyOf(paid)
    for (const passed of [10 * minuteMs, dayMs - 11 * minuteMs]) {
      api.pass(passed)
      const quote = await send(api, { ...wish, path: '/monitors/quote' })
      assert.partialDeepStrictEqual(quote.body, { data: { billing: 'replay', amount_due_cents: 0 } })
      const again = await pay(api, wish)
      assert.equal(problemOf(again.asked), 'payment-required')
      assert.equal(again.paid.status, 200)
      assert.deepEqual(Object.keys(Object(again.paid.body)), ['data'])
      assert.equal(monitorOf(again.paid).id, monitorOf(paid).id)
      assert.equal(receiptOf(again.paid), null)
    }
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { payments: 1, monitors: 1 })
    const { rows } = await api.database.pool.query('select id from payments')
    assert.equal(rows.length, 1)
    api.pass(minuteMs + 1)
    const later = await pay(api, wish)
    assert.equal(later.paid.status, 201)
    assert.notEqual(firstKeyOf(later.paid).workspaceId, workspaceId)
  })

  it('finds what was paid more than a day ago and not done, whatever was done since', async () => {
    const wish = { ...request, key: 'patient' }
    const lost = answerTo(challengeOf(await send(api, wish)), 'spt_test_timeout')
    assert.equal((await send(api, wish, lost)).status, 503)
    await settleAll(api)
    api.pass(dayMs)
    const { paid: second } = await pay(api, wish)
    assert.equal(second.status, 201)
    const first = await send(api, wish, lost)
    assert.equal(first.status, 201)
    await assertApart(api, [first, second])
  })
})

describe('a workspace that people have taken', async () => {
  const api = await market()

  it('gives no new key to whoever paid for it, and goes by its own name', async () => {
    const wish = { ...request, key: 'taken' }
    const { paid, credential } = await pay(api, wish)
    const { apiKey, workspaceId: fromId } = firstKeyOf(paid)
    await api.database.transaction(async (tx) => {
      const move = { fromId, toId: api.workspaceId, at: new Date() }
      assert.ok(await lockForMove(tx, move))
      await moveWorkspace(tx, move)
    })
    const again = await send(api, wish, credential)
    assert.equal(again.status, 200)
    assert.deepEqual(Object.keys(Object(again.body)), ['data'])
    assert.equal(monitorOf(again).id, monitorOf(paid).id)
    assert.equal((await api.get('/account', { token: apiKey })).status, 200)
  })
})
