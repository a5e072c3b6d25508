import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type Plan, defaultPlans } from '#core/money/plan.ts'
import { type Answer, testApi } from '../../../test/support/api.ts'
import { until } from '../../../test/support/until.ts'
import { changePlan } from './plan-change.ts'

const made = z.object({ data: z.object({ id: z.uuid(), status: z.string(), interval_seconds: z.int() }) })
const held = z.object({ held_back: z.object({ error: z.string(), message: z.string() }).optional() })
const account = z.object({ data: z.object({ plan: z.string(), plan_monitors: z.unknown() }) })

describe('another plan', async () => {
  const plans: Record<string, Plan> = { ...defaultPlans, small: { ...defaultPlans.free, slots: 3 } }
  const api = await testApi({ services: { plans }, maxConnections: 20 })
  const { database } = api

  async function workspaceOn(plan = 'pro') {
    const { workspaceId, token } = await api.addWorkspace(plan)
    const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
      api.request(method, path, { token, ...(body === undefined ? {} : { body }) })
    return {
      workspaceId,
      call,
      create: async (more: Record<string, unknown> = {}) => {
        const body = { name: 'x', kind: 'http', url: 'https://shop.example', interval_seconds: 30, ...more }
        const answer = await call('POST', '/monitors', body)
        assert.equal(answer.status, 201, answer.text)
        return made.parse(answer.body).data.id
      },
      put: (name: string, at = new Date()) => {
        const rules = plans[name] ?? assert.fail()
        return database.transaction((tx) => changePlan(tx, { workspaceId, plan: name, rules, at }))
      },
      states: async () => {
        const { rows } = await database.pool.query<{
          status: string
          pause_reason: string | null
          interval_seconds: number
          retry_interval_seconds: number | null
        }>(
          'select status, pause_reason, interval_seconds, retry_interval_seconds from monitors where workspace_id = $1 order by created_at, id',
          [workspaceId],
        )
        return rows
      },
    }
  }

  const none = { raised: 0, paused: 0, resumed: 0, silenced: 0 }

  it('that is smaller raises intervals, keeps the oldest monitors and pauses the newest', async () => {
    const { create, put, states, call } = await workspaceOn()
    for (let count = 0; count < 12; count += 1) await create({ interval_seconds: count === 0 ? 600 : 30 })
    assert.deepEqual(await put('free'), { raised: 11, paused: 2, resumed: 0, silenced: 0 })
    const after = await states()
    assert.deepEqual(
      after.map(({ status, pause_reason: reason }) => [status, reason]),
      [...Array.from({ length: 10 }, () => ['enabled', null]), ['paused', 'plan'], ['paused', 'plan']],
    )
    assert.deepEqual(new Set(after.map(({ interval_seconds: seconds }) => seconds)), new Set([300, 600]))
    const shown = account.parse((await call('GET', '/account')).body).data
    assert.deepEqual(shown, { plan: 'free', plan_monitors: { limit: 10, used: 12, free: 0 } })
    assert.equal((await call('POST', '/monitors', { name: 'y', url: 'https://a.example' })).status, 503)
    assert.deepEqual(await put('free'), none, 'twice is as good as once')
  })

  it('that is slower raises retries as well, and leaves the interval of a monitor that only retried quickly', async () => {
    const { create, put, states } = await workspaceOn()
    await create({ interval_seconds: 600, retry_interval_seconds: 20 })
    await create({ interval_seconds: 600, retry_interval_seconds: 400 })
    assert.deepEqual(await put('free'), { ...none, raised: 1 })
    assert.deepEqual(
      (await states()).map(({ interval_seconds: interval, retry_interval_seconds: retry }) => [interval, retry]),
      [
        [600, 300],
        [600, 400],
      ],
    )
  })

  it('waits for an engine that is writing what it saw, and ends neither', async () => {
    const { create, put, workspaceId } = await workspaceOn()
    for (let count = 0; count < 4; count += 1) await create()
    const { rows } = await database.pool.query<{ key: string; partition: number }>(
      'select key, partition from monitors where workspace_id = $1 order by created_at desc, id desc',
      [workspaceId],
    )
    const changes: ReturnType<typeof put>[] = []
    await database.transaction(async ({ client }) => {
      const partitions = rows.map(({ partition }) => partition)
      await client.query(
        'select from partitions where partition = any($1::smallint[]) order by partition for no key update',
        [partitions],
      )
      for (const [index, { key }] of rows.entries()) {
        await client.query('update monitor_state set consecutive_failures = 1 where monitor_key = $1', [key])
        if (index > 0) continue
        changes.push(put('small'))
        await until('the change waits', async () => {
          const waiting = await database.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          return waiting.rows.length > 0
        })
      }
    })
    assert.deepEqual(await Promise.all(changes), [{ ...none, raised: 4, paused: 1 }])
  })

  it('that is larger again resumes what the smaller one paused, and nothing else', async () => {
    const { create, put, states, call } = await workspaceOn()
    const ids: string[] = []
    for (let count = 0; count < 6; count += 1) ids.push(await create())
    await call('POST', `/monitors/${ids[5] ?? ''}/pause`)
    assert.deepEqual(await put('small'), { ...none, raised: 6, paused: 2 })
    assert.deepEqual(await put('pro'), { ...none, resumed: 2 })
    assert.deepEqual(
      (await states()).map(({ status }) => status),
      ['enabled', 'enabled', 'enabled', 'enabled', 'enabled', 'paused'],
    )
  })

  it('ends incidents of paused monitors without an alert, and lets no late result count', async () => {
    const { create, put, workspaceId } = await workspaceOn()
    const at = new Date()
    for (let count = 0; count < 4; count += 1) await create()
    const { rows } = await database.pool.query<{ id: string; key: string; version: number }>(
      'select id, key, version from monitors where workspace_id = $1 order by created_at desc, id desc limit 1',
      [workspaceId],
    )
    const [last] = rows
    const incident = randomUUID()
    await database.pool.query(
      `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at)
      values ($1, $2, $3, 'x', 'open', 'x is down', now())`,
      [incident, workspaceId, last?.id],
    )
    await database.pool.query(
      `update monitor_state set current_status = 'down', incident_id = $1 where monitor_key = $2`,
      [incident, last?.key],
    )
    await put('small', at)
    const after = await database.pool.query(
      `select i.status, s.current_status, m.version > $2 as is_newer
      from incidents i, monitors m
      join monitor_state s on s.monitor_key = m.key
      where i.id = $1 and m.id = i.monitor_id`,
      [incident, last?.version],
    )
    assert.deepEqual(after.rows, [{ status: 'resolved', current_status: 'pending', is_newer: true }])
    const deliveries = await database.pool.query('select from deliveries where incident_id = $1', [incident])
    assert.equal(deliveries.rowCount, 0)
  })

  it('without alerts of vulnerabilities switches them off, but for repositories', async () => {
    const { create, put, call } = await workspaceOn()
    const site = await create({ vulnerability_alerts: true })
    const repository = await create({ kind: 'repository', url: 'https://github.com/a/b', interval_seconds: 86_400 })
    const read = async (id: string) =>
      z
        .object({ data: z.object({ vulnerability_alerts: z.boolean() }) })
        .parse((await call('GET', `/monitors/${id}`)).body).data.vulnerability_alerts
    assert.equal(await read(site), true)
    const before = await read(repository)
    assert.equal((await put('free')).silenced, 1)
    assert.equal(await read(site), false)
    assert.equal(await read(repository), before)
    assert.equal((await put('pro')).silenced, 0)
    assert.equal(await read(site), false, 'nobody switched it on again')
  })

  it('moves the deadline of what waits to be called', async () => {
    const { create, put } = await workspaceOn()
    const id = await create({ kind: 'heartbeat', url: undefined, interval_seconds: 60 })
    await database.pool.query(
      `update monitor_state set deadline_at = '2030-01-01T00:00:00Z' where monitor_key = (select key from monitors where id = $1)`,
      [id],
    )
    await put('free')
    const { rows } = await database.pool.query<{ deadline_at: Date }>(
      'select deadline_at from monitor_state where monitor_key = (select key from monitors where id = $1)',
      [id],
    )
    assert.equal(rows[0]?.deadline_at.toISOString(), '2030-01-01T00:04:00.000Z')
  })

  it('leaves the deadline where calls come by a schedule', async () => {
    const { create, put } = await workspaceOn()
    const schedule = { schedule: '* * * * *' }
    const id = await create({ kind: 'heartbeat', url: undefined, interval_seconds: 60, check_options: schedule })
    await database.pool.query(
      `update monitor_state set deadline_at = '2030-01-01T00:00:00Z' where monitor_key = (select key from monitors where id = $1)`,
      [id],
    )
    await put('free')
    const { rows } = await database.pool.query<{ deadline_at: Date; interval_seconds: number }>(
      'select deadline_at, interval_seconds from monitor_state join monitors on key = monitor_key where id = $1',
      [id],
    )
    const [found] = rows
    assert.deepEqual([found?.deadline_at.toISOString(), found?.interval_seconds], ['2030-01-01T00:00:00.000Z', 300])
  })

  it('lets a paused monitor run again only when another gives way', async () => {
    const { create, put, call } = await workspaceOn()
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.push(await create())
    await put('small')
    const resume = async (id = '') => made.parse((await call('POST', `/monitors/${id}/resume`)).body).data.status
    assert.equal(await resume(ids[4]), 'paused')
    const { held_back: reason } = held.parse((await call('POST', `/monitors/${ids[4] ?? ''}/resume`)).body)
    assert.deepEqual([reason?.error, /slots of the plan/.test(reason?.message ?? '')], ['limit_reached', true])
    await call('POST', `/monitors/${ids[0] ?? ''}/pause`)
    const outcomes = await Promise.all([resume(ids[3]), resume(ids[4]), resume(ids[0])])
    assert.deepEqual(outcomes.toSorted(), ['enabled', 'paused', 'paused'])
    assert.equal((await call('DELETE', `/monitors/${ids[1] ?? ''}`)).status, 204)
    const again = await Promise.all([resume(ids[3]), resume(ids[4]), resume(ids[0])])
    assert.equal(again.filter((status) => status === 'enabled').length, 2)
  })

  it('is what changes and creates wait for that come while it is made', async () => {
    const { create, call, workspaceId, states } = await workspaceOn()
    const id = await create()
    const [changed, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const change = database.transaction(async (tx) => {
      await changePlan(tx, { workspaceId, plan: 'free', rules: defaultPlans.free, at: new Date() })
      changed.resolve()
      await leave.promise
    })
    await changed.promise
    const both = Promise.all([
      call('PATCH', `/monitors/${id}`, { name: 'z', interval_seconds: 10 }),
      call('POST', '/monitors', { name: 'y', url: 'https://a.example', interval_seconds: 10 }),
    ])
    await until('both wait', async () => {
      const waiting = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return waiting.rowCount === 2
    })
    leave.resolve()
    await change
    assert.deepEqual(
      (await both).map(({ status }) => status),
      [422, 422],
    )
    assert.deepEqual(
      (await states()).map(({ interval_seconds: seconds }) => seconds),
      [300],
    )
  })

  it('holds whatever else happens at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { create, put, call, states } = await workspaceOn()
      const ids = await Promise.all(Array.from({ length: 4 }, () => create()))
      await Promise.all([
        put('small'),
        ...Array.from({ length: 4 }, () =>
          call('POST', '/monitors', { name: 'y', url: 'https://a.example', interval_seconds: 10 }),
        ),
        ...ids.map((id) => call('PATCH', `/monitors/${id}`, { name: 'z', interval_seconds: 10 })),
        ...ids.map((id) => call('POST', `/monitors/${id}/pause`).then(() => call('POST', `/monitors/${id}/resume`))),
      ])
      const after = await states()
      assert.ok(after.filter(({ status }) => status === 'enabled').length <= 3, JSON.stringify(after))
      assert.ok(
        after.every(({ interval_seconds: seconds }) => seconds >= 300),
        JSON.stringify(after),
      )
    }
  })
})
