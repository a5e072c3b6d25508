import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nextDueAt } from '#core/monitors/schedule.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { monitorOperations } from './monitors.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const shop = { name: 'Shop', url: 'https://example.com' }
const hour = 3_600_000

describe('creating a monitor', async () => {
  const api = await testApi({ maxConnections: 5, operations: monitorOperations, now: () => now })

  it('answers 201 with every member, defaults filled in', async () => {
    const answer = await api.post('/monitors', shop)
    const record = monitorOf(answer)
    assert.equal(answer.status, 201)
    assert.deepEqual(answer.body, {
      data: {
        id: record.id,
        name: 'Shop',
        kind: 'http',
        url: 'https://example.com',
        method: 'GET',
        interval_seconds: 300,
        timeout_ms: 10_000,
        locations: ['amsterdam'],
        expected_status_min: 200,
        expected_status_max: 399,
        expected_statuses: null,
        keyword: null,
        request_body: null,
        check_options: {},
        failure_threshold: 1,
        retry_interval_seconds: null,
        recovery_threshold: 2,
        confirmation_threshold: 1,
        alert_degraded_rounds: null,
        alert_slow_factor: null,
        alert_slow_rounds: 5,
        heartbeat_grace_seconds: null,
        expiry_alerts: true,
        vulnerability_alerts: false,
        vulnerability_severity: 'low',
        charts: 'both',
        keep_evidence: false,
        alert_channel_ids: [],
        alert_channel_tags: [],
        alert_rules: null,
        escalation_policy_id: null,
        tags: [],
        notes: null,
        runbook_url: null,
        depends_on: [],
        allow_private_target: false,
        billing_period: null,
        status: 'enabled',
        current_status: 'pending',
        consecutive_failures: 0,
        last_checked_at: null,
        next_check_at: nextDueAt(record.id, 300, now).toISOString(),
        unknown_since: null,
        billing: 'plan',
        paid_locations: 0,
        paid_until: null,
        billing_state: 'active',
        domain_name: null,
        domain_expires_at: null,
        cert_issuer: null,
        cert_expires_at: null,
      },
      heartbeat_url: null,
    })
    assert.match(record.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('tells the engine of the new monitor, in the partition of its id', async () => {
    const { id } = await createMonitor(api)
    const partition = Number.parseInt(id.slice(-2), 16) % 64
    assert.deepEqual(api.changes.at(-1), { monitorId: id, partition })
    const stored = await api.database.query
      .selectFrom('monitors')
      .select('partition')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(stored.partition, partition)
  })

  it('stores secrets encrypted and never shows them', async () => {
    const secret = 'hunter2-3f9a'
    const { id } = await createMonitor(api, { request_headers: { Authorization: secret } })
    const shown = await Promise.all([api.get('/monitors'), api.get(`/monitors/${id}`)])
    for (const { text } of shown) assert.doesNotMatch(text, /hunter2|request_headers/)
    const { rows } = await api.database.pool.query<{ row: string; sealed: Buffer }>(
      'select monitors::text as row, request_headers as sealed from monitors where id = $1',
      [id],
    )
    const hex = Buffer.from(secret).toString('hex')
    assert.ok(rows[0] !== undefined && !rows[0].row.includes(secret) && !rows[0].row.includes(hex))
    assert.deepEqual(
      JSON.parse(api.services.secrets.decrypt(rows[0].sealed, { column: 'monitors.request_headers', id })),
      { Authorization: secret },
    )
  })

  it('keeps characters beyond ASCII', async () => {
    const name = '😀 Żółć 店'
    assert.equal((await createMonitor(api, { name, keyword: '店', request_body: '"\\\n' })).name, name)
  })

  const refused: [what: string, body: unknown, ...fields: string[]][] = [
    ['nothing', {}, 'name'],
    ['no target', { name: 'Shop' }, 'url'],
    ['a kind that does not exist', { ...shop, kind: 'minecraft' }, 'kind'],
    ['fields that are output only', { ...shop, id: 'x', status: 'paused' }, 'id', 'status'],
    ['a tcp target without a port', { ...shop, kind: 'tcp', url: 'example.com' }, 'url'],
    ['an unknown option', { ...shop, check_options: { colour: 'red' } }, 'check_options.colour'],
    ['a wrong value of an option', { ...shop, check_options: { max_latency_ms: 99 } }, 'check_options.max_latency_ms'],
    [
      'an option of another kind',
      { ...shop, kind: 'api', check_options: { headers_only: true } },
      'check_options.headers_only',
    ],
    ['an unknown location', { ...shop, locations: ['mars'] }, 'locations'],
    [
      'an unknown contact',
      { ...shop, alert_channel_ids: ['0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11'] },
      'alert_channel_ids',
    ],
    ['an interval below the floor', { ...shop, interval_seconds: 9 }, 'interval_seconds'],
    ['a NUL in the name', { ...shop, name: 'a\u0000b' }, 'name'],
    ['a header that would end the line', { ...shop, request_headers: { a: 'b\r\nc' } }, 'request_headers.a'],
  ]
  for (const [what, body, ...fields] of refused)
    it(`refuses ${what}`, async () =>
      assert.deepEqual(refusalOf(await api.post('/monitors', body)), [422, 'validation_failed', ...fields]))

  it('lists the known locations', async () => {
    const { text } = await api.post('/monitors', { ...shop, locations: ['mars'] })
    assert.match(text, /mars.*amsterdam, boston, chennai/)
  })

  it('refuses a literal private address', async () => {
    const strict = await testApi({
      maxConnections: 5,
      operations: monitorOperations,
      services: { isForbiddenAddress: (host) => host === '127.0.0.1' },
    })
    for (const input of [{ url: 'http://127.0.0.1:8080/' }, { kind: 'tcp', url: '127.0.0.1:22' }])
      assert.deepEqual(refusalOf(await strict.post('/monitors', { ...shop, ...input })), [
        422,
        'validation_failed',
        'url',
      ])
  })

  it('needs a token that may write', async () => {
    assert.deepEqual(refusalOf(await api.post('/monitors', shop, { token: api.readToken })), [
      403,
      'insufficient_scope',
    ])
  })
})

describe('plan slots', async () => {
  const api = await testApi({ maxConnections: 5, operations: monitorOperations, plan: 'free' })

  it('never exceed the plan, however many creates come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post('/monitors', shop)))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 201), ...Array.from({ length: 10 }, () => 503)])
    assert.deepEqual(refusalOf(answers.find(({ status }) => status === 503) ?? assert.fail()), [
      503,
      'payments_disabled',
    ])
    assert.equal(await count(api), 10)
  })

  it('are validated before money is asked for', async () => {
    assert.deepEqual(refusalOf(await api.post('/monitors', { ...shop, url: 'nonsense' })), [
      422,
      'validation_failed',
      'url',
    ])
  })

  it('are freed by deleting', async () => {
    const [first] = await api.database.query.selectFrom('monitors').select('id').limit(1).execute()
    assert.equal((await api.request('DELETE', `/monitors/${first?.id}`)).status, 204)
    assert.equal((await api.post('/monitors', shop)).status, 201)
    assert.equal((await api.post('/monitors', shop)).status, 503)
  })

  it('are counted per workspace, with the floor of the plan', async () => {
    const other = await api.addWorkspace('free')
    const sent = { token: other.token }
    assert.deepEqual(refusalOf(await api.post('/monitors', { ...shop, interval_seconds: 299 }, sent)), [
      422,
      'validation_failed',
      'interval_seconds',
    ])
    assert.equal((await api.post('/monitors', { ...shop, interval_seconds: 300 }, sent)).status, 201)
    const asked = await api.post('/monitors', { ...shop, vulnerability_alerts: true }, sent)
    assert.deepEqual(refusalOf(asked), [422, 'plan_required', 'vulnerability_alerts'])
  })

  it('of the free plan hold no private repository, neither new nor changed', async () => {
    const { token } = await api.addWorkspace('free')
    const open = { name: 'Shop', kind: 'repository', url: 'https://github.com/example/shop' }
    const closed = { ...open, check_options: { token: 'ghp_1' } }
    const needsPlan = [422, 'plan_required', 'check_options.token']
    assert.deepEqual(refusalOf(await api.post('/monitors', closed, { token })), needsPlan)
    const { id } = monitorOf(await api.post('/monitors', open, { token }))
    const change = { token, body: { name: 'Shop', check_options: { token: 'ghp_1' } } }
    assert.deepEqual(refusalOf(await api.request('PATCH', `/monitors/${id}`, change)), needsPlan)
    const pro = await api.addWorkspace('pro')
    const allowed = await api.post('/monitors', closed, { token: pro.token })
    assert.equal(allowed.status, 201)
    assert.deepEqual(monitorOf(allowed).check_options, {})
    assert.doesNotMatch(allowed.text, /ghp_1/)
  })
})

describe('Idempotency-Key', async () => {
  let time = now
  const api = await testApi({ maxConnections: 5, operations: monitorOperations, now: () => time })
  const post = (key: string, body: unknown = shop, token = api.token) =>
    api.post('/monitors', body, { token, headers: { 'Idempotency-Key': key } })

  it('makes twenty requests at once one monitor', async () => {
    const before = await count(api)
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('at-once')))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [...Array.from({ length: 19 }, () => 200), 201],
    )
    assert.equal(new Set(answers.map((answer) => monitorOf(answer).id)).size, 1)
    assert.equal(await count(api), before + 1)
  })

  it('announces a replay to nobody and shows the monitor as it is now', async () => {
    const { id } = monitorOf(await post('now'))
    const announced = api.changes.length
    await api.request('PATCH', `/monitors/${id}`, { body: { name: 'Renamed' } })
    const replay = await post('now')
    assert.deepEqual(Object.keys(replay.body ?? {}), ['data'])
    assert.deepEqual([replay.status, monitorOf(replay).name, api.changes.length], [200, 'Renamed', announced])
  })

  it('knows the same body in another order', async () => {
    await post('order', { name: 'Shop', url: 'https://example.com', request_headers: { a: '1', b: '2' } })
    const replay = await post('order', {
      request_headers: { b: '2', a: '1' },
      url: 'https://example.com',
      name: 'Shop',
    })
    assert.equal(replay.status, 200)
  })

  it('refuses another body', async () => {
    await post('other')
    assert.deepEqual(refusalOf(await post('other', { ...shop, name: 'Shop 2' })), [422, 'idempotency_key_reused'])
  })

  it('is not used up by a request that failed', async () => {
    assert.equal((await post('failed', { name: 'Shop', url: 'nonsense' })).status, 422)
    assert.equal((await post('failed')).status, 201)
  })

  it('belongs to its workspace', async () => {
    const other = await api.addWorkspace()
    const mine = monitorOf(await post('shared'))
    const theirs = await post('shared', shop, other.token)
    assert.equal(theirs.status, 201)
    assert.notEqual(monitorOf(theirs).id, mine.id)
  })

  it('answers with the last state of a monitor that was deleted', async () => {
    const { id } = monitorOf(await post('deleted'))
    await api.request('PATCH', `/monitors/${id}`, { body: { name: 'At the end' } })
    assert.equal((await api.request('DELETE', `/monitors/${id}`)).status, 204)
    const before = await count(api)
    const replay = await post('deleted')
    assert.deepEqual([replay.status, monitorOf(replay).id, monitorOf(replay).name], [200, id, 'At the end'])
    assert.equal(await count(api), before)
  })

  it('is forgotten after 24 hours', async () => {
    const { id } = monitorOf(await post('day'))
    time = new Date(now.getTime() + 24 * hour - 1)
    assert.equal(monitorOf(await post('day')).id, id)
    time = new Date(now.getTime() + 24 * hour)
    const again = await post('day')
    assert.equal(again.status, 201)
    assert.notEqual(monitorOf(again).id, id)
    assert.equal((await post('day')).status, 200)
    time = now
  })

  it('has 1 to 255 characters', async () => {
    assert.equal((await post('k'.repeat(255))).status, 201)
    assert.deepEqual(refusalOf(await post('k'.repeat(256))), [422, 'validation_failed', 'Idempotency-Key'])
  })
})

async function count({ database, workspaceId }: TestApi): Promise<number> {
  const rows = await database.query
    .selectFrom('monitors')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .execute()
  return rows.length
}
