import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { dayMs } from '#core/language/utc-day.ts'
import type { SloInput } from '#core/objectives/slo.ts'
import type { Span } from '#core/objectives/spans.ts'
import { findSlo, insertSlo } from '#store/objectives/slos.ts'
import { addContact } from '../../test/support/alerts.ts'
import { testApi } from '../../test/support/api.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { givePast } from '../../test/support/objectives.ts'
import { tellSlos } from './objectives.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const minuteMs = 60_000
const startMs = Math.floor(Date.now() / 1000) * 1000
const stored = z.object({
  type: z.string(),
  data: z.object({
    slo: z.object({ reason: z.string().nullable(), burn_rate: z.number().nullable() }),
    episode: z.object({ id: z.string(), started_at: z.string(), ended_at: z.string().nullable() }),
  }),
})

describe('alerts of objectives', async () => {
  const api = await testApi({ maxConnections: 12 })
  const { database, workspaceId } = api
  const { id: monitorId } = await createMonitor(api)
  const sinceMs = startMs - 100 * dayMs
  let nowMs = startMs
  let ann = ''
  let bob = ''

  beforeEach(async () => {
    nowMs = startMs
    for (const table of ['slos', 'deliveries', 'maintenance_windows', 'alert_channels'])
      await database.pool.query(`delete from ${table}`)
    ann = await addContact(database, { workspaceId, name: 'Ann' })
    bob = await addContact(database, { workspaceId, name: 'Bob' })
    await see([])
  })

  /** The monitor's outages as they are known `nowMs`. */
  const see = (outages: Span[]) => givePast(database, monitorId, { sinceMs, nowMs, outages })
  const add = async (change: Partial<SloInput> = {}): Promise<string> => {
    const id = randomUUID()
    const usual = {
      name: 'Checkout',
      tags: [],
      objective: 99.9,
      window_days: 30,
      alerts: true,
      alert_channel_ids: null,
      escalation_policy_id: null,
    }
    await database.transaction((tx) =>
      insertSlo(tx, { ...usual, monitor_ids: [monitorId], ...change, id, workspaceId }),
    )
    return id
  }
  const look = () => tellSlos({ database, log, now: () => new Date(nowMs) }, new AbortController().signal)
  const told = async () => {
    const { rows } = await database.pool.query<{ alert: unknown; contact: string; after: string | null; id: string }>(
      `select d.id, d.alert, d.alert_channel_id as contact, d.after_id as after
      from deliveries d
      join alert_channels c on c.id = d.alert_channel_id
      order by d.created_at, c.name`,
    )
    return rows.map(({ alert, contact, after, id }) => {
      const { type, data } = stored.parse(alert)
      return { id, contact, after, type, data }
    })
  }
  const types = async () => (await told()).map(({ type, data }) => data.slo.reason ?? type)
  const burning = (): Span[] => [[nowMs - 2 * minuteMs, nowMs]]

  it('are told once, and once more when it is over, to those that were told', async () => {
    const id = await add()
    await look()
    assert.deepEqual(await told(), [])
    nowMs += minuteMs
    await see(burning())
    await look()
    nowMs += minuteMs
    await look()
    assert.deepEqual(await types(), ['burning', 'burning'])
    const alarm = (await findSlo(database, { workspaceId, id }))?.alarm
    assert.equal(alarm?.reason, 'burning')
    await addContact(database, { workspaceId, name: 'Zoe' })
    nowMs += 10 * minuteMs
    await see([[nowMs - 14 * minuteMs, nowMs - 12 * minuteMs]])
    await look()
    const all = await told()
    assert.deepEqual(
      all.map(({ type, contact }) => [type, contact]),
      [
        ['slo.burning', ann],
        ['slo.burning', bob],
        ['slo.recovered', ann],
        ['slo.recovered', bob],
      ],
    )
    assert.deepEqual([all[2]?.after, all[3]?.after], [all[0]?.id, all[1]?.id])
    assert.deepEqual(new Set(all.map(({ data }) => data.episode.id)), new Set([alarm.id]))
    assert.equal(all[2]?.data.episode.ended_at, new Date(nowMs).toISOString())
    assert.equal((await findSlo(database, { workspaceId, id }))?.alarm, null)
  })

  it('are told again when the budget is used up, and not when that burns on', async () => {
    await add({ alert_channel_ids: [ann] })
    await see(burning())
    await look()
    nowMs += minuteMs
    await see([[nowMs - 50 * minuteMs, nowMs]])
    await look()
    nowMs += minuteMs
    await look()
    assert.deepEqual(await types(), ['burning', 'used_up'])
    const [first, second] = await told()
    assert.deepEqual(second?.data.episode, first?.data.episode)
  })

  it('go to contacts that the objective chooses and that want them, and to all where none of them is left', async () => {
    await database.pool.query(`update alert_channels set alert_rules = '{"events":["down"]}' where id = $1`, [bob])
    await see(burning())
    for (const [chosen, expected] of [
      [null, [ann]],
      [[ann, bob], [ann]],
      [[bob], []],
      [[], []],
      [[randomUUID()], [ann]],
    ] as const) {
      await database.pool.query('delete from deliveries')
      await add({ alert_channel_ids: chosen === null ? null : [...chosen] })
      await look()
      assert.deepEqual((await told()).map(({ contact }) => contact), expected, JSON.stringify(chosen)) // prettier-ignore
      await database.pool.query('delete from slos')
    }
  })

  it('are not told of objectives without alerts, but their end is where alerts were switched off meanwhile', async () => {
    const quiet = await add({ alerts: false })
    const loud = await add({ alert_channel_ids: [ann] })
    await see(burning())
    await look()
    assert.equal((await findSlo(database, { workspaceId, id: quiet }))?.alarm, null)
    assert.deepEqual(await types(), ['burning'])
    await api.request('PATCH', `/slos/${loud}`, { body: { alerts: false } })
    nowMs += minuteMs
    await see([])
    await look()
    assert.deepEqual(await types(), ['burning', 'slo.recovered'])
  })

  it('neither begin nor end while nothing is known', async () => {
    await add({ alert_channel_ids: [ann] })
    await see(burning())
    await look()
    nowMs += 2 * 60 * minuteMs
    await database.pool.query('update monitors set interval_seconds = 60')
    await look()
    assert.deepEqual(await types(), ['burning'])
    await see([])
    nowMs += minuteMs
    await look()
    assert.deepEqual(await types(), ['burning', 'slo.recovered'])
  })

  it('are told once each, however many processes look at the same time', async () => {
    for (let count = 0; count < 30; count += 1) await add({ name: `SLO ${count}`, alert_channel_ids: [ann] })
    await see(burning())
    await Promise.all(Array.from({ length: 8 }, look))
    // Claims of the same moment, as of a process that died after its claim and is looked after by two others.
    await database.pool.query('update slos set checked_at = null')
    await Promise.all(Array.from({ length: 8 }, look))
    assert.equal((await types()).length, 30)
    nowMs += 20 * minuteMs
    await see([])
    await Promise.all(Array.from({ length: 8 }, look))
    assert.equal((await types()).filter((type) => type === 'slo.recovered').length, 30)
    const jobs = await database.pool.query(`select from graphile_worker.jobs where task_identifier = 'deliver'`)
    assert.ok((jobs.rowCount ?? 0) >= 30)
  })
})
