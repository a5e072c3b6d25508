import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { operations } from '#operations/index.ts'
import { type AnyOperation, defineOperation } from '#operations/operation.ts'
import { testApi } from '../../test/support/api.ts'
import { callTool, rpc } from '../../test/support/mcp-call.ts'
import { addDays, addRunningIncident, createMonitor } from '../../test/support/monitors.ts'
import { addPayment } from '../../test/support/payments.ts'

const listSchema = z.object({ data: z.array(z.unknown()) })
const toolsSchema = z.object({
  tools: z.array(
    z.looseObject({
      name: z.string(),
      description: z.string(),
      inputSchema: z.looseObject({}),
      outputSchema: z.looseObject({}).optional(),
      annotations: z.looseObject({ readOnlyHint: z.boolean(), destructiveHint: z.boolean() }),
    }),
  ),
})

describe('the tools', async () => {
  const api = await testApi()
  const { database, workspaceId } = api
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const listed = async (token?: string | null) =>
    toolsSchema.parse((await rpc(api, ['tools/list'], token === undefined ? {} : { token })).result).tools
  const names = async (token?: string | null): Promise<string[]> => (await listed(token)).map(({ name }) => name)

  it('are the public operations', async () => {
    const open = operations.filter(({ surface }) => surface === 'api').map(({ name }) => name)
    assert.deepEqual(await names(), open)
  })

  it('that a credential cannot call are not shown to it', async () => {
    assert.deepEqual(await names(null), ['create_monitor', 'quote_monitor'])
    const reading = operations.filter(({ surface, scope }) => surface === 'api' && scope === 'read')
    assert.deepEqual(
      await names(api.readToken),
      reading.map(({ name }) => name),
    )
  })

  it('say what they do to what there is', async () => {
    const of = new Map((await listed()).map(({ name, annotations }) => [name, annotations]))
    const hints = (name: string): unknown[] => [of.get(name)?.readOnlyHint, of.get(name)?.destructiveHint]
    assert.deepEqual(hints('list_monitors'), [true, false])
    assert.deepEqual(hints('quote_renewal'), [true, false])
    assert.deepEqual(hints('create_monitor'), [false, false])
    assert.deepEqual(hints('delete_monitor'), [false, true])
  })

  it('name their price and how it is paid, where they have one', async () => {
    for (const { name, description, _meta: meta } of await listed()) {
      const isPaid = operations.find((operation) => operation.name === name)?.paid === true
      assert.equal(/\$0\.01 a location for 30 days.*\$0\.10 .*for life.*-32042.*card/.test(description), isPaid, name)
      assert.equal(JSON.stringify(meta ?? null).includes('x-payment-info'), isPaid, name)
    }
  })

  it('answer what their schemas say, refusals too', async () => {
    const monitor = await createMonitor(api)
    const { id } = monitor
    const incidentId = await addRunningIncident(database, monitor, new Date())
    const payment = await addPayment(database, { workspaceId })
    const contact = { name: 'Hook', kind: 'webhook', destination: 'https://hooks.example.com/x' }
    const input = { name: 'Another', url: 'https://example.com/' }
    const channel = await callTool(api, ['create_alert_channel', contact])
    const channelId = z.object({ data: z.object({ id: z.uuid() }) }).parse(channel.structuredContent).data.id
    const software = await callTool(api, ['add_software', { id, name: 'npm:left-pad', version: '1.3.0' }])
    const entry = z.object({ software: z.array(z.object({ id: z.uuid() })) }).parse(software.structuredContent)
    const softwareId = entry.software[0]?.id
    const succeeding: [name: string, given?: Record<string, unknown>][] = [
      ['get_account'],
      ['update_billing_details', { billing_name: 'Example' }],
      ['list_alert_channels', { limit: 1 }],
      ['create_alert_channel', contact],
      ['list_locations'],
      ['list_monitors'],
      ['create_monitor', { ...input, idempotency_key: 'one' }],
      ['create_monitor', { ...input, idempotency_key: 'one' }],
      ['get_monitor', { id }],
      ['update_monitor', { id, name: 'Renamed' }],
      ['pause_monitor', { id }],
      ['resume_monitor', { id }],
      ['quote_monitor', input],
      ['quote_monitor_change', { id }],
      ['quote_monitor_change', { id, name: 'Renamed', locations: ['amsterdam', 'boston'] }],
      ['list_results', { id, limit: 3 }],
      ['get_uptime', { id, from: '2026-01-01', to: '2026-01-31' }],
      ['list_incidents'],
      ['get_incident', { id: incidentId }],
      ['acknowledge_incident', { id: incidentId }],
      ['list_credit_transactions', { offset: 1 }],
      ['list_payments'],
      ['get_payment', { id: payment.id }],
      ['get_receipt', { id: payment.id }],
      ['get_vulnerabilities', { id }],
      ['add_software', { id, name: 'npm:is-odd', version: '3.0.1' }],
      ['import_software', { id, content: 'requests==2.31.0', filename: 'requirements.txt' }],
      ['remove_software_import', { id, file: 'requirements.txt' }],
      ['update_software', { id, software_id: softwareId, ignored: true }],
      ['remove_software', { id, software_id: softwareId }],
      ['list_software_catalog', { limit: 500 }],
      ['delete_alert_channel', { id: channelId }],
      ['delete_monitor', { id }],
    ]
    const refused: [name: string, given?: Record<string, unknown>][] = [
      ['test_alert_channel', { id: crypto.randomUUID() }],
      ['renew_monitor', { id: crypto.randomUUID() }],
      ['quote_renewal', { id: crypto.randomUUID() }],
      ['top_up_credit', { amount_cents: 1 }],
      ['scan_vulnerabilities', { id: crypto.randomUUID() }],
      ['mark_finding_fixed', { id: crypto.randomUUID(), finding_id: crypto.randomUUID() }],
    ]
    const schemas = new Map((await listed()).map(({ name, outputSchema }) => [name, outputSchema]))
    for (const [name, given] of [...succeeding, ...refused]) {
      const { structuredContent, isError = false, content } = await callTool(api, [name, given])
      assert.equal(
        isError,
        refused.some(([each]) => each === name),
        `${name}: ${content[0]?.text}`,
      )
      const schema = schemas.get(name)
      if (schema === undefined) assert.equal(structuredContent, undefined, name)
      else assert.ok(ajv.validate(schema, structuredContent), `${name}: ${ajv.errorsText()}`)
      if (structuredContent !== undefined && schema !== undefined)
        assert.deepEqual(JSON.parse(content[0]?.text ?? ''), structuredContent)
    }
    const called = new Set([...succeeding, ...refused].map(([name]) => name))
    assert.deepEqual(
      (await names()).filter((name) => !called.has(name)),
      [],
    )
  })

  const wrong: [what: string, call: [string, Record<string, unknown>?], error: string, fields: string[]][] = [
    ['an argument that is unknown', ['list_monitors', { status: 'down' }], 'validation_failed', ['status']],
    ['no id', ['get_monitor'], 'validation_failed', ['id']],
    ['an id that is none', ['get_monitor', { id: 7 }], 'not_found', []],
    ['a limit of a long list', ['list_monitors', { limit: 501 }], 'validation_failed', ['limit']],
    ['an offset of a long list', ['list_monitors', { offset: -1 }], 'validation_failed', ['offset']],
    ['a body', ['create_monitor', { name: '' }], 'validation_failed', ['name']],
    ['a date', ['get_uptime', { id: crypto.randomUUID(), from: 'today' }], 'not_found', []],
    [
      'a key',
      ['create_monitor', { name: 'A', url: 'https://example.com/', idempotency_key: '' }],
      'validation_failed',
      ['Idempotency-Key'],
    ],
  ]
  for (const [what, call, error, fields] of wrong)
    it(`refuse as a result: ${what}`, async () => {
      const { isError, structuredContent } = await callTool(api, call)
      assert.equal(isError, true)
      assert.equal(structuredContent?.['error'], error)
      const named = z.record(z.string(), z.unknown()).parse(structuredContent?.['fields'] ?? {})
      assert.deepEqual(Object.keys(named), fields)
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

  it('show 50 of a long list unless more are asked for, and say how many there are', async () => {
    const whole = await callTool(api, ['list_software_catalog', { limit: 500 }])
    assert.equal(whole.content.length, 1)
    const all = listSchema.parse(whole.structuredContent).data
    const some = await callTool(api, ['list_software_catalog', { offset: 100 }])
    assert.deepEqual(listSchema.parse(some.structuredContent).data, all.slice(100, 150))
    assert.match(some.content[1]?.text ?? '', new RegExp(`^Of ${all.length} in data numbers 101 to 150 are shown`))
    const none = await callTool(api, ['list_software_catalog', { offset: 100_000 }])
    assert.match(none.content[1]?.text ?? '', / in data none are shown/)
  })

  it('show some of what a file imported', async () => {
    const { id } = await createMonitor(api)
    const content = Array.from({ length: 60 }, (_, at) => `package-${at}==1.0.${at}`).join('\n')
    await callTool(api, ['import_software', { id, content, filename: 'requirements.txt' }])
    const report = await callTool(api, ['get_vulnerabilities', { id, limit: 7, offset: 50 }])
    assert.equal(z.object({ software: z.array(z.unknown()) }).parse(report.structuredContent).software.length, 7)
    assert.match(report.content[1]?.text ?? '', /^Of 60 in software numbers 51 to 57 are shown/)
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
    assert.match(content[1]?.text ?? '', /^Of 2 in data numbers 1 to 1 are shown/)
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
      /^\{"error":"internal","message":"Something went wrong here\. The request was [\w-]+\."\}$/,
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
