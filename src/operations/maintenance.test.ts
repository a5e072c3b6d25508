import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type MaintenanceRecord, maintenanceSchema, maxWindows } from '#core/maintenance.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { codeOf, peopleApi } from '../../test/support/people.ts'

const one = z.object({ data: maintenanceSchema })
const list = z.object({ data: z.array(maintenanceSchema) })
const refusal = z.object({ fields: z.record(z.string(), z.array(z.string())) })
const hour = 3_600_000
const at = (hours: number): string => new Date(Date.now() + hours * hour).toISOString()
const once = (from: number, to: number) => ({ type: 'once', starts_at: at(from), ends_at: at(to) })
/** Far from now, whatever the time of day is. */
const farHour = (new Date().getUTCHours() + 12) % 24
const nightly = { type: 'cron', expression: `0 ${farHour} * * *`, duration_minutes: 60 }

describe('maintenance windows', async () => {
  const people = await peopleApi({ maxConnections: 20 })
  const { browser, workspaceId: workspace, personId } = await people.newcomer('owner@example.com')
  const { api } = people
  const call = (method: string, path: string, body?: unknown) =>
    browser.api(method, `/maintenance-windows${path}`, { workspace, ...(body === undefined ? {} : { body }) })
  const create = async (body: Record<string, unknown>): Promise<MaintenanceRecord> => {
    const answer = await call('POST', '', { name: 'Upgrade', ...body })
    assert.equal(answer.status, 201, answer.text)
    return one.parse(answer.body).data
  }
  const shown = async (id: string) =>
    list.parse((await call('GET', '')).body).data.find((window) => window.id === id) ?? assert.fail('not listed')
  const monitorIn = async (name: string) => {
    const answer = await browser.api('POST', '/monitors', {
      workspace,
      body: { name, kind: 'http', url: 'https://shop.example/' },
    })
    assert.equal(answer.status, 201, answer.text)
    return z.object({ data: z.object({ id: z.string() }) }).parse(answer.body).data.id
  }

  it('say when they are, and cover what they name', async () => {
    const [a, b] = [await monitorIn('A'), await monitorIn('B')]
    const made = await create({ schedule: nightly, monitor_ids: [b, a.toUpperCase(), b], excludes_uptime: true })
    assert.deepEqual(new Set(made.monitor_ids), new Set([a, b]))
    assert.equal(made.current, null)
    assert.equal(made.next.length, 3)
    for (const { starts_at, ends_at } of made.next) {
      assert.deepEqual([new Date(starts_at).getUTCHours(), starts_at.slice(13)], [farHour, ':00:00.000Z'])
      assert.equal(Date.parse(ends_at) - Date.parse(starts_at), hour)
    }
    assert.deepEqual(await shown(made.id), made)
  })

  it('cover monitors by tags, beside those that they name, or those alone', async () => {
    const id = await monitorIn('Named')
    const made = await create({ schedule: nightly, monitor_tags: ['Team Blue'] })
    assert.deepEqual([made.monitor_ids, made.monitor_tags], [[], ['Team Blue']])
    const { id: window, current: _current, next: _next, created_at: _at, ...input } = made
    const change = async (body: object) => {
      const answer = await call('PUT', `/${window}`, { ...input, ...body })
      assert.equal(answer.status, 200, answer.text)
      const { monitor_ids: ids, monitor_tags: tags } = one.parse(answer.body).data
      return [ids, tags]
    }
    assert.deepEqual(await change({}), [[], ['Team Blue']])
    assert.deepEqual(await change({ monitor_ids: [id], monitor_tags: ['disks'] }), [[id], ['disks']])
    assert.deepEqual(await change({ monitor_ids: [id], monitor_tags: [] }), [[id], []])
    assert.deepEqual(await change({ monitor_ids: null, monitor_tags: [] }), [null, []])
    for (const [body, field] of [
      [{ monitor_ids: [], monitor_tags: [] }, 'monitor_ids'],
      [{ monitor_tags: ['a,b'] }, 'monitor_tags.0'],
    ] as const) {
      const refused = await call('PUT', `/${window}`, { ...input, ...body })
      assert.deepEqual([refused.status, Object.keys(refusal.parse(refused.body).fields)], [422, [field]])
    }
  })

  it('have tags, which a change replaces', async () => {
    const made = await create({ schedule: nightly, tags: ['Team Blue'] })
    assert.deepEqual(made.tags, ['Team Blue'])
    const { id, current: _current, next: _next, created_at: _at, ...input } = made
    const change = async (body: object) => one.parse((await call('PUT', `/${id}`, body)).body).data.tags
    assert.deepEqual(await change({ ...input, name: 'Other' }), ['Team Blue'])
    assert.deepEqual(await change({ ...input, tags: ['nights', 'disks'] }), ['nights', 'disks'])
    const refused = await call('PUT', `/${id}`, { ...input, tags: ['nights', 'Nights'] })
    assert.deepEqual([refused.status, Object.keys(refusal.parse(refused.body).fields)], [422, ['tags']])
    assert.deepEqual((await create({ schedule: nightly })).tags, [])
  })

  it('say when they would be, before there is one, and refuse what they would refuse', async () => {
    const preview = (body: object) => call('POST', '/preview', body)
    const times = z.object({ data: z.array(z.strictObject({ starts_at: z.string(), ends_at: z.string() })) })
    const before = (await call('GET', '')).body
    const asked = await preview({ schedule: nightly, time_zone: 'Europe/Sofia' })
    const { data } = times.parse(asked.body)
    assert.equal(data.length, 5)
    for (const { starts_at, ends_at } of data) {
      const local = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Sofia', hour: 'numeric', hourCycle: 'h23' })
      assert.equal(Number(local.format(new Date(starts_at))), farHour)
      assert.equal(Date.parse(ends_at) - Date.parse(starts_at), hour)
    }
    assert.equal(times.parse((await preview({ schedule: once(-1, 1) })).body).data.length, 1)
    assert.deepEqual(times.parse((await preview({ schedule: once(-2, -1) })).body).data, [])
    const wrong = await preview({ schedule: { ...nightly, expression: 'often' }, time_zone: 'UTC' })
    assert.deepEqual([wrong.status, Object.keys(refusal.parse(wrong.body).fields)], [422, ['schedule.expression']])
    assert.deepEqual((await call('GET', '')).body, before)
  })

  const setRole = (role: string) =>
    api.database.pool.query('update members set role = $1 where person_id = $2 and workspace_id = $3', [
      role,
      personId,
      workspace,
    ])

  it('that are under way end when somebody says so, and only then', async () => {
    const { id, current, next } = await create({ schedule: once(-1, 2) })
    assert.deepEqual([current !== null, next], [true, []])
    const ended = one.parse((await call('POST', `/${id}/end`)).body).data
    assert.equal(ended.current, null)
    assert.equal((await call('POST', `/${id}/end`)).status, 200, 'again, with nothing to end')
    const renamed = await call('PUT', `/${id}`, { ...ended, ...without, name: 'Other' })
    assert.equal(renamed.status, 200, renamed.text)
    assert.equal(one.parse(renamed.body).data.current, null, 'another name begins nothing anew')
  })

  it('end at once when another time is planned, and begin at once when it is now', async () => {
    const { id } = await create({ schedule: once(-1, 2) })
    const moved = one.parse((await call('PUT', `/${id}`, { name: 'Later', schedule: once(24, 25) })).body).data
    assert.deepEqual([moved.name, moved.current, moved.next.length], ['Later', null, 1])
    const longer = once(-0.5, 3)
    const back = one.parse((await call('PUT', `/${id}`, { name: 'Now', schedule: longer })).body).data
    assert.deepEqual([back.current?.ends_at, back.next.length], [longer.ends_at, 0])
  })

  it('are refused where a field says nothing that can be', async () => {
    const { id } = await createMonitor(api)
    const refused: [Record<string, unknown>, field: string][] = [
      [{ schedule: once(-3, -2) }, 'schedule.ends_at'],
      [{ schedule: once(2, 1) }, 'schedule.ends_at'],
      [{ schedule: { ...nightly, expression: '61 * * * *' } }, 'schedule.expression'],
      [{ schedule: nightly, time_zone: 'Mars/Base' }, 'time_zone'],
      [{ schedule: nightly, monitor_ids: [randomUUID()] }, 'monitor_ids'],
      [{ schedule: nightly, monitor_ids: [id] }, 'monitor_ids'],
      [{ schedule: nightly, colour: 'red' }, 'colour'],
    ]
    for (const [body, field] of refused) {
      const answer = await call('POST', '', { name: 'Upgrade', ...body })
      assert.deepEqual([answer.status, Object.keys(refusal.parse(answer.body).fields)], [422, [field]], answer.text)
    }
    assert.equal(id.length, 36)
  })

  it('are planned by members and seen by viewers, in their own workspace alone', async () => {
    const { id } = await create({ schedule: nightly })
    const stranger = await people.newcomer('stranger@example.com')
    const foreign = { workspace: stranger.workspaceId }
    for (const [method, path] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/end'],
    ] as const) {
      const body = method === 'PUT' ? { body: { name: 'x', schedule: nightly } } : {}
      const answer = await stranger.browser.api(method, `/maintenance-windows/${id}${path}`, { ...foreign, ...body })
      assert.equal(answer.status, 404, `${method} ${path}`)
    }
    await setRole('viewer')
    assert.equal((await call('GET', '')).status, 200)
    const answer = await call('DELETE', `/${id}`)
    assert.deepEqual([answer.status, codeOf(answer)], [403, 'insufficient_scope'])
    await setRole('owner')
    assert.equal((await call('DELETE', `/${id}`)).status, 204)
    assert.equal((await call('DELETE', `/${id}`)).status, 404)
  })

  it(`are at most ${maxWindows} a workspace, however many are made at once`, { timeout: 60_000 }, async () => {
    const other = await people.newcomer('many@example.com')
    const answers = await Promise.all(
      Array.from({ length: maxWindows + 10 }, () =>
        other.browser.api('POST', '/maintenance-windows', {
          workspace: other.workspaceId,
          body: { name: 'x', schedule: nightly },
        }),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    assert.deepEqual(new Set(refused.map(codeOf)), new Set(['limit_reached']))
    assert.equal(refused.length, 10)
  })
})

/** Members of a window that are no input. */
const without = { id: undefined, current: undefined, next: undefined, created_at: undefined }
