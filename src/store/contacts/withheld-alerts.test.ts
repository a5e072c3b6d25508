import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Database } from '#store/database/database.ts'
import { addMonitor, addWorkspace, alertOf } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'
import type { AlertOrder } from './deliveries.ts'
import { outlastedMs, takeReleased, withholdAlerts } from './withheld-alerts.ts'

const second = 1000
const minute = 60 * second
const downMs = Date.parse('2026-11-28T10:00:00Z')

type Outage = Pick<AlertOrder, 'workspaceId' | 'monitorId'> & { incidentId: string }

/** An incident that begins at ten o'clock, in maintenance from then to these minutes after. */
async function begin(database: Database, maintenances: readonly (readonly [from: number, to: number])[]) {
  const workspaceId = await addWorkspace(database)
  const monitorId = await addMonitor(database, { workspaceId })
  const outage = { workspaceId, monitorId, incidentId: randomUUID() }
  for (const [from, to] of maintenances) {
    const [startsAt, endsAt] = [new Date(downMs + from * minute), new Date(downMs + to * minute)]
    await planMaintenance(database, { workspaceId, occurrences: [{ startsAt, endsAt }], now: startsAt })
  }
  await database.query
    .insertInto('incidents')
    .values({
      id: outage.incidentId,
      workspace_id: workspaceId,
      monitor_id: monitorId,
      monitor_name: 'Shop API',
      status: 'open',
      title: 'Shop API is down',
      started_at: new Date(downMs),
    })
    .execute()
  assert.deepEqual(
    await ordersOf(database, [orderOf(outage, 'monitor.down', downMs)]),
    [],
    'it begins in a maintenance',
  )
  return outage
}

function orderOf({ incidentId, ...of }: Outage, type: 'monitor.down' | 'monitor.up', atMs: number): AlertOrder {
  const alert = alertOf(type, { incidentId, monitorId: of.monitorId })
  return { ...of, incidentId, alert, at: new Date(atMs) }
}

/** The types of what remains of these orders, each with the time of its round. */
async function ordersOf(database: Database, orders: readonly AlertOrder[]): Promise<string[]> {
  const remaining = await database.transaction((tx) => withholdAlerts(tx, orders))
  return remaining.map(({ alert, at }) => `${alert.type} ${(at.getTime() - downMs) / second}`)
}

const cases: {
  title: string
  maintenances: [from: number, to: number][]
  upMs: number
  told: boolean
}[] = [
  { title: 'before its maintenance does', maintenances: [[-5, 10]], upMs: 5 * minute, told: false },
  { title: 'as its maintenance does', maintenances: [[-5, 10]], upMs: 10 * minute, told: false },
  { title: 'moments after', maintenances: [[-5, 10]], upMs: 10 * minute + outlastedMs - 1, told: false },
  { title: 'later', maintenances: [[-5, 10]], upMs: 10 * minute + outlastedMs, told: true },
  {
    title: 'in a second one that followed at once',
    maintenances: [
      [-5, 10],
      [10, 20],
    ],
    upMs: 19 * minute,
    told: false,
  },
  {
    title: 'in a second one that held it meanwhile',
    maintenances: [
      [-5, 10],
      [5, 20],
    ],
    upMs: 19 * minute,
    told: false,
  },
  {
    title: 'in a second one that began later',
    maintenances: [
      [-5, 10],
      [15, 20],
    ],
    upMs: 19 * minute,
    told: true,
  },
]

describe('an incident that began in a maintenance and whose end is found before that was looked at', async () => {
  const database = await testDatabase()

  for (const { title, maintenances, upMs, told } of cases)
    it(`is ${told ? 'told with its end' : 'never told'}, if it ends ${title}`, async () => {
      const outage = await begin(database, maintenances)
      const other = orderOf({ ...outage, incidentId: randomUUID() }, 'monitor.up', downMs)
      const expected = told ? ['monitor.down 0', 'monitor.up 0', `monitor.up ${upMs / second}`] : ['monitor.up 0']
      assert.deepEqual(await ordersOf(database, [other, orderOf(outage, 'monitor.up', downMs + upMs)]), expected)
      const left = await database.transaction((tx) => takeReleased(tx, new Date(downMs + upMs), 10))
      assert.deepEqual(left, { taken: 0, orders: [] })
    })

  it('is told with its end, if its monitor lost the tag of the maintenance', async () => {
    const outage = await begin(database, [[-5, 60]])
    await database.pool.query('update maintenance_windows set covers_all = false where workspace_id = $1', [
      outage.workspaceId,
    ])
    await database.pool.query(
      `insert into maintenance_tagged (window_key, monitor_key, since, until)
      select w.key, m.key, '-infinity', $2 from maintenance_windows w, monitors m
      where w.workspace_id = $1 and m.workspace_id = $1`,
      [outage.workspaceId, new Date(downMs + minute)],
    )
    const before = orderOf(outage, 'monitor.up', downMs + 5 * minute)
    assert.deepEqual(await ordersOf(database, [before]), ['monitor.down 0', 'monitor.up 300'])
  })

  it('has its end told alone, if a person has acknowledged it', async () => {
    const outage = await begin(database, [[-5, 10]])
    await database.pool.query(
      `insert into incident_events (id, incident_id, type, at, message)
      values (gen_random_uuid(), $1, 'acknowledged', now(), 'Acknowledged')`,
      [outage.incidentId],
    )
    const end = orderOf(outage, 'monitor.up', downMs + 20 * minute)
    assert.deepEqual(await ordersOf(database, [end]), ['monitor.up 1200'])
  })

  it('is told in the right order, where both are found at once', async () => {
    const outage = await begin(database, [[-5, 10]])
    await database.pool.query('delete from withheld_alerts where incident_id = $1', [outage.incidentId])
    const both = [orderOf(outage, 'monitor.down', downMs), orderOf(outage, 'monitor.up', downMs + 20 * minute)]
    assert.deepEqual(await ordersOf(database, both), ['monitor.down 0', 'monitor.up 1200'])
  })
})
