import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { operations } from '#operations/index.ts'
import { type AnyOperation } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { vulnerabilitiesSchema } from '#core/software/vulnerability.ts'
import { testApi } from '../../test/support/api.ts'
import { callTool, rpc } from '../../test/support/mcp-call.ts'
import { addPendingMonitors } from '../../test/support/many-monitors.ts'
import { addDays, addRunningIncident, createMonitor, refusalOf } from '../../test/support/monitors.ts'
import { compareUnread, readFeeds } from '../../test/support/software.ts'
import { isOffered } from './tool.ts'

const offered = operations.filter(isOffered)
const listSchema = z.object({ data: z.array(z.unknown()) })
const pageSchema = z.object({ data: z.array(z.record(z.string(), z.unknown())), next_cursor: z.string().nullable() })
const toolsSchema = z.object({
  tools: z.array(
    z.looseObject({
      name: z.string(),
      description: z.string(),
      inputSchema: z.looseObject({}),
      outputSchema: z.looseObject({}).optional(),
      annotations: z.strictObject({
        readOnlyHint: z.boolean().optional(),
        destructiveHint: z.boolean().optional(),
        idempotentHint: z.boolean().optional(),
      }),
    }),
  ),
})

describe('the tools', async () => {
  const api = await testApi()
  const { database } = api
  const listed = async (token?: string | null) =>
    toolsSchema.parse((await rpc(api, ['tools/list'], token === undefined ? {} : { token })).result).tools
  const names = async (token?: string | null): Promise<string[]> => (await listed(token)).map(({ name }) => name)

  it('are the public operations whose answers models can read', async () => {
    assert.deepEqual(
      await names(),
      offered.map(({ name }) => name),
    )
  })

  it('that a credential cannot call are not shown to it', async () => {
    assert.deepEqual(await names(null), ['create_monitor', 'quote_monitor'])
    const reading = offered.filter(({ scope }) => scope === 'read')
    assert.deepEqual(
      await names(api.readToken),
      reading.map(({ name }) => name),
    )
  })

  it('say what they do to what there is', async () => {
    const of = new Map((await listed()).map(({ name, annotations }) => [name, annotations]))
    // What is left out is as the protocol has it: not read-only, may destroy, and every call counts.
    assert.deepEqual(of.get('list_monitors'), { readOnlyHint: true })
    assert.deepEqual(of.get('quote_renewal'), { readOnlyHint: true })
    assert.deepEqual(of.get('create_monitor'), { destructiveHint: false })
    assert.deepEqual(of.get('delete_monitor'), { idempotentHint: true })
  })

  it('name their price and how it is paid, where they have one', async () => {
    for (const { name, description, _meta: meta } of await listed()) {
      const isPaid = operations.find((operation) => operation.name === name)?.paid === true
      assert.equal(/\$0\.01 a location for 30 days.*\$0\.10 .*for life.*-32042.*card/.test(description), isPaid, name)
      assert.equal(JSON.stringify(meta ?? null).includes('x-payment-info'), isPaid, name)
    }
  })

  it('speak of nothing that a call of a tool has not: statuses and headers', async () => {
    for (const { name, description } of await listed())
      assert.doesNotMatch(description, /\b(?:20[0-4]|4\d\d|503)\b|Accept:|Authorization|Idempotency-Key/, name)
  })

  it('are introduced to each visitor by names that it is shown', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const every = await names()
    for (const token of [null, api.readToken, api.token]) {
      const { result } = await rpc(api, ['initialize', params], { token })
      const instructions = z.string().parse(result?.['instructions'])
      const shown = await names(token)
      const named = every.filter((name) => instructions.includes(name))
      assert.ok(named.length > 0)
      assert.deepEqual(
        named.filter((name) => !shown.includes(name)),
        [],
      )
      assert.equal(instructions.includes('http://perigee.test/auth.md'), token === null)
    }
  })

  const wrong: [what: string, call: [string, Record<string, unknown>?], error: string, fields: string[]][] = [
    ['an argument that is unknown', ['list_monitors', { colour: 'red' }], 'validation_failed', ['colour']],
    ['a filter', ['list_monitors', { status: ['down', 'asleep'] }], 'validation_failed', ['status']],
    ['an offset beside a filter', ['list_monitors', { offset: 5, status: 'up' }], 'validation_failed', ['offset']],
    ['no id', ['get_monitor'], 'validation_failed', ['id']],
    ['an id that is none', ['get_monitor', { id: 7 }], 'not_found', []],
    ['a limit of a long list', ['list_monitors', { limit: 501 }], 'validation_failed', ['limit']],
    ['an offset of a long list', ['list_monitors', { offset: -1 }], 'validation_failed', ['offset']],
    ['a body', ['create_monitor', { name: '', kind: 'heartbeat' }], 'validation_failed', ['name']],
    ['a date', ['get_uptime', { id: crypto.randomUUID(), from: 'today' }], 'not_found', []],
    [
      'a key',
      ['create_monitor', { name: 'A', url: 'https://example.com/', idempotency_key: '' }],
      'validation_failed',
      ['idempotency_key'],
    ],
  ]
  for (const [what, call, error, fields] of wrong)
    it(`refuse as a result: ${what}`, async () => {
      const { isError, structuredContent } = await callTool(api, call)
      assert.equal(isError, true)
      assert.equal(structuredContent?.['error'], error)
      assert.doesNotMatch(JSON.stringify(structuredContent), /Idempotency-Key/)
      const named = z.record(z.string(), z.unknown()).parse(structuredContent?.['fields'] ?? {})
      assert.deepEqual(Object.keys(named), fields)
    })

  it('name all that is wrong with the arguments at once', async () => {
    const { id } = await createMonitor(api)
    const bogus = { check_options: { bogus: 1 } }
    const mistakes: [call: [string, Record<string, unknown>], fields: string[], token?: null][] = [
      [
        ['create_monitor', { name: 'A', colour: 'red', ...bogus }],
        ['check_options.bogus', 'colour', 'url'],
      ],
      [
        ['create_monitor', { colour: 'red', interval_seconds: 'often', ...bogus }],
        ['check_options.bogus', 'colour', 'interval_seconds', 'name', 'url'],
      ],
      [
        ['create_monitor', { locations: 'boston', confirmation_threshold: 2, url: 'ftp://example.com/' }],
        ['locations', 'name', 'url'],
      ],
      [
        ['create_monitor', { kind: 'htttp', ...bogus }],
        ['kind', 'name'],
      ],
      [
        ['create_monitor', { colour: 'red', kind: 'group', interval_seconds: 10 }],
        ['check_options.member_ids', 'colour', 'interval_seconds', 'kind', 'name'],
        null,
      ],
      [
        ['quote_monitor', { colour: 'red', url: 7, alert_channel_ids: [id] }],
        ['alert_channel_ids', 'colour', 'name', 'url'],
      ],
      [
        ['update_monitor', { id, colour: 'red', interval_seconds: 1, url: 'ftp://example.com/', ...bogus }],
        ['check_options.bogus', 'colour', 'interval_seconds', 'url'],
      ],
      [
        ['quote_monitor_change', { id, name: 'A', locations: ['mars'], vulnerability_alerts: 'yes', keywords: [] }],
        ['keywords', 'locations', 'vulnerability_alerts'],
      ],
      [
        ['update_monitor', { colour: 'red', interval_seconds: 'often' }],
        ['colour', 'id', 'interval_seconds'],
      ],
      [
        ['list_monitors', { colour: 'red', limit: 0, offset: 'x' }],
        ['colour', 'limit', 'offset'],
      ],
      [
        ['list_results', { monitor: 'Shop', limit: 0 }],
        ['id', 'limit', 'monitor'],
      ],
      [
        ['create_monitor', { colour: 'red', idempotency_key: '' }],
        ['colour', 'idempotency_key', 'name', 'url'],
      ],
    ]
    for (const [call, fields, token] of mistakes) {
      const { structuredContent } = await callTool(api, call, token === null ? { token } : {})
      assert.equal(structuredContent?.['error'], 'validation_failed')
      const named = z.record(z.string(), z.unknown()).parse(structuredContent['fields'])
      assert.deepEqual(Object.keys(named).toSorted(), fields, call[0])
    }
  })

  it('refuse a read token what changes anything', async () => {
    const { isError, structuredContent } = await callTool(api, ['create_monitor', { name: 'A' }], {
      token: api.readToken,
    })
    assert.equal(isError, true)
    assert.equal(structuredContent?.['error'], 'insufficient_scope')
  })

  it('take no more of a number than the API does: types are not coerced', async () => {
    const monitor = await createMonitor(api)
    const { structuredContent } = await callTool(api, ['list_results', { id: monitor.id, limit: 1.5 }])
    assert.deepEqual(Object.keys(z.record(z.string(), z.unknown()).parse(structuredContent?.['fields'])), ['limit'])
  })

  it('show 25 of a long list unless more are asked for, and say how many there are', async () => {
    const whole = await callTool(api, ['list_software_catalog', { limit: 500 }])
    assert.equal(whole.content.length, 1)
    const all = listSchema.parse(whole.structuredContent).data
    const some = await callTool(api, ['list_software_catalog', { offset: 100 }])
    assert.deepEqual(listSchema.parse(some.structuredContent).data, all.slice(100, 125))
    assert.match(some.content[1]?.text ?? '', new RegExp(`^Of ${all.length} in data numbers 101 to 125 are shown`))
    const none = await callTool(api, ['list_software_catalog', { offset: 100_000 }])
    assert.match(none.content[1]?.text ?? '', / in data none are shown/)
  })

  it('change a monitor without its name, which stays, and blame no name that was not sent', async () => {
    const { id } = await createMonitor(api, { name: 'Kept' })
    const changed = await callTool(api, ['update_monitor', { id, interval_seconds: 600 }])
    const record = z.object({ data: z.object({ name: z.string(), interval_seconds: z.int() }) })
    assert.deepEqual(record.parse(changed.structuredContent).data, { name: 'Kept', interval_seconds: 600 })
    assert.equal((await callTool(api, ['quote_monitor_change', { id, interval_seconds: 900 }])).isError, undefined)
    const refused = await callTool(api, ['update_monitor', { id, check_options: { bogus: 1 }, timeout_ms: 'long' }])
    const { fields } = z.object({ fields: z.record(z.string(), z.unknown()) }).parse(refused.structuredContent)
    assert.deepEqual(Object.keys(fields).toSorted(), ['check_options.bogus', 'timeout_ms'])
    const nameless = await callTool(api, ['update_monitor', { id, name: ' ' }])
    assert.equal(nameless.structuredContent?.['error'], 'validation_failed')
    assert.deepEqual(refusalOf(await api.request('PATCH', `/monitors/${id}`, { body: { interval_seconds: 600 } })), [
      422,
      'validation_failed',
      'name',
    ])
  })

  it('show lists of monitors and incidents page by page, and what is asked for of them', async () => {
    const paged = await testApi()
    const { workspaceId } = paged
    const ids = await addPendingMonitors(paged.database, { workspaceId, count: 60 })
    const page = async (given: Record<string, unknown>) => {
      const { structuredContent, content } = await callTool(paged, ['list_monitors', given])
      return { ...pageSchema.parse(structuredContent), notes: content.slice(1).map(({ text }) => text) }
    }
    const first = await page({})
    assert.deepEqual(
      [first.data.length, first.notes],
      [25, ['More follow: call again with the same arguments and `next_cursor` as `cursor`.']],
    )
    const second = await page({ cursor: first.next_cursor })
    const third = await page({ cursor: second.next_cursor })
    assert.deepEqual([third.data.length, third.next_cursor, third.notes], [10, null, []])
    const seen = [first, second, third].flatMap(({ data }) => data.map(({ id }) => String(id)))
    assert.deepEqual(seen.toSorted(), ids.toSorted())
    const some = await page({ status: ['pending', 'up'], kind: ['http'], fields: ['id', 'name'], limit: 2 })
    assert.deepEqual(
      some.data.map((record) => Object.keys(record)),
      [
        ['id', 'name'],
        ['id', 'name'],
      ],
    )
    const whole = await callTool(paged, ['list_monitors', { offset: 50, limit: 20 }])
    assert.equal(listSchema.parse(whole.structuredContent).data.length, 10)
    assert.match(whole.content[1]?.text ?? '', /^Of 60 in data numbers 51 to 60 are shown/)
    const incidents = await callTool(paged, ['list_incidents', { status: ['open'], since: '2026-01-01T00:00:00Z' }])
    assert.deepEqual(incidents.structuredContent, { data: [], next_cursor: null })
  })

  it('show some of what a file imported', async () => {
    const { id } = await createMonitor(api)
    const content = Array.from({ length: 60 }, (_, at) => `package-${at}==1.0.${at}`).join('\n')
    await callTool(api, ['import_software', { id, content, filename: 'requirements.txt' }])
    const report = await callTool(api, ['get_vulnerabilities', { id, limit: 7, offset: 50 }])
    assert.equal(z.object({ software: z.array(z.unknown()) }).parse(report.structuredContent).software.length, 7)
    assert.match(report.content[1]?.text ?? '', /^Of 60 in software numbers 51 to 57 are shown/)
  })

  it('say what software was compared with, and that some of it was not compared yet', async () => {
    const { id } = await createMonitor(api)
    await callTool(api, ['import_software', { id, content: 'npm:left-pad 1.3.0\nnpm:is-odd 3.0.1' }])
    await readFeeds(database)
    const said = async () => {
      const { structuredContent } = await callTool(api, ['get_vulnerabilities', { id }])
      const { checked_at: at, comparison, compared, ...rest } = vulnerabilitiesSchema.strip().parse(structuredContent)
      const states = compared.map(({ source, ecosystem, state }) => `${ecosystem ?? source} ${state}`)
      assert.ok(compared.every(({ data_as_of: readAt }) => readAt !== null))
      return [comparison, at !== null, rest.pending, rest.entries_to_compare, states, rest.findings]
    }
    const sources = ['npm current', 'exploited current']
    assert.deepEqual(await said(), ['not_compared', false, true, 2, sources, []])
    await compareUnread(database)
    assert.deepEqual(await said(), ['complete', true, false, 0, sources, []])
  })

  it('show some of what an incident went through', async () => {
    const id = await addRunningIncident(database, await createMonitor(api), new Date())
    await callTool(api, ['acknowledge_incident', { id }])
    const detail = z.object({ data: z.object({ events: z.array(z.unknown()) }) })
    const whole = await callTool(api, ['get_incident', { id }])
    const { events } = detail.parse(whole.structuredContent).data
    assert.ok(events.length > 1 && whole.content.length === 1)
    const some = await callTool(api, ['get_incident', { id, limit: 1, offset: 1 }])
    assert.deepEqual(detail.parse(some.structuredContent).data.events, [events[1]])
    assert.match(
      some.content[1]?.text ?? '',
      new RegExp(`^Of ${events.length} in data\\.events numbers 2 to 2 are shown`),
    )
  })

  it('say which options each kind of contact has, which are secret, and which it needs', async () => {
    const tools = await listed()
    const described = z.object({ properties: z.object({ options: z.object({ description: z.string().optional() }) }) })
    const of = (name: string) => tools.find((tool) => tool.name === name)
    const made = described.parse(of('create_alert_channel')?.inputSchema).properties.options.description ?? ''
    assert.match(made, /telegram: token\*, message_thread_id\?, server\?;/)
    assert.match(made, /pushover: app_token\*, user_key\*/)
    const changed = of('update_alert_channel')
    assert.equal(described.parse(changed?.inputSchema).properties.options.description, undefined)
    assert.match(String(changed?.description), /means what it means in .*`create_alert_channel`/)
  })

  it('take no more of a context than 60,000 characters, without what they answer', async () => {
    const told = (await listed()).map(({ outputSchema: _answered, ...tool }) => tool)
    const { length } = JSON.stringify(told)
    assert.ok(length < 60_000, String(length))
  })

  it('sum up the days of an uptime, however many are shown', async () => {
    const monitor = await createMonitor(api)
    const get = (given = {}) => callTool(api, ['get_uptime', { id: monitor.id, ...given }])
    assert.equal((await get()).content.length, 1)
    await addDays(database, monitor.id, [
      { date: '2026-01-01', up: 990, down: 10 },
      { date: '2026-01-02', up: 1000, down: 0 },
    ])
    const { structuredContent, content } = await get({ from: '2026-01-01', to: '2026-01-02', limit: 1 })
    assert.equal(listSchema.parse(structuredContent).data.length, 1)
    assert.match(content[1]?.text ?? '', /^Of 2 in data numbers 2 to 2 are shown/)
    assert.equal(
      content[2]?.text,
      'In all, 2026-01-01 to 2026-01-02: 2000 checks, 10 of them down, 99.500 percent uptime.',
    )
  })

  it('that are unknown are an error of the protocol', async () => {
    const { error } = await rpc(api, ['tools/call', { name: 'list_everything' }])
    assert.equal(error?.code, -32_602)
  })

  it('count as the requests that they stand for, and lists of them as nothing', async () => {
    const slow = await testApi({ rates: { readsPerMinute: 1 } })
    for (let times = 0; times < 3; times += 1) assert.equal((await rpc(slow, ['tools/list'])).error, undefined)
    assert.equal((await callTool(slow, ['get_account'])).isError, undefined)
    assert.equal((await callTool(slow, ['list_monitors'])).structuredContent?.['error'], 'rate_limited')
    assert.equal(
      (await callTool(slow, ['quote_monitor', { name: 'A', url: 'https://example.com/' }])).isError,
      undefined,
    )
  })

  it('tell nothing of a bug but the request it was met in', async () => {
    const bug = new Error('a secret of the code')
    const other = await testApi({ operations: [breaking(bug)], allowsInternalErrors: true })
    const { isError, content } = await callTool(other, ['get_broken'])
    assert.equal(isError, true)
    assert.match(
      content[0]?.text ?? '',
      /^\{"error":"internal","message":"Something went wrong on the server\. The request id is [\w-]+\."\}$/,
    )
    assert.deepEqual(other.errors, [bug])
  })

  it('say when the database is away, which is no bug', async () => {
    const away = new Error('Connection terminated unexpectedly')
    const other = await testApi({ operations: [breaking(away)] })
    const { isError, structuredContent } = await callTool(other, ['get_broken'])
    assert.deepEqual([isError, structuredContent?.['error']], [true, 'unavailable'])
    assert.deepEqual(other.errors, [])
  })
})

function breaking(failure: Error): AnyOperation {
  return defineOperation({
    name: 'get_broken',
    method: 'GET',
    path: '/broken',
    scope: 'read',
    tag: 'Account',
    summary: 'Breaks',
    errors: [],
    success: { status: 200, description: 'Never.', schema: z.strictObject({}) },
    run: async () => {
      throw failure
    },
  })
}
