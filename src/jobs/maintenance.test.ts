import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endOccurrence } from '#store/maintenance/maintenance-plan.ts'
import {
  addContact,
  type EngineBench,
  engineBench,
  failing,
  incidentsOf,
  only,
  standingOf,
} from '../../test/support/engine.ts'
import { planMaintenance } from '../../test/support/maintenance.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'
import { planAhead, tellReleased } from './maintenance.ts'

const hour = 3_600_000
const often = { interval_seconds: 10, failure_threshold: 1, recovery_threshold: 1, locations: ['amsterdam'] }
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

async function alertsOf({ database }: EngineBench): Promise<string[]> {
  const { rows } = await database.pool.query<{ type: string }>(
    `select alert ->> 'type' as type from deliveries order by created_at`,
  )
  return rows.map(({ type }) => type)
}

async function turn(bench: EngineBench, id: string, status: 'up' | 'down'): Promise<void> {
  const [told] = await bench.taken(id, ['amsterdam'])
  assert.ok(told)
  await bench.answer(told, status === 'up' ? {} : failing)
  await until(`status ${status}`, async () => (await standingOf(bench.database, id)).current_status === status)
}

function aroundNow(now = Date.now()) {
  return [{ startsAt: new Date(now - hour), endsAt: new Date(now + hour) }]
}

async function prepare({ withoutWindow = false, tags = new Array<string>() } = {}) {
  const bench = await engineBench()
  await addContact(bench.database, bench.api.workspaceId)
  const { id } = await createMonitor(bench.api, { ...often, tags })
  const planned = { workspaceId: bench.api.workspaceId, occurrences: aroundNow() }
  const window = withoutWindow ? null : await planMaintenance(bench.database, planned)
  const tell = (now = new Date()) => tellReleased({ database: bench.database, log, now: () => now })
  return { bench, id, window, tell }
}

describe('alerts in a maintenance', { concurrency: 4 }, () => {
  it('rest, and what is over before it ends was never told', async () => {
    const { bench, id, tell } = await prepare()
    await turn(bench, id, 'down')
    assert.equal(only(await incidentsOf(bench.database, id)).status, 'open', 'incidents are facts')
    await tell()
    await turn(bench, id, 'up')
    await tell(new Date(Date.now() + 2 * hour))
    assert.deepEqual(await alertsOf(bench), [])
    assert.equal((await bench.database.query.selectFrom('withheld_alerts').selectAll().execute()).length, 0)
  })

  it('rest also by a look that began before the maintenance did', async () => {
    const { bench, id, tell } = await prepare({ withoutWindow: true })
    const [startsAt, endsAt] = [new Date(Date.now() - 30_000), new Date(Date.now() + hour)]
    await planMaintenance(bench.database, { workspaceId: bench.api.workspaceId, occurrences: [{ startsAt, endsAt }] })
    await turn(bench, id, 'down')
    await tell(new Date(startsAt.getTime() - 1_000))
    assert.deepEqual(await alertsOf(bench), [])
    await tell(new Date(endsAt.getTime() + 1_000))
    assert.deepEqual(await alertsOf(bench), ['monitor.down'])
  })

  it('come once when it ends and the incident does not, and then its recovery', async () => {
    const { bench, id, window, tell } = await prepare()
    await turn(bench, id, 'down')
    await tell()
    assert.deepEqual(await alertsOf(bench), [])
    const now = new Date()
    await bench.database.transaction((tx) => endOccurrence(tx, { key: window?.key ?? '', now }))
    await Promise.all([tell(new Date()), tell(new Date()), tell(new Date())])
    assert.deepEqual(await alertsOf(bench), ['monitor.down'])
    await turn(bench, id, 'up')
    assert.deepEqual(await alertsOf(bench), ['monitor.down', 'monitor.up'])
  })

  it('do not come of an incident that somebody has acknowledged meanwhile', async () => {
    const { bench, id, tell } = await prepare()
    await turn(bench, id, 'down')
    const { id: incident } = only(await incidentsOf(bench.database, id))
    assert.equal((await bench.api.post(`/incidents/${incident}/acknowledge`, {})).status, 200)
    await tell(new Date(Date.now() + 2 * hour))
    assert.deepEqual(await alertsOf(bench), [])
  })

  it('tell the recovery of what was told before it began', async () => {
    const { bench, id } = await prepare({ withoutWindow: true })
    await turn(bench, id, 'down')
    await planMaintenance(bench.database, { workspaceId: bench.api.workspaceId, occurrences: aroundNow() })
    await turn(bench, id, 'up')
    assert.deepEqual(await alertsOf(bench), ['monitor.down', 'monitor.up'])
  })

  it('rest while the monitor has a tag of the window, and come when it loses it', async () => {
    const { bench, id, tell } = await prepare({ withoutWindow: true, tags: ['disks'] })
    const { workspaceId } = bench.api
    await planMaintenance(bench.database, { workspaceId, occurrences: aroundNow(), monitorTags: ['Disks'] })
    await turn(bench, id, 'down')
    await tell()
    assert.deepEqual(await alertsOf(bench), [])
    const answer = await bench.api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', tags: ['tapes'] } })
    assert.equal(answer.status, 200, answer.text)
    await tell()
    assert.deepEqual(await alertsOf(bench), ['monitor.down'])
  })

  it('are left to the next look while an engine folds their monitor', async () => {
    const { bench, id, tell } = await prepare()
    const { database } = bench
    await turn(bench, id, 'down')
    const over = new Date(Date.now() + 2 * hour)
    await database.transaction(async (tx) => {
      await tx.client.query(
        'select from monitor_state where monitor_key = (select key from monitors where id = $1) for no key update',
        [id],
      )
      await tell(over)
      assert.deepEqual(await alertsOf(bench), [])
    })
    await tell(over)
    assert.deepEqual(await alertsOf(bench), ['monitor.down'])
  })

  it('come as ever from monitors that it does not cover', async () => {
    const { bench, id, tell } = await prepare({ withoutWindow: true })
    const { id: other } = await createMonitor(bench.api, often)
    const { workspaceId } = bench.api
    await planMaintenance(bench.database, { workspaceId, occurrences: aroundNow(), monitorIds: [other] })
    const past = aroundNow(Date.now() - 3 * hour)
    const future = aroundNow(Date.now() + 3 * hour)
    await planMaintenance(bench.database, { workspaceId, occurrences: [...past, ...future] })
    await turn(bench, other, 'down')
    await turn(bench, id, 'down')
    assert.deepEqual(await alertsOf(bench), ['monitor.down'])
    assert.equal((await bench.api.request('DELETE', `/monitors/${other}`)).status, 204)
    await tell()
    assert.deepEqual(await alertsOf(bench), ['monitor.down'], 'of a monitor that is gone nobody is told')
    assert.equal((await bench.database.query.selectFrom('withheld_alerts').selectAll().execute()).length, 0)
  })
})

describe('the plan of maintenance', () => {
  it('is kept five weeks ahead, by several at once, and never made twice', { timeout: 60_000 }, async () => {
    const { database, api } = await engineBench()
    const start = new Date('2031-01-01T12:00:00Z')
    const { id } = await planMaintenance(database, { workspaceId: api.workspaceId, occurrences: [], now: start })
    await database.query
      .updateTable('maintenance_windows')
      .set({
        schedule: JSON.stringify({ type: 'weekly', weekdays: [3], starts: '10:00', duration_minutes: 240 }),
        time_zone: 'Europe/Sofia',
      })
      .where('id', '=', id)
      .execute()
    const planned = async () => {
      const rows = await database.query
        .selectFrom('maintenance_occurrences')
        .select('starts_at')
        .orderBy('starts_at')
        .execute()
      return rows.map(({ starts_at: startsAt }) => startsAt.toISOString().slice(0, 16))
    }
    const keep = (days: number) => {
      const now = () => new Date(start.getTime() + days * 24 * hour)
      return Promise.all([1, 2, 3].map(() => planAhead({ database, now })))
    }
    await keep(0)
    const first = ['01-08', '01-15', '01-22', '01-29', '02-05'].map((day) => `2031-${day}T08:00`)
    assert.deepEqual(await planned(), first)
    await keep(0.5)
    assert.deepEqual(await planned(), first, 'a day at a time')
    await keep(8)
    assert.deepEqual(await planned(), [...first, '2031-02-12T08:00'])
    await keep(90)
    assert.deepEqual((await planned()).at(-1), '2031-04-30T07:00', 'in summer time')
    assert.equal(new Set(await planned()).size, (await planned()).length)
  })
})
