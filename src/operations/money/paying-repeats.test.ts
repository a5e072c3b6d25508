import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setWorkspacePlan } from '#store/workspaces/workspaces.ts'
import { monitorOf, refusalOf } from '../../../test/support/monitors.ts'
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
  spendAll,
} from '../../../test/support/paying.ts'

const shop = { name: 'Shop', url: 'https://example.com' }
const minuteMs = 60_000
const dayMs = 24 * 3_600_000

describe('a declined payment', async () => {
  const api = await market()
  const request = { path: '/monitors', body: shop }

  it('makes nothing, says why, and asks again', async () => {
    const { paid, credential } = await pay(api, request, 'spt_test_declined')
    assert.equal(problemOf(paid), 'verification-failed')
    assert.match(paid.text, /The card was declined\./)
    assert.equal(problemOf(await send(api, request, credential)), 'verification-failed')
    const other = await send(api, request, answerTo(challengeOf(paid), 'spt_test_ok'))
    assert.equal(other.status, 201)
    assert.deepEqual(await ledgerOf(api, api.workspaceId), {
      creditCents: 49,
      rows: [
        [-1, 'monitor'],
        [50, 'payment'],
      ],
      payments: 1,
      attempts: { failed: 1, succeeded: 1 },
      monitors: 1,
    })
  })

  it('uses its challenge up, so that another token needs the fresh one', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const asked = challengeOf(await send(api, { ...request, token }))
    assert.equal((await send(api, { ...request, token }, answerTo(asked, 'spt_test_declined'))).status, 402)
    const again = await send(api, { ...request, token }, answerTo(asked, 'spt_test_ok'))
    assert.match(again.text, /was answered before/)
    assert.equal((await ledgerOf(api, workspaceId)).payments, 0)
  })
})

describe('a payment whose outcome is unknown', async () => {
  const api = await market()
  const request = { path: '/monitors', body: shop }

  it('is answered 503, and a repeat finishes it once', async () => {
    const { paid, credential } = await pay(api, request, 'spt_test_timeout')
    assert.deepEqual(refusalOf(paid), [503, 'unavailable'])
    assert.equal(paid.headers.get('retry-after'), '5')
    assert.deepEqual((await ledgerOf(api, api.workspaceId)).attempts, { settling: 1 })
    const again = await send(api, request, credential)
    assert.equal(again.status, 201)
    assert.partialDeepStrictEqual(receiptOf(again), { status: 'success' })
    assert.equal((await send(api, request, credential)).status, 200)
    assert.partialDeepStrictEqual(await ledgerOf(api, api.workspaceId), { creditCents: 49, payments: 1, monitors: 1 })
  })

  it('keeps a second credential for the same request from charging too', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const [one, two] = [await send(api, { ...request, token }), await send(api, { ...request, token })]
    assert.equal((await send(api, { ...request, token }, answerTo(challengeOf(one), 'spt_test_timeout'))).status, 503)
    const other = await send(api, { ...request, token }, answerTo(challengeOf(two)))
    assert.equal(other.status, 200)
    assert.equal(receiptOf(other), null)
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), {
      creditCents: 49,
      payments: 1,
      monitors: 1,
      attempts: { succeeded: 1 },
    })
  })
})

describe('a repeat', async () => {
  const api = await market()
  const request = { path: '/monitors', body: shop }

  it('with the same credential answers with the same monitor for a day, and charges nothing', async () => {
    const { paid, credential } = await pay(api, request)
    for (const passed of [0, 10 * minuteMs, dayMs - 10 * minuteMs - 1]) {
      api.pass(passed)
      const again = await send(api, request, credential)
      assert.equal(again.status, 200)
      assert.equal(monitorOf(again).id, monitorOf(paid).id)
      assert.deepEqual(receiptOf(again), receiptOf(paid))
    }
    api.pass(1)
    // The rest of the payment would pay for another monitor; a credential that was used up must not buy one.
    await spendAll(api, api.workspaceId)
    assert.equal(problemOf(await send(api, request, credential)), 'verification-failed')
    assert.partialDeepStrictEqual(await ledgerOf(api, api.workspaceId), { payments: 1, attempts: { succeeded: 1 } })
  })

  it('after a day does nothing again, however much credit there is', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const { paid: made } = await pay(api, { ...request, token })
    await spendAll(api, workspaceId)
    const renewal = { path: `/monitors/${monitorOf(made).id}/renew`, token }
    const { paid: renewed, credential } = await pay(api, renewal)
    const ledger = await ledgerOf(api, workspaceId)
    assert.equal(ledger.creditCents, 49)
    api.pass(dayMs)
    const again = await send(api, renewal, credential)
    assert.equal(again.status, 200)
    assert.equal(receiptOf(again), null)
    assert.equal(monitorOf(again).paid_until, monitorOf(renewed).paid_until)
    assert.deepEqual(await ledgerOf(api, workspaceId), ledger)
  })

  it('finds what was paid while payments are off', async () => {
    const { services } = api
    const { payments } = services
    const sendWhileOff: typeof send = (...sent) => {
      services.payments = null
      return send(...sent).finally(() => {
        services.payments = payments
      })
    }
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const wish = { ...request, token }
    const { paid, credential } = await pay(api, wish)
    const again = await sendWhileOff(api, wish, credential)
    assert.equal(again.status, 200)
    assert.equal(monitorOf(again).id, monitorOf(paid).id)
    assert.deepEqual(receiptOf(again), receiptOf(paid))
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { creditCents: 49, monitors: 1 })
    const stranger = { ...request, token: null }
    const lost = answerTo(challengeOf(await send(api, stranger)), 'spt_test_timeout')
    assert.equal((await send(api, stranger, lost)).status, 503)
    assert.deepEqual(refusalOf(await sendWhileOff(api, stranger, lost)), [503, 'payments_disabled'])
    await settleAll(api)
    const found = await sendWhileOff(api, stranger, lost)
    assert.equal(found.status, 201)
    assert.partialDeepStrictEqual(await ledgerOf(api, firstKeyOf(found).workspaceId), { creditCents: 49, monitors: 1 })
  })

  it('answers with what a deleted monitor was', async () => {
    const { token } = await api.addWorkspace('pay_as_you_go')
    const { paid, credential } = await pay(api, { ...request, token })
    const { id } = monitorOf(paid)
    assert.equal((await api.request('DELETE', `/monitors/${id}`, { token })).status, 204)
    const again = await send(api, { ...request, token }, credential)
    assert.equal(again.status, 200)
    assert.equal(monitorOf(again).id, id)
  })

  it('many times at once charges and makes one', { timeout: 60_000 }, async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const credential = answerTo(challengeOf(await send(api, { ...request, token })))
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(api, { ...request, token }, credential)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 200, 200, 200, 200, 200, 200, 201],
    )
    assert.equal(new Set(answers.map((answer) => monitorOf(answer).id)).size, 1)
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
  })

  it('with many credentials at once charges one', { timeout: 60_000 }, async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const asked = await Promise.all(Array.from({ length: 5 }, () => send(api, { ...request, token })))
    const answers = await Promise.all(
      asked.map((answer) => send(api, { ...request, token }, answerTo(challengeOf(answer)))),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 200, 200, 200, 201],
    )
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { payments: 1, monitors: 1, creditCents: 49 })
  })

  it('with another credential whose challenge is older settles nothing; one that is newer is another wish', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const wish = { ...request, token }
    const older = answerTo(challengeOf(await send(api, wish)))
    api.pass(1000)
    const { paid } = await pay(api, wish)
    await spendAll(api, workspaceId)
    api.pass(1000)
    const replayed = await send(api, wish, older)
    assert.equal(replayed.status, 200)
    assert.equal(monitorOf(replayed).id, monitorOf(paid).id)
    assert.equal(receiptOf(replayed), null)
    const newer = await pay(api, wish)
    assert.equal(newer.paid.status, 201)
    assert.notEqual(monitorOf(newer.paid).id, monitorOf(paid).id)
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { payments: 2, monitors: 2 })
  })
})

describe('work that fails after it was paid', async () => {
  const api = await market()

  it('leaves the money as credit, and a repeat finishes it', async () => {
    const request = { path: '/monitors', body: { ...shop, locations: ['boston'] } }
    const credential = answerTo(challengeOf(await send(api, request)), 'spt_test_timeout')
    assert.equal((await send(api, request, credential)).status, 503)
    await api.database.pool.query(`update locations set code = 'gone' where code = 'boston'`)
    assert.deepEqual(refusalOf(await send(api, request, credential)), [422, 'validation_failed', 'locations'])
    assert.partialDeepStrictEqual(await ledgerOf(api, api.workspaceId), { creditCents: 50, payments: 1, monitors: 0 })
    await api.database.pool.query(`update locations set code = 'boston' where code = 'gone'`)
    const again = await send(api, request, credential)
    assert.equal(again.status, 201)
    assert.partialDeepStrictEqual(receiptOf(again), { status: 'success' })
    assert.partialDeepStrictEqual(await ledgerOf(api, api.workspaceId), { creditCents: 49, payments: 1, monitors: 1 })
  })

  it('asks again where somebody else has spent the credit', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const request = { path: '/monitors', body: shop, token }
    const credential = answerTo(challengeOf(await send(api, request)), 'spt_test_timeout')
    assert.equal((await send(api, request, credential)).status, 503)
    await settleAll(api)
    await spendAll(api, workspaceId)
    const again = await send(api, request, credential)
    assert.equal(problemOf(again), 'payment-insufficient')
    api.pass(minuteMs)
    assert.equal((await send(api, request, answerTo(challengeOf(again)))).status, 201)
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { payments: 2, monitors: 1 })
  })

  it('is settled by a free slot too, once the plan has one', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    const request = { path: '/monitors', body: shop, token }
    const credential = answerTo(challengeOf(await send(api, request)), 'spt_test_timeout')
    assert.equal((await send(api, request, credential)).status, 503)
    await settleAll(api)
    await setWorkspacePlan(api.database, workspaceId, 'free')
    const free = await send(api, request)
    assert.equal(free.status, 201)
    assert.equal(monitorOf(free).billing, 'plan')
    const again = await send(api, request, credential)
    assert.equal(again.status, 200)
    assert.equal(monitorOf(again).id, monitorOf(free).id)
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { creditCents: 50, payments: 1, monitors: 1 })
  })
})
