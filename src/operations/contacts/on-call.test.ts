import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import {
  maxOverrides,
  maxSchedules,
  onCallDetailSchema,
  onCallNowSchema,
  onCallOverrideSchema,
  onCallScheduleSchema,
  onCallShiftsSchema,
} from '#core/contacts/on-call-schedule.ts'
import { onCallChores } from '#jobs/contacts/on-call.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { testApi } from '../../../test/support/api.ts'
import { peopleApi } from '../../../test/support/people.ts'

const one = z.strictObject({ data: onCallDetailSchema })
const refusal = z.looseObject({ error: z.string(), fields: z.record(z.string(), z.array(z.string())).optional() })
const dayMs = 86_400_000
/** A Thursday. */
const now = new Date('2026-10-22T12:00:00Z')
const after = (days: number): string => new Date(now.getTime() + days * dayMs).toISOString()

describe('on-call schedules', async () => {
  const clock = { now }
  const api = await testApi({ now: () => clock.now, rates: { writesPerMinute: 10_000, readsPerMinute: 10_000 } })
  const { database } = api
  const contactNamed = async (name: string, token = api.token): Promise<string> => {
    const body = { name, kind: 'email', destination: `${randomUUID()}@example.com` }
    const answer = await api.post('/alert-channels', body, { token })
    return z.object({ data: z.object({ id: z.string() }) }).parse(answer.body).data.id
  }
  const [ada, bob, eve] = [
    await contactNamed('Ada'),
    await contactNamed('Bob'),
    await contactNamed('Eve, "E"; on\\call'),
  ]
  const daily = { participants: [ada, bob], rotation: { every: 1, unit: 'days' }, hand_over: '09:00' }
  const base = { ...daily, start_date: '2026-10-01' }
  const create = async (layers: unknown[] = [base], more = {}) => {
    const body = { name: 'Shop', time_zone: 'Europe/Sofia', layers, ...more }
    const answer = await api.post('/on-call-schedules', body)
    assert.equal(answer.status, 201, answer.text)
    return one.parse(answer.body).data
  }
  const shown = async (id: string) => one.parse((await api.get(`/on-call-schedules/${id}`)).body).data
  const change = (id: string, body: unknown) => api.request('PATCH', `/on-call-schedules/${id}`, { body })
  const remove = (path: string) => api.request('DELETE', `/on-call-schedules/${path}`)
  const override = (id: string, body: object) => api.post(`/on-call-schedules/${id}/overrides`, body)
  const shiftsIn = async (id: string, query = '') =>
    z.object({ data: onCallShiftsSchema }).parse((await api.get(`/on-call-schedules/${id}/shifts${query}`)).body).data
  const onCall = async () => z.object({ data: z.array(onCallNowSchema) }).parse((await api.get('/on-call')).body).data

  it('are made, read, changed and deleted', async () => {
    const made = await create()
    assert.deepEqual(made.layers[0], { ...base, name: null, weekday: null, restrictions: [] })
    assert.deepEqual([made.gaps, made.has_calendar], [[], false])
    assert.deepEqual(await shown(made.id), made)
    const list = z.object({ data: z.array(onCallScheduleSchema) }).parse((await api.get('/on-call-schedules')).body)
    assert.deepEqual(
      list.data.map(({ id }) => id),
      [made.id],
    )
    assert.equal((await change(made.id, { name: 'Warehouse' })).status, 200)
    const office = { ...base, restrictions: [{ weekdays: [1, 2, 3, 4, 5], starts: '08:00', ends: '18:00' }] }
    const changed = one.parse((await change(made.id, { layers: [office] })).body).data
    assert.deepEqual([changed.name, changed.layers[0]?.participants], ['Warehouse', [ada, bob]])
    assert.equal(changed.gaps.length, 10)
    assert.deepEqual(changed.gaps[0], {
      starts_at: '2026-10-22T15:00:00.000Z',
      ends_at: '2026-10-23T05:00:00.000Z',
      override_id: null,
    })
    assert.equal((await remove(made.id)).status, 204)
    assert.equal((await remove(made.id)).status, 404)
    const { entries } = await listAuditEntries(database, { workspaceId: api.workspaceId, before: null, limit: 4 })
    const actions = ['delete', 'update', 'update', 'create'].map((verb) => `${verb}_on_call_schedule`)
    assert.deepEqual(
      entries.map(({ action }) => action),
      actions,
    )
  })

  it('name the field that is wrong', async () => {
    const theirs = await contactNamed('Theirs', (await api.addWorkspace()).token)
    const cases: [layers: unknown[], field: string][] = [
      [[{ ...base, participants: [ada, theirs] }], 'layers.0.participants.1'],
      [[base, { ...base, participants: [ada, bob, randomUUID()] }], 'layers.1.participants.2'],
      [[{ ...base, participants: ['ada'] }], 'layers.0.participants.0'],
      [[{ ...base, participants: Array.from({ length: 51 }, () => ada) }], 'layers.0.participants'],
      [[{ ...base, hand_over: '24:00' }], 'layers.0.hand_over'],
      [[{ ...base, weekday: 1 }], 'layers.0.weekday'],
      [[{ ...base, rotation: { every: 53, unit: 'weeks' } }], 'layers.0.rotation.every'],
      [[{ ...base, rotation: { every: 0, unit: 'days' } }], 'layers.0.rotation.every'],
      [[{ ...base, start_date: '2026-02-30' }], 'layers.0.start_date'],
      [[{ ...base, start_date: '1999-12-31' }], 'layers.0.start_date'],
      [[{ ...base, restrictions: [{ weekdays: [8], starts: '08:00', ends: '9' }] }], 'layers.0.restrictions.0.ends'],
      [Array.from({ length: 11 }, () => base), 'layers'],
    ]
    for (const [layers, field] of cases) {
      const answer = await api.post('/on-call-schedules', { name: 'Shop', time_zone: 'UTC', layers })
      assert.equal(answer.status, 422, field)
      assert.ok(field in (refusal.parse(answer.body).fields ?? {}), answer.text)
    }
    const answer = await api.post('/on-call-schedules', { name: 'Shop', time_zone: 'Mars/Olympus' })
    assert.deepEqual(Object.keys(refusal.parse(answer.body).fields ?? {}), ['time_zone'])
    assert.deepEqual(await onCall(), [])
  })

  it('say who is on call, now and later, across a change of clocks', async () => {
    const { id } = await create([base, { ...base, participants: [] }])
    assert.deepEqual(await onCall(), [
      { schedule_id: id, name: 'Shop', contact_ids: [bob], until: '2026-10-23T06:00:00.000Z' },
    ])
    const { shifts, gaps, layers } = await shiftsIn(id, `?from=${now.toISOString()}&until=${after(4)}&layers=1`)
    assert.deepEqual(
      shifts.map(({ starts_at: starts, contact_id: contact }) => [starts.slice(5, 16), contact]),
      [
        ['10-22T12:00', bob],
        ['10-23T06:00', ada],
        ['10-24T06:00', bob],
        // Clocks were put back in this night.
        ['10-25T07:00', ada],
        ['10-26T07:00', bob],
      ],
    )
    assert.deepEqual([gaps, layers], [[], [shifts, []]])
    assert.equal((await shiftsIn(id)).shifts.length, 15)
    const refused: [query: string, field: string][] = [
      [`?from=${after(367)}`, 'from'],
      [`?until=${after(63)}`, 'until'],
      [`?until=${after(0)}`, 'until'],
      ['?from=yesterday', 'from'],
    ]
    for (const [query, field] of refused) {
      const answer = await api.get(`/on-call-schedules/${id}/shifts${query}`)
      assert.deepEqual([answer.status, Object.keys(refusal.parse(answer.body).fields ?? {})], [422, [field]], query)
    }
    await remove(id)
  })

  it('have overrides, which win, and may leave it to no one', async () => {
    const { id } = await create()
    const added = await override(id, { starts_at: after(-1), ends_at: after(0.5), contact_id: eve })
    const { data } = z.object({ data: onCallOverrideSchema }).parse(added.body)
    assert.deepEqual((await onCall())[0]?.contact_ids, [eve])
    assert.equal((await override(id, { starts_at: after(-1), ends_at: after(0.25), contact_id: null })).status, 201)
    const [standing] = await onCall()
    assert.deepEqual([standing?.contact_ids, standing?.until], [[], after(0.25)])
    const { gaps } = await shown(id)
    assert.deepEqual([gaps.length, gaps[0]?.ends_at, gaps[0]?.override_id === null], [1, after(0.25), false])
    const list = z
      .object({ data: z.array(onCallOverrideSchema) })
      .parse((await api.get(`/on-call-schedules/${id}/overrides`)).body)
    assert.deepEqual(
      list.data.map(({ contact_id: contact }) => contact),
      [null, eve],
    )
    assert.equal((await remove(`${id}/overrides/${data.id}`)).status, 204)
    assert.equal((await remove(`${id}/overrides/${data.id}`)).status, 404)
    const refused: [body: object, field: string][] = [
      [{ starts_at: after(-2), ends_at: after(-1), contact_id: eve }, 'ends_at'],
      [{ starts_at: after(2), ends_at: after(1), contact_id: eve }, 'ends_at'],
      [{ starts_at: after(1), ends_at: after(368), contact_id: eve }, 'ends_at'],
      [{ starts_at: after(1), ends_at: after(2), contact_id: randomUUID() }, 'contact_id'],
      [{ starts_at: after(1), ends_at: after(2) }, 'contact_id'],
    ]
    for (const [body, field] of refused) {
      const answer = await override(id, body)
      assert.deepEqual([answer.status, Object.keys(refusal.parse(answer.body).fields ?? {})], [422, [field]])
    }
    await remove(id)
  })

  it('lose a contact that is deleted, and its overrides', async () => {
    const gone = await contactNamed('Gone')
    const { id } = await create([
      { ...base, participants: [gone, ada] },
      { ...base, participants: [gone] },
    ])
    await override(id, { starts_at: after(0), ends_at: after(1), contact_id: gone })
    assert.deepEqual((await onCall())[0]?.contact_ids, [gone])
    assert.equal((await api.request('DELETE', `/alert-channels/${gone}`)).status, 204)
    const { layers, gaps } = await shown(id)
    assert.deepEqual([layers.map(({ participants }) => participants), gaps], [[[ada], []], []])
    assert.deepEqual((await onCall())[0]?.contact_ids, [ada])
    await remove(id)
  })

  it('are not seen by other workspaces, and not changed by tokens that read', async () => {
    const { id } = await create()
    const { token } = await api.addWorkspace()
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/shifts'],
      ['GET', '/overrides'],
      ['DELETE', ''],
      ['PATCH', ''],
    ] as const)
      assert.equal((await api.request(method, `/on-call-schedules/${id}${path}`, { token })).status, 404, path)
    const answer = await api.post(`/on-call-schedules/${id}/overrides`, {}, { token: api.readToken })
    assert.equal(answer.status, 403)
    await remove(id)
  })

  it('are at most so many, as are overrides, of which old ones are forgotten', async () => {
    const { id } = await create([])
    await database.pool.query(
      `insert into on_call_schedules (id, workspace_id, name, time_zone, layers, created_at, changed_at)
      select gen_random_uuid(), workspace_id, name, time_zone, layers, created_at, changed_at
      from on_call_schedules, generate_series(2, $1)
      where id = $2`,
      [maxSchedules, id],
    )
    const refused = await api.post('/on-call-schedules', { name: 'One more', time_zone: 'UTC' })
    assert.deepEqual([refused.status, refusal.parse(refused.body).error], [422, 'limit_reached'])
    assert.equal((await onCall()).length, maxSchedules)
    await database.pool.query(
      `insert into on_call_overrides (id, schedule_id, starts_at, ends_at, created_at)
      select gen_random_uuid(), $2, $3, $4, now()
      from generate_series(2, $1)`,
      [maxOverrides, id, after(0), after(1)],
    )
    const times = { starts_at: after(0), ends_at: after(1), contact_id: null }
    assert.equal((await override(id, times)).status, 201)
    assert.equal(refusal.parse((await override(id, times)).body).error, 'limit_reached')
    clock.now = new Date(now.getTime() + 92 * dayMs)
    const [chore] = onCallChores({ database, now: () => clock.now })
    await chore?.run(new AbortController().signal)
    clock.now = now
    assert.deepEqual((await api.get(`/on-call-schedules/${id}/overrides`)).body, { data: [] })
  })
})

describe('the address of the calendar of an on-call schedule', async () => {
  const people = await peopleApi()
  const { browser, workspaceId: workspace } = await people.newcomer('owner@example.com')
  const call = (method: string, path: string, body?: unknown) =>
    browser.api(method, `/on-call-schedules${path}`, { workspace, ...(body === undefined ? {} : { body }) })
  const statusOf = async (url: string): Promise<number> =>
    (await people.api.app.fetch(new Request(url), { address: '203.0.113.7' })).status

  it('is made, replaced and taken away by people', async () => {
    const made = await call('POST', '', { name: 'Shop', time_zone: 'UTC' })
    const { id } = one.parse(made.body).data
    const replace = async (): Promise<string> => {
      const answer = await call('POST', `/${id}/calendar`)
      assert.equal(answer.status, 201, answer.text)
      return z.object({ data: z.object({ url: z.url() }) }).parse(answer.body).data.url
    }
    const former = await replace()
    assert.equal(await statusOf(former), 200)
    const present = await replace()
    assert.deepEqual([await statusOf(former), await statusOf(present)], [404, 200])
    assert.equal((await call('DELETE', `/${id}/calendar`)).status, 204)
    assert.equal(await statusOf(present), 404)
    assert.equal((await people.api.post(`/on-call-schedules/${id}/calendar`)).status, 401)
  })
})
