import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { reportContentSchema } from '#core/reports/report-content.ts'
import { reportSchema } from '#core/reports/report.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { addContact } from '../../../test/support/alerts.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'

const one = z.strictObject({ data: reportSchema })
const many = z.strictObject({ data: z.array(reportSchema) })
const contentOf = z.strictObject({ data: reportContentSchema })
const missing = randomUUID()

describe('reports', async () => {
  let now = new Date('2026-11-23T07:00:00Z')
  const api = await testApi({ now: () => now })
  const { database, workspaceId } = api
  let reader = ''

  beforeEach(async () => {
    now = new Date('2026-11-23T07:00:00Z')
    await database.pool.query('delete from reports; delete from alert_channels; delete from monitors')
    await database.pool.query('delete from graphile_worker._private_jobs')
    reader = await addContact(database, { workspaceId, kind: 'email', destination: 'reader@example.com' })
  })

  const inputOf = (change: Record<string, unknown> = {}) => ({
    name: 'Every week',
    period: 'weekly',
    time_zone: 'Europe/Berlin',
    recipients: [reader],
    ...change,
  })
  const create = async (change: Record<string, unknown> = {}) => {
    const answer = await api.post('/reports', inputOf(change))
    assert.equal(answer.status, 201, answer.text)
    return one.parse(answer.body).data
  }
  const patch = (id: string, body: unknown) => api.request('PATCH', `/reports/${id}`, { body })
  const list = async () => many.parse((await api.get('/reports')).body).data

  it('are made with what most want, changed, listed and deleted', async () => {
    const made = await create()
    assert.deepEqual(made, {
      id: made.id,
      ...inputOf(),
      weekday: 1,
      hour: 8,
      monitor_ids: null,
      tags: [],
      objective: 99.9,
      enabled: true,
      // 07:00 UTC is 08:00 in Berlin: this one has left.
      next_at: '2026-11-30T07:00:00.000Z',
      last_sent_at: null,
      last_period: null,
      created_at: made.created_at,
    })
    const shop = await createMonitor(api, { name: 'Shop' })
    const changed = await patch(made.id, { monitor_ids: [shop.id], tags: ['eu'], objective: 99.95, hour: 9 })
    assert.deepEqual(one.parse(changed.body).data, {
      ...made,
      monitor_ids: [shop.id],
      tags: ['eu'],
      objective: 99.95,
      hour: 9,
      next_at: '2026-11-23T08:00:00.000Z',
    })
    const off = one.parse((await patch(made.id, { enabled: false })).body).data
    assert.deepEqual([off.enabled, off.next_at], [false, null])
    assert.deepEqual(await list(), [off])
    assert.equal((await api.request('DELETE', `/reports/${made.id}`)).status, 204)
    assert.deepEqual(await list(), [])
    assert.deepEqual(refusalOf(await patch(made.id, { hour: 1 })), [404, 'not_found'])
    const { entries } = await listAuditEntries(database, { workspaceId, before: null, limit: 100 })
    const actions = entries.flatMap(({ action, target }) => (target.kind === 'report' ? [action] : []))
    assert.deepEqual(actions, ['delete_report', 'update_report', 'update_report', 'create_report'])
  })

  it('name what is wrong with them', async () => {
    const wrong: [change: Record<string, unknown>, field: string][] = [
      [{ name: '' }, 'name'],
      [{ period: 'daily' }, 'period'],
      [{ time_zone: 'Europe/Nowhere' }, 'time_zone'],
      [{ weekday: 0 }, 'weekday'],
      [{ weekday: 8 }, 'weekday'],
      [{ hour: 24 }, 'hour'],
      [{ hour: 1.5 }, 'hour'],
      [{ objective: 0 }, 'objective'],
      [{ objective: 100.1 }, 'objective'],
      [{ objective: 99.9999 }, 'objective'],
      [{ monitor_ids: [missing] }, 'monitor_ids'],
      [{ monitor_ids: [] }, 'monitor_ids'],
      [{ monitor_ids: Array.from({ length: 501 }, () => missing) }, 'monitor_ids'],
      [{ tags: ['a', 'A'] }, 'tags'],
      [{ recipients: [] }, 'recipients'],
      [{ recipients: Array.from({ length: 21 }, () => reader) }, 'recipients'],
      [{ recipients: [missing] }, 'recipients'],
      [{ recipients: ['reader@example.com'] }, 'recipients.0'],
    ]
    const { id } = await create()
    for (const [change, field] of wrong) {
      assert.deepEqual(refusalOf(await api.post('/reports', inputOf(change))), [422, 'validation_failed', field])
      assert.deepEqual(refusalOf(await patch(id, change)), [422, 'validation_failed', field], field)
    }
    assert.equal((await list()).length, 1)
  })

  it('go to confirmed mail contacts of the workspace and to nobody else', async () => {
    const theirs = await api.addWorkspace()
    const strangers = [
      await addContact(database, { workspaceId, kind: 'email', confirmed: false }),
      await addContact(database, { workspaceId, kind: 'webhook' }),
      await addContact(database, { workspaceId: theirs.workspaceId, kind: 'email' }),
    ]
    const { id } = await create()
    for (const stranger of strangers) {
      const recipients = [reader, stranger]
      const refused = [422, 'validation_failed', 'recipients']
      assert.deepEqual(refusalOf(await api.post('/reports', inputOf({ recipients }))), refused)
      assert.deepEqual(refusalOf(await patch(id, { recipients })), refused)
    }
    // One that had it may be sent back with the rest.
    await database.pool.query('update alert_channels set confirmed = false where id = $1', [reader])
    assert.equal((await patch(id, { recipients: [reader], hour: 3 })).status, 200)
    assert.equal((await api.request('DELETE', `/alert-channels/${reader}`)).status, 204)
    assert.deepEqual((await list())[0]?.recipients, [])
    assert.equal((await patch(id, { name: 'Another name' })).status, 200)
  })

  it('are twenty at most, and those of the own workspace', async () => {
    for (let count = 0; count < 20; count += 1) await create({ name: `Report ${count}` })
    assert.deepEqual(refusalOf(await api.post('/reports', inputOf())), [422, 'limit_reached'])
    const { token } = await api.addWorkspace()
    assert.deepEqual(many.parse((await api.get('/reports', { token })).body).data, [])
    const [first] = await list()
    assert.deepEqual(refusalOf(await api.get(`/reports/${first?.id}/content`, { token })), [404, 'not_found'])
  })

  it('show what they say of a period that is over', async () => {
    const { id } = await create()
    const content = async (query = '') => contentOf.parse((await api.get(`/reports/${id}/content${query}`)).body).data
    assert.equal((await content()).period.key, '2026-W47')
    assert.equal((await content('?period=2026-W01')).period.starts_at, '2025-12-28T23:00:00.000Z')
    for (const period of ['2026-W48', '2027-W01', '2026-10', '2025-W53', 'x', ''])
      assert.deepEqual(refusalOf(await api.get(`/reports/${id}/content?period=${period}`)), [
        422,
        'validation_failed',
        'period',
      ])
  })

  it('are sent as a test to all recipients, once within five minutes', async () => {
    const other = await addContact(database, { workspaceId, kind: 'email' })
    const { id, next_at: next } = await create({ recipients: [reader, other] })
    const sent = await api.post(`/reports/${id}/send`)
    assert.deepEqual([sent.status, sent.body], [202, { data: { period: '2026-W47', recipients: 2 } }])
    const again = await api.post(`/reports/${id}/send`)
    assert.deepEqual(refusalOf(again), [429, 'rate_limited'])
    assert.equal(again.headers.get('retry-after'), '300')
    now = new Date(now.getTime() + 300_000)
    assert.equal((await api.post(`/reports/${id}/send`)).status, 202)
    const { rows } = await database.pool.query<{ priority: number; count: string }>(
      `select priority, count(*) from graphile_worker.jobs where task_identifier = 'mail' group by 1`,
    )
    // Behind the alerts, whose priority is 0.
    assert.deepEqual(rows, [{ priority: 2, count: '4' }])
    assert.equal((await list())[0]?.next_at, next)
  })

  it('that are due when they are changed stay due, so that no period is lost', async () => {
    const { id } = await create()
    now = new Date('2026-11-30T07:00:20Z')
    const changed = one.parse((await patch(id, { name: 'Renamed', hour: 9 })).body).data
    assert.equal(changed.next_at, '2026-11-30T07:00:00.000Z')
    assert.equal(one.parse((await patch(id, { enabled: false })).body).data.next_at, null)
    const on = one.parse((await patch(id, { enabled: true })).body).data
    assert.equal(on.next_at, '2026-11-30T08:00:00.000Z')
  })

  it('may be about nothing any more, and be changed all the same', async () => {
    const shop = await createMonitor(api, { name: 'Shop' })
    const { id } = await create({ monitor_ids: [shop.id] })
    await database.pool.query('delete from monitors')
    const renamed = one.parse((await patch(id, { name: 'Renamed' })).body).data
    assert.deepEqual([renamed.name, renamed.monitor_ids], ['Renamed', []])
  })

  it('are read by tokens that may only read, and changed by others', async () => {
    const { id } = await create()
    const token = api.readToken
    assert.equal((await api.get(`/reports/${id}/content`, { token })).status, 200)
    assert.deepEqual(refusalOf(await api.post('/reports', inputOf(), { token })), [403, 'insufficient_scope'])
    assert.deepEqual(refusalOf(await api.post(`/reports/${id}/send`, undefined, { token })), [
      403,
      'insufficient_scope',
    ])
  })
})
