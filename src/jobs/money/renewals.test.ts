import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { addCredit, listCredit } from '#store/money/credit.ts'
import { lockWorkspace } from '#store/workspaces/workspaces.ts'
import { addPayment } from '../../../test/support/payments.ts'
import { addRunningIncident, createMonitor, monitorOf } from '../../../test/support/monitors.ts'
import { ledgerOf, type Market, market, send } from '../../../test/support/paying.ts'
import { type RenewalRun, renewMonitors } from './renewals.ts'

const hour = 3_600_000
const day = 24 * hour
const nothing = { renewed: 0, overdue: 0, told: 0, paused: 0 }

type Shop = Market & { at: () => Date; run: () => Promise<RenewalRun>; logged: string[] }

async function shop(): Promise<Shop> {
  const start = Date.UTC(2026, 10, 21, 12)
  let at = start
  const api = await market({ now: () => new Date(at), maxConnections: 12 })
  const logged: string[] = []
  const write = (message: string): void => void logged.push(message)
  const log = { debug: write, info: write, warn: write, error: write }
  const now = (): Date => new Date(at)
  return {
    ...api,
    at: now,
    pass: (ms) => {
      at += ms
    },
    run: () => renewMonitors({ database: api.database, log, now }, new AbortController().signal),
    logged,
  }
}

async function give(api: Shop, amountCents: number, workspaceId = api.workspaceId): Promise<void> {
  await addPayment(api.database, { workspaceId, amountCents, at: api.at() })
}

async function read(api: Shop, { id }: MonitorRecord): Promise<MonitorRecord> {
  return monitorOf(await api.get(`/monitors/${id}`))
}

function daysAfter(at: Date, days: number): string {
  return new Date(at.getTime() + days * day).toISOString()
}

describe('a monthly monitor', async () => {
  const api = await shop()

  it('is renewed from credit within the last hour of its period, for the locations that it has by then', async () => {
    await give(api, 10)
    const monitor = await createMonitor(api, { locations: ['amsterdam', 'boston', 'chennai'] })
    const end = monitor.paid_until ?? assert.fail()
    await send(api, { method: 'PATCH', path: `/monitors/${monitor.id}`, body: { name: 'Shop', locations: ['boston'] } })
    api.pass(30 * day - hour - 1)
    assert.deepEqual(await api.run(), nothing)
    api.pass(1)
    assert.deepEqual(await api.run(), { ...nothing, renewed: 1 })
    const renewed = await read(api, monitor)
    assert.equal(renewed.paid_until, daysAfter(new Date(end), 30))
    assert.deepEqual([renewed.paid_locations, renewed.billing_state, renewed.status], [1, 'active', 'enabled'])
    assert.deepEqual((await ledgerOf(api, api.workspaceId)).rows.slice(0, 2), [
      [-1, 'renewal'],
      [-3, 'monitor'],
    ])
    const [transaction] = await listCredit(api.database, api.workspaceId)
    assert.equal(transaction?.description, 'Renewal of 1 location for 30 days: Shop')
    assert.equal(transaction?.monitor_id, monitor.id)
    assert.deepEqual(await api.run(), nothing)
    await api.request('DELETE', `/monitors/${monitor.id}`)
  })

  it('that credit does not cover is overdue from its end, checked for 7 days more, and then paused', async () => {
    const monitor = await createMonitor(api)
    await spend(api)
    api.pass(30 * day - 1)
    assert.equal((await api.run()).overdue, 0)
    api.pass(1)
    assert.equal((await api.run()).overdue, 1)
    assert.deepEqual(statesOf(await read(api, monitor)), ['enabled', 'overdue'])
    const incident = await addRunningIncident(api.database, monitor, api.at())
    api.pass(7 * day - 1)
    assert.equal((await api.run()).paused, 0)
    api.pass(1)
    assert.equal((await api.run()).paused, 1)
    assert.deepEqual(statesOf(await read(api, monitor)), ['paused', 'overdue'])
    const { rows } = await api.database.pool.query(
      `select status, (select count(*)::integer from deliveries) as deliveries from incidents where id = $1`,
      [incident],
    )
    assert.deepEqual(rows, [{ status: 'resolved', deliveries: 0 }])
    const { rows: entries } = await api.database.pool.query(
      `select actor_kind, details from audit_entries where action = 'pause_monitor' and target_id = $1`,
      [monitor.id],
    )
    assert.deepEqual(entries, [{ actor_kind: 'system', details: { reason: 'non_payment' } }])
    assert.deepEqual(await api.run(), nothing)

    await give(api, 5)
    assert.deepEqual(await api.run(), nothing, 'what is paused is renewed by hand')
    assert.deepEqual(statesOf(monitorOf(await api.post(`/monitors/${monitor.id}/resume`))), ['paused', 'overdue'])
    const renewed = monitorOf(await send(api, { path: `/monitors/${monitor.id}/renew` }))
    assert.deepEqual(statesOf(renewed), ['enabled', 'active'])
    assert.equal(renewed.paid_until, daysAfter(api.at(), 30))
    await api.request('DELETE', `/monitors/${monitor.id}`)
  })

  it('is renewed as soon as credit arrives in its grace, and from its end', async () => {
    await spend(api)
    await give(api, 1)
    const monitor = await createMonitor(api)
    const end = new Date(monitor.paid_until ?? assert.fail())
    api.pass(33 * day)
    assert.equal((await api.run()).overdue, 1)
    await give(api, 1)
    assert.equal((await api.run()).renewed, 1)
    const renewed = await read(api, monitor)
    assert.deepEqual(statesOf(renewed), ['enabled', 'active'])
    assert.equal(renewed.paid_until, daysAfter(end, 30))
    await api.request('DELETE', `/monitors/${monitor.id}`)
  })

  it('that its people paused is not renewed, and does not run unpaid when they resume it after its grace', async () => {
    await give(api, 20)
    const monitor = await createMonitor(api)
    await api.post(`/monitors/${monitor.id}/pause`)
    api.pass(30 * day)
    assert.deepEqual(await api.run(), { ...nothing, overdue: 1 })
    api.pass(7 * day)
    assert.deepEqual(await api.run(), nothing)
    assert.deepEqual(statesOf(monitorOf(await api.post(`/monitors/${monitor.id}/resume`))), ['paused', 'overdue'])
    const renewed = monitorOf(await send(api, { path: `/monitors/${monitor.id}/renew` }))
    assert.deepEqual(statesOf(renewed), ['paused', 'active'])
    assert.deepEqual(statesOf(monitorOf(await api.post(`/monitors/${monitor.id}/resume`))), ['enabled', 'active'])
    await api.request('DELETE', `/monitors/${monitor.id}`)
  })

  it('can be paused by its people while it waits for the hour in which it would be', async () => {
    const monitor = await createMonitor(api)
    await spend(api)
    api.pass(38 * day)
    assert.deepEqual(statesOf(monitorOf(await api.post(`/monitors/${monitor.id}/pause`))), ['paused', 'active'])
    assert.deepEqual(await api.run(), { ...nothing, overdue: 1 })
    await api.request('DELETE', `/monitors/${monitor.id}`)
  })
})

describe('what is not monthly', async () => {
  const api = await shop()

  it('is never renewed, overdue or paused: lifetime monitors and those in slots of the plan', async () => {
    await give(api, 100)
    const lifetime = await createMonitor(api, { billing_period: 'lifetime' })
    const other = await api.addWorkspace('pro')
    const inSlot = await createMonitor(api, {}, other.token)
    api.pass(400 * day)
    assert.deepEqual(await api.run(), nothing)
    assert.deepEqual(statesOf(await read(api, lifetime)), ['enabled', 'active'])
    assert.deepEqual(statesOf(monitorOf(await api.get(`/monitors/${inSlot.id}`, { token: other.token }))), [
      'enabled',
      'active',
    ])
  })
})

describe('many monitors at once', async () => {
  const api = await shop()

  it('are renewed as far as the credit of each workspace reaches, the earliest first', async () => {
    await give(api, 100)
    const all = ['amsterdam', 'boston', 'chennai']
    const dear = await createMonitor(api, { name: 'Dear', locations: all })
    api.pass(1)
    const cheap = await createMonitor(api, { name: 'Cheap' })
    const other = await api.addWorkspace('pay_as_you_go')
    await give(api, 50, other.workspaceId)
    await createMonitor(api, { locations: all }, other.token)
    await spend(api, 1)
    api.pass(30 * day)
    const { renewed, overdue } = await api.run()
    assert.deepEqual([renewed, overdue], [2, 1])
    assert.deepEqual(statesOf(await read(api, dear)), ['enabled', 'overdue'])
    assert.deepEqual(statesOf(await read(api, cheap)), ['enabled', 'active'])
    assert.deepEqual((await ledgerOf(api, other.workspaceId)).creditCents, 44)
  })

  it('are each renewed once by several processes at once', async () => {
    const payers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
        await give(api, 50, workspaceId)
        await Promise.all([createMonitor(api, {}, token), createMonitor(api, {}, token)])
        return workspaceId
      }),
    )
    await spend(api)
    api.pass(30 * day)
    const runs = await Promise.all([api.run(), api.run(), api.run()])
    const again = await api.run()
    const renewed = [...runs, again].reduce((sum, run) => sum + run.renewed, 0)
    // The count includes the monitor of the other workspace above, whose period ends once more.
    assert.equal(renewed, 25)
    for (const workspaceId of payers) assert.equal((await ledgerOf(api, workspaceId)).creditCents, 46)
  })

  it('are renewed although a workspace among them cannot be, which is told', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    await give(api, 50, workspaceId)
    await createMonitor(api, {}, token)
    api.pass(30 * day)
    // A ledger that does not fit its balance takes no row.
    await api.database.pool.query(`alter table credit_transactions disable trigger credit_is_the_sum`)
    await api.database.pool.query(
      `insert into credit_transactions
        (id, workspace_id, position, previous_balance_cents, amount_cents, balance_cents, reason, inserted_at)
      values (gen_random_uuid(), $1, 3, 49, -9, 40, 'monitor', now())`,
      [workspaceId],
    )
    await api.database.pool.query(`alter table credit_transactions enable trigger credit_is_the_sum`)
    const { renewed } = await api.run()
    assert.equal(renewed, 25)
    assert.deepEqual(
      api.logged.filter((line) => /could not be renewed/.test(line)),
      ['The monitors of a workspace could not be renewed.'],
    )
  })

  it('wait for the next run where another request holds their workspace', async () => {
    const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
    await give(api, 50, workspaceId)
    const monitor = await createMonitor(api, {}, token)
    api.pass(30 * day - 1)
    const held = await api.database.transaction(async (tx) => {
      await lockWorkspace(tx, workspaceId)
      await api.run()
      return monitorOf(await api.get(`/monitors/${monitor.id}`, { token })).paid_until
    })
    assert.equal(held, monitor.paid_until)
    await api.run()
    assert.notEqual(monitorOf(await api.get(`/monitors/${monitor.id}`, { token })).paid_until, monitor.paid_until)
  })
})

function statesOf({ status, billing_state: state }: MonitorRecord): [status: string, state: string] {
  return [status, state]
}

/** Takes all credit but `leftCents`. */
async function spend({ database, workspaceId, at }: Shop, leftCents = 0): Promise<void> {
  const { rows } = await database.pool.query<{ credit: number }>(
    'select credit_cents::integer as credit from workspaces where id = $1',
    [workspaceId],
  )
  const amountCents = leftCents - (rows[0]?.credit ?? 0)
  const spending = { workspaceId, amountCents, reason: 'monitor', description: 'Spent', at: at() } as const
  if (amountCents !== 0) await database.transaction((tx) => addCredit(tx, spending))
}
