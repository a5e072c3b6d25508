import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { nextDueAt } from '#core/monitors/schedule.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { addRunningIncident, createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { monitorOperations } from './monitors.ts'

describe('changing a monitor', async () => {
  const api = await testApi({ maxConnections: 5, operations: monitorOperations })
  const patch = (id: string, body: unknown, token = api.token) =>
    api.request('PATCH', `/monitors/${id}`, { body, token })

  it('changes what is given and keeps the rest, secrets included', async () => {
    const before = await createMonitor(api, {
      keyword: 'ok',
      request_headers: { a: '1' },
      check_options: { json_path: 'a.b' },
      locations: ['boston', 'chennai'],
      confirmation_threshold: 2,
    })
    const answer = await patch(before.id, { name: 'Renamed', timeout_ms: 500 })
    assert.equal(answer.status, 200)
    assert.deepEqual(monitorOf(answer), {
      ...before,
      name: 'Renamed',
      timeout_ms: 500,
      next_check_at: monitorOf(answer).next_check_at,
    })
    assert.deepEqual((await configuration(api, before.id))?.requestHeaders, { a: '1' })
  })

  it('clears by null', async () => {
    const { id } = await createMonitor(api, { keyword: 'ok', request_body: 'x', request_headers: { a: '1' } })
    const changed = monitorOf(
      await patch(id, { name: 'Shop', keyword: null, request_body: null, request_headers: null }),
    )
    assert.deepEqual([changed.keyword, changed.request_body], [null, null])
    assert.deepEqual((await configuration(api, id))?.requestHeaders, {})
  })

  it('replaces check_options whole', async () => {
    const { id } = await createMonitor(api, { check_options: { json_path: 'a', max_latency_ms: 100 } })
    const changed = monitorOf(await patch(id, { name: 'Shop', check_options: { max_latency_ms: 60_000 } }))
    assert.deepEqual(changed.check_options, { max_latency_ms: 60_000 })
  })

  it('keeps a JSON path of before its limit, and takes no other one beyond it', async () => {
    const { id } = await createMonitor(api)
    const path = `${'a.'.repeat(39)}a`
    const held = { json_path: path, max_latency_ms: 500 }
    const { query } = api.database
    await query.updateTable('monitors').set({ check_options: held }).where('id', '=', id).execute()
    assert.deepEqual(monitorOf(await patch(id, { name: 'Renamed' })).check_options, held)
    const faster = { ...held, max_latency_ms: 100 }
    assert.deepEqual(monitorOf(await patch(id, { name: 'Shop', check_options: faster })).check_options, faster)
    const other = { name: 'Shop', check_options: { json_path: `b.${path}` } }
    assert.deepEqual(refusalOf(await patch(id, other)), [422, 'validation_failed', 'check_options.json_path'])
  })

  it('keeps options of before their limit of size, and takes none that go further beyond it', async () => {
    const { id } = await createMonitor(api)
    const held = optionsOf(100_000)
    const { query } = api.database
    await query.updateTable('monitors').set({ check_options: held }).where('id', '=', id).execute()
    assert.deepEqual(monitorOf(await patch(id, { name: 'Shop', timeout_ms: 500 })).check_options, held)
    assert.equal((await patch(id, { name: 'Shop', check_options: held })).status, 200)
    const refusal = [422, 'validation_failed', 'check_options']
    assert.deepEqual(refusalOf(await patch(id, { name: 'Shop', check_options: optionsOf(100_001) })), refusal)
    assert.equal((await patch(id, { name: 'Shop', check_options: optionsOf(60_000) })).status, 200)
    assert.deepEqual(refusalOf(await patch(id, { name: 'Shop', check_options: held })), refusal)
  })

  it('keeps the options that another kind has too, and drops the others', async () => {
    const options = { json_path: 'a', max_latency_ms: 100, headers_only: true }
    const { id } = await createMonitor(api, { check_options: options })
    const optionsAfter = async (body: Record<string, unknown>) =>
      monitorOf(await patch(id, { name: 'Shop', ...body })).check_options
    assert.deepEqual(await optionsAfter({ kind: 'api' }), { json_path: 'a', max_latency_ms: 100 })
    assert.deepEqual(await optionsAfter({ kind: 'ping', url: 'example.com' }), { max_latency_ms: 100 })
    assert.deepEqual(await optionsAfter({ kind: 'dns' }), { record_type: 'A' })
    const needed = await patch(id, { name: 'Shop', kind: 'blacklist' })
    assert.deepEqual(refusalOf(needed), [422, 'validation_failed', 'check_options.dnsbl_zone'])
  })

  it('lets a name of white space be that is there already', async () => {
    const { id } = await createMonitor(api)
    await api.database.query.updateTable('monitors').set({ name: ' ' }).where('id', '=', id).execute()
    assert.equal((await patch(id, { name: ' ', timeout_ms: 500 })).status, 200)
    assert.deepEqual(refusalOf(await patch(id, { name: '  ' })), [422, 'validation_failed', 'name'])
  })

  const refused: [what: string, body: unknown, ...fields: string[]][] = [
    ['no name', { timeout_ms: 500 }, 'name'],
    ['an output-only field', { name: 'Shop', status: 'paused' }, 'status'],
    ['a bad target', { name: 'Shop', url: 'nonsense' }, 'url'],
    ['the web address as a tcp target', { name: 'Shop', kind: 'tcp' }, 'url'],
    ['a maximum below the minimum', { name: 'Shop', expected_status_max: 199 }, 'expected_status_max'],
    ['too many confirmations', { name: 'Shop', confirmation_threshold: 2 }, 'confirmation_threshold'],
    ['null for a number', { name: 'Shop', timeout_ms: null }, 'timeout_ms'],
  ]
  for (const [what, body, ...fields] of refused)
    it(`refuses ${what} and changes nothing`, async () => {
      const { id } = await createMonitor(api)
      assert.deepEqual(refusalOf(await patch(id, body)), [422, 'validation_failed', ...fields])
      assert.equal(await version(api, id), 1)
    })

  const versions: [what: string, body: Record<string, unknown>, version: number][] = [
    ['a rename', { name: 'Renamed' }, 1],
    ['contacts and charts', { alert_channel_ids: [], charts: 'uptime', expiry_alerts: false }, 1],
    ['what it already was', { interval_seconds: 300, url: 'https://example.com', locations: ['amsterdam'] }, 1],
    ['the interval', { interval_seconds: 60 }, 2],
    ['headers', { request_headers: { a: '1' } }, 2],
    ['a threshold', { failure_threshold: 2 }, 2],
    ['the target', { url: 'https://example.org' }, 2],
    ['the kind', { kind: 'api' }, 2],
  ]
  for (const [what, body, expected] of versions)
    it(`is version ${expected} after changing ${what}`, async () => {
      const { id } = await createMonitor(api)
      const announced = api.changes.length
      assert.equal((await patch(id, { name: 'Shop', ...body })).status, 200)
      assert.equal(await version(api, id), expected)
      assert.equal(api.changes.length - announced, expected - 1)
    })

  it('starts anew with another target: pending, the incident resolved silently', async () => {
    const monitor = await createMonitor(api)
    const incidentId = await addRunningIncident(api.database, monitor, new Date(Date.now() - 60_000))
    const timeout = monitorOf(await patch(monitor.id, { name: 'Shop', timeout_ms: 500 }))
    assert.deepEqual([timeout.current_status, timeout.consecutive_failures], ['down', 3])
    const moved = monitorOf(await patch(monitor.id, { name: 'Shop', url: 'https://example.org' }))
    assert.deepEqual([moved.current_status, moved.consecutive_failures], ['pending', 0])
    assert.notEqual(moved.last_checked_at, null)
    const { rows } = await api.database.pool.query<{ status: string; ended: boolean; deliveries: number }>(
      `select i.status, p.ended_at is not null as ended, (select count(*)::integer from deliveries) as deliveries
      from incidents i join problems p on p.incident_id = i.id where i.id = $1`,
      [incidentId],
    )
    assert.deepEqual(rows, [{ status: 'resolved', ended: true, deliveries: 0 }])
  })

  it('shows when the next check is due', async () => {
    const { id } = await createMonitor(api)
    const { next_check_at, interval_seconds } = monitorOf(await patch(id, { name: 'Shop', interval_seconds: 3600 }))
    const due = new Date(next_check_at ?? 0)
    assert.deepEqual(nextDueAt(id, interval_seconds, due), due)
    assert.ok(due.getTime() - Date.now() <= 3_600_000)
  })

  it('makes twenty changes at once, one after the other', async () => {
    const { id } = await createMonitor(api)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => patch(id, { name: 'Shop', timeout_ms: 1000 + index })),
    )
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal(await version(api, id), 21)
    const state = await api.database.pool.query(
      'select s.version from monitor_state s join monitors m on m.key = s.monitor_key where m.id = $1',
      [id],
    )
    assert.deepEqual(state.rows, [{ version: 21 }])
  })
})

describe('a monitor of another workspace', async () => {
  const api = await testApi({ maxConnections: 5, operations: monitorOperations })
  const other = await api.addWorkspace()
  const { id } = await createMonitor(api)
  const sent = { token: other.token }

  const asked: [method: string, path: string, body?: unknown][] = [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine' }],
    ['PATCH', '', { nonsense: true }],
    ['DELETE', ''],
    ['POST', '/pause'],
    ['POST', '/resume'],
  ]
  for (const [method, path, body] of asked)
    it(`is not found by ${method} /monitors/{id}${path} ${JSON.stringify(body ?? '')}`, async () => {
      const answer = await api.request(method, `/monitors/${id}${path}`, {
        ...sent,
        ...(body === undefined ? {} : { body }),
      })
      assert.deepEqual(refusalOf(answer), [404, 'not_found'])
    })

  it('is not listed', async () => {
    const list = z.object({ data: z.array(z.object({ id: z.string() })) })
    assert.deepEqual(list.parse((await api.get('/monitors', sent)).body).data, [])
    const mine = list.parse((await api.get('/monitors')).body).data
    assert.deepEqual(
      mine.map((monitor) => monitor.id),
      [id],
    )
  })

  it('is not found by a malformed id either', async () => {
    assert.deepEqual(refusalOf(await api.get('/monitors/nonsense')), [404, 'not_found'])
  })
})

async function version({ database }: TestApi, id: string): Promise<number> {
  const row = await database.query
    .selectFrom('monitors')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.version
}

async function configuration({ database, services }: TestApi, id: string) {
  const [found] = await readCheckConfigurations(database, services.secrets, { location: null, ids: [id] })
  return found
}

function optionsOf(length: number): { json_path: string; expected_value: string } {
  return { json_path: 'a', expected_value: 'x'.repeat(length) }
}
