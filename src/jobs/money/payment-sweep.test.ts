import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PaymentMethod } from '#payments/method.ts'
import { createSandboxMethod } from '#payments/sandbox.ts'
import { holdSending, resumeSending } from '#store/installation/sending.ts'
import { listOpenAttempts } from '#store/money/payment-attempt-upkeep.ts'
import { monitorOf } from '../../../test/support/monitors.ts'
import { firstKeyOf, ledgerOf, type Market, market, pay, send } from '../../../test/support/paying.ts'
import { type SweepParts, paymentChores } from './payment-sweep.ts'

const start = Date.UTC(2026, 10, 21, 12)
const minute = 60_000
const day = 24 * 3_600_000
const shop = { path: '/monitors', body: { name: 'Shop', url: 'https://example.com' } }

type Sweeping = Market & { at: () => Date; logged: string[]; run: (changes?: Partial<SweepParts>) => Promise<void> }

async function sweeping(): Promise<Sweeping> {
  let at = start
  const now = (): Date => new Date(at)
  const api = await market({ now, maxConnections: 12 })
  const logged: string[] = []
  const write = (message: string): void => void logged.push(message)
  const log = { debug: write, info: write, warn: write, error: write }
  const { database, services } = api
  return {
    ...api,
    at: now,
    logged,
    pass: (ms) => {
      at += ms
    },
    run: async (changes = {}) => {
      const parts = { database, log, now, till: services.payments, ...changes }
      for (const { run } of paymentChores(parts)) await run(new AbortController().signal)
    },
  }
}

describe('a payment to a restored copy', async () => {
  const api = await sweeping()

  it('asks no processor until the copy may send', async () => {
    await api.database.transaction(({ client }) =>
      holdSending(client, { since: api.at(), backupAt: api.at().toISOString() }),
    )
    const { paid } = await pay(api, shop)
    assert.equal(paid.status, 503)
    api.pass(minute)
    await api.run()
    assert.partialDeepStrictEqual(await ledgerOf(api, api.workspaceId), { payments: 0, attempts: { settling: 1 } })
    assert.equal(await resumeSending(api.database), true)
    api.pass(60 * minute)
    await api.run()
    assert.partialDeepStrictEqual(await ledgerOf(api, api.workspaceId), { payments: 1, attempts: { succeeded: 1 } })
  })
})

describe('a payment that its payer does not come back to', async () => {
  const api = await sweeping()
  const { token: ownToken } = await api.addWorkspace('pay_as_you_go')

  it('becomes credit a minute later, which a repeat then spends', async () => {
    const { paid, credential } = await pay(api, shop, 'spt_test_timeout')
    assert.equal(paid.status, 503)
    await api.run()
    assert.deepEqual((await ledgerOf(api, api.workspaceId)).attempts, { settling: 1 })
    api.pass(minute)
    await api.run()
    assert.deepEqual(await ledgerOf(api, api.workspaceId), {
      creditCents: 50,
      rows: [[50, 'payment']],
      payments: 1,
      attempts: { succeeded: 1 },
      monitors: 0,
    })
    assert.deepEqual(api.logged, ['Open payments were closed.'])
    assert.equal((await send(api, shop, credential)).status, 201)
    assert.partialDeepStrictEqual(await ledgerOf(api, api.workspaceId), { creditCents: 49, payments: 1, monitors: 1 })
  })

  it('without an account waits in a workspace of its own for the payer, for days', async () => {
    const request = { ...shop, token: null, key: 'one' }
    const { paid, credential } = await pay(api, request, 'spt_test_timeout')
    assert.equal(paid.status, 503)
    api.pass(minute)
    await api.run()
    api.pass(100 * day)
    await api.run()
    const made = await send(api, request, credential)
    assert.equal(made.status, 201)
    const { workspaceId } = firstKeyOf(made)
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { creditCents: 49, payments: 1, monitors: 1 })
  })

  it('is asked about by one of several processes, and once', async () => {
    const request = { ...shop, token: ownToken }
    await pay(api, request, 'spt_test_timeout')
    api.pass(minute)
    let asked = 0
    const till = api.services.payments
    assert.ok(till !== null)
    const counting = till.methods.map((method): PaymentMethod => ({
      ...method,
      settle: (...attempt) => {
        asked += 1
        return method.settle(...attempt)
      },
    }))
    const parts = { till: { ...till, methods: counting } }
    await Promise.all([api.run(parts), api.run(parts), api.run(parts)])
    assert.equal(asked, 1)
  })
})

describe('a processor that does not answer', async () => {
  const api = await sweeping()

  it('is asked again at pauses that double, up to six hours', async () => {
    await pay(api, shop, 'spt_test_timeout')
    const silent: PaymentMethod = {
      ...createSandboxMethod('card'),
      settle: () => {
        askedAt.push(api.at().getTime() - start)
        return Promise.resolve({ type: 'unknown', reason: 'silence' })
      },
    }
    const askedAt: number[] = []
    const till = api.services.payments
    assert.ok(till !== null)
    for (let minutes = 0; minutes <= 21 * 60; minutes += 1) {
      await api.run({ till: { ...till, methods: [silent] } })
      api.pass(minute)
    }
    const pauses = askedAt.map((at, index) => (at - (askedAt[index - 1] ?? 0)) / minute)
    assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360])
  })

  it('keeps nobody else waiting, nor does one who fails', async () => {
    const others = await Promise.all(
      Array.from({ length: 7 }, async () => {
        const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
        await pay(api, { ...shop, token }, 'spt_test_timeout')
        return workspaceId
      }),
    )
    // The attempt above is due by now as well.
    api.pass(6 * 60 * minute)
    const [{ id } = assert.fail()] = await listOpenAttempts(api.database, { at: api.at(), limit: 1 })
    await api.database.pool.query('update payment_attempts set sealed_payload = $2 where id = $1', [id, Buffer.of(1)])
    await api.run()
    api.pass(minute)
    await api.run()
    const open = await api.database.pool.query(`select id from payment_attempts where state = 'settling'`)
    assert.deepEqual(open.rows, [{ id }])
    assert.ok(api.logged.includes('A payment attempt could not be settled.'))
    for (const workspaceId of others) {
      const { attempts, payments } = await ledgerOf(api, workspaceId)
      assert.equal(attempts['succeeded'] ?? 0, payments)
    }
  })

  it('is not asked where payments are off', () => {
    const { database } = api
    const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
    assert.deepEqual(
      paymentChores({ database, log, now: api.at, till: null }).map(({ name }) => name),
      ['forget_payment_attempts'],
    )
  })
})

describe('attempts that have ended', async () => {
  const api = await sweeping()

  it('are forgotten after 90 days, when they failed or were done; what is paid and not done is kept', async () => {
    const { token: declined } = await api.addWorkspace('pay_as_you_go')
    await pay(api, { ...shop, token: declined }, 'spt_test_declined')
    const { paid, credential } = await pay(api, shop)
    const { token: waiting } = await api.addWorkspace('pay_as_you_go')
    await pay(api, { ...shop, token: waiting }, 'spt_test_timeout')
    api.pass(minute)
    await api.run()
    api.pass(90 * day - minute - 1)
    await api.run()
    assert.equal(await count(api), 3)
    api.pass(minute + 1)
    await api.run()
    assert.equal(await count(api), 1)
    assert.equal((await send(api, { ...shop, token: waiting })).status, 201, 'its credit is there')
    // The monitor that it paid for is there, and its credential is used up.
    assert.equal((await api.get(`/monitors/${monitorOf(paid).id}`)).status, 200)
    await api.database.pool.query(`update workspaces set plan = 'pay_as_you_go'`)
    const again = await send(api, shop, credential)
    assert.equal(again.status, 201, 'credit pays for another monitor, whoever sends what')
    assert.partialDeepStrictEqual(await ledgerOf(api, api.workspaceId), { payments: 1, creditCents: 48, monitors: 2 })
  })
})

function nothing(): void {}

async function count({ database }: Market): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::integer as count from payment_attempts',
  )
  return rows[0]?.count ?? 0
}
