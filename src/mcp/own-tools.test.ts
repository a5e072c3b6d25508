import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { contactKindNames } from '#core/contacts/contact-kinds.ts'
import { kindNames } from '#core/monitors/kind-traits.ts'
import type { TrialOutcome } from '#core/monitors/trial.ts'
import { noPhases } from '#core/results/result.ts'
import { testApi } from '../../test/support/api.ts'
import { callTool, rpc } from '../../test/support/mcp-call.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { sandbox } from '../../test/support/paying.ts'

const toolset = 'monitors'
const found = z.object({ data: z.array(z.record(z.string(), z.unknown())), next_cursor: z.string().nullable() })
const refused = z.object({ error: z.string(), fields: z.record(z.string(), z.array(z.string())).optional() })
const kindSchema = z.object({
  data: z.object({
    kind: z.string(),
    required: z.array(z.string()),
    results_from: z.enum(['checks', 'calls', 'members']),
    most_locations: z.int(),
    longest_check_ms: z.int().nullable(),
    check_options: z.looseObject({ type: z.literal('object') }),
    price: z.record(z.string(), z.unknown()).nullable(),
  }),
})

/** So many seconds after it began. */
function notice(progress: number): Record<string, unknown> {
  return {
    method: 'notifications/progress',
    params: { progressToken: 'p', progress, message: 'The check is running.' },
  }
}

describe('finding monitors', async () => {
  const api = await testApi()
  const shop = await createMonitor(api, { name: 'Shop', url: 'https://shop.example/', tags: ['Production'] })
  const mail = await createMonitor(api, { name: 'Mail', kind: 'tcp', url: 'mail.example:25', tags: ['production'] })
  await api.post(`/monitors/${mail.id}/pause`)
  const find = async (given: Record<string, unknown> = {}, token?: string) =>
    found.parse(
      (await callTool(api, ['find_monitors', given], { toolset, ...(token === undefined ? {} : { token }) }))
        .structuredContent,
    )
  const namesOf = async (given: Record<string, unknown>) => (await find(given)).data.map(({ name }) => name)

  const cases: [given: Record<string, unknown>, ...names: string[]][] = [
    [{}, 'Shop', 'Mail'],
    [{ name: 'sho' }, 'Shop'],
    [{ tag: ['PRODUCTION'] }, 'Shop', 'Mail'],
    [{ tag: 'production', status: ['paused'] }, 'Mail'],
    [{ status: ['pending'] }, 'Shop'],
    [{ kind: ['tcp'] }, 'Mail'],
    [{ url: 'shop.example' }, 'Shop'],
    [{ name: 'nothing' }],
  ]
  for (const [given, ...names] of cases)
    it(`finds ${names.join(' and ') || 'none'} by ${JSON.stringify(given)}`, async () =>
      assert.deepEqual(await namesOf(given), names))

  it('says of each what it takes to go on', async () => {
    const [first] = (await find({ name: 'Shop' }, api.readToken)).data
    assert.deepEqual(Object.keys(first ?? {}).toSorted(), [
      'current_status',
      'id',
      'kind',
      'last_checked_at',
      'name',
      'status',
      'tags',
      'url',
    ])
    assert.equal(first?.['id'], shop.id)
  })

  it('goes from page to page, and says that more follow', async () => {
    const { structuredContent, content } = await callTool(api, ['find_monitors', { limit: 1 }], { toolset })
    const { next_cursor: cursor } = found.parse(structuredContent)
    assert.match(content[1]?.text ?? '', /^More follow/)
    assert.deepEqual(await namesOf({ limit: 1, cursor }), ['Mail'])
  })

  it('names all that is wrong with its arguments', async () => {
    const { isError, structuredContent } = await callTool(
      api,
      ['find_monitors', { colour: 'red', status: 'asleep', fields: 'id' }],
      { toolset },
    )
    assert.equal(isError, true)
    assert.deepEqual(Object.keys(refused.parse(structuredContent).fields ?? {}).toSorted(), [
      'colour',
      'fields',
      'status',
    ])
  })

  async function told(call: [string, Record<string, unknown>], of?: string): Promise<string> {
    const { structuredContent } = await callTool(api, call, of === undefined ? {} : { toolset: of })
    assert.equal(structuredContent?.['error'], 'not_found')
    return String(structuredContent['message'])
  }

  it('is where an id is found that is none', async () => {
    const uuid = '`id` must be a UUID such as 0c7a8f6e-3b1d-4e52-9f60-2a4d8c1b7e93; find ids with'
    assert.equal(await told(['get_monitor', { id: 'Shop' }], 'monitors'), `${uuid} find_monitors.`)
    assert.equal(await told(['check_monitor', { id: 'Shop' }], 'incidents'), `${uuid} find_monitors.`)
    assert.equal(await told(['get_vulnerabilities', { id: 'Shop' }], 'software'), `${uuid} find_monitors.`)
    assert.equal(await told(['get_monitor', { id: 'Shop' }]), `${uuid} list_monitors.`)
    assert.equal(await told(['get_incident', { id: 7 }]), `${uuid} list_incidents.`)
    const id = crypto.randomUUID()
    assert.equal(await told(['get_monitor', { id }]), 'There is no such monitor in this workspace.')
    const both = { id: 'Shop', override_id: 'x' }
    assert.match(
      await told(['delete_on_call_override', both]),
      /^`id` must .* list_on_call_schedules\. `override_id` must .* list_on_call_overrides\.$/,
    )
    assert.match(
      await told(['remove_software', { id, software_id: 'nginx' }]),
      /^`software_id` must be a UUID such as \S+\.$/,
    )
  })
})

describe('what a kind needs', async () => {
  const api = await testApi({ payments: sandbox })
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const ask = (name: string, given: Record<string, unknown>, of: string = toolset) =>
    callTool(api, [name, given], { toolset: of, token: null })

  for (const kind of kindNames)
    it(`is told to everybody: ${kind}`, async () => {
      const { data } = kindSchema.parse((await ask('get_monitor_kind', { kind })).structuredContent)
      assert.equal(data.kind, kind)
      assert.ok(ajv.compile(data.check_options)({}) !== data.required.includes('check_options'))
      assert.deepEqual(data.price, {
        currency: 'usd',
        location_cents: 1,
        location_days: 30,
        location_for_life_cents: 10,
      })
    })

  async function told(kind: string): Promise<unknown[]> {
    const { data } = kindSchema.parse((await ask('get_monitor_kind', { kind })).structuredContent)
    return [data.required, data.results_from, data.most_locations, data.longest_check_ms]
  }

  it('differs by where its results come from', async () => {
    assert.deepEqual(await told('http'), [['name', 'url'], 'checks', 10, null])
    assert.deepEqual(await told('heartbeat'), [['name'], 'calls', 1, null])
    assert.deepEqual(await told('group'), [['name', 'check_options'], 'members', 1, null])
    assert.deepEqual(await told('repository'), [['name', 'url'], 'checks', 1, 60_000])
  })

  it('is no price where nothing is paid', async () => {
    const free = await testApi()
    const { structuredContent } = await callTool(free, ['get_monitor_kind', { kind: 'http' }], { toolset })
    assert.equal(kindSchema.parse(structuredContent).data.price, null)
  })

  it('of contacts is told to everybody, secrets marked', async () => {
    for (const kind of contactKindNames) {
      const { structuredContent } = await ask('get_contact_kind', { kind }, 'contacts')
      assert.partialDeepStrictEqual(structuredContent, { data: { kind, options: { type: 'object' } } })
    }
    const { content } = await ask('get_contact_kind', { kind: 'telegram' }, 'contacts')
    assert.match(content[0]?.text ?? '', /"token":.*BotFather shows it\.","writeOnly":true/)
  })

  it('is refused for kinds that there are not, by name', async () => {
    for (const [name, of] of [
      ['get_monitor_kind', 'monitors'],
      ['get_contact_kind', 'contacts'],
    ] as const)
      for (const given of [{}, { kind: 'toaster' }, { kind: 7 }, { kind: 'constructor' }]) {
        const { isError, structuredContent } = await ask(name, { ...given, colour: 'red' }, of)
        assert.equal(isError, true)
        const { error, fields = {} } = refused.parse(structuredContent)
        assert.deepEqual([error, Object.keys(fields).toSorted()], ['validation_failed', ['colour', 'kind']])
      }
    const known = refused.parse((await ask('get_monitor_kind', { kind: 'http', colour: 'red' })).structuredContent)
    assert.deepEqual(Object.keys(known.fields ?? {}), ['colour'])
  })
})

describe('a check that a model asks for', async () => {
  const verdict = {
    status: 'down',
    statusCode: 503,
    latencyMs: 12,
    error: 'The server answered 503.',
    phases: noPhases,
    details: {},
  } as const
  const waiting: ((outcome: TrialOutcome) => void)[] = []
  const api = await testApi({ services: { tryCheck: () => new Promise((resolve) => waiting.push(resolve)) } })
  const end = (): void => waiting.pop()?.({ type: 'checked', verdict })
  const root = 'io.modelcontextprotocol'
  const eras: [era: string, meta: Record<string, unknown>, headers: Record<string, string>][] = [
    ['2025', {}, {}],
    [
      '2026',
      { [`${root}/protocolVersion`]: '2026-07-28', [`${root}/clientCapabilities`]: {} },
      { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'check_monitor' },
    ],
  ]

  async function post(params: Record<string, unknown>, headers: Record<string, string>): Promise<Response> {
    return api.app.request(
      'http://perigee.test/mcp/monitors',
      {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'X-API-Key': api.token,
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      },
      { address: '192.0.2.1' },
    )
  }

  for (const [era, meta, headers] of eras)
    it(`tells its progress while it runs, to a client of ${era} that asks for that`, async () => {
      const { id } = await createMonitor(api)
      const params = { name: 'check_monitor', arguments: { id }, _meta: { ...meta, progressToken: 'p' } }
      const { body } = await post(params, headers)
      assert.ok(body !== null)
      let text = ''
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        text += chunk
        // The second comes by the clock, while the check runs.
        if (text.split('notifications/progress').length > 2) end()
      }
      const messages = [...text.matchAll(/^data: (\{.+)$/gm)].map(([, line = '']): unknown => JSON.parse(line))
      assert.partialDeepStrictEqual(messages.slice(0, 2), [notice(0), notice(1)])
      assert.partialDeepStrictEqual(messages.at(-1), {
        id: 1,
        result: { structuredContent: { data: { status: 'down', status_code: 503, location_code: 'amsterdam' } } },
      })
    })

  for (const [era, meta, headers] of eras)
    it(`is answered alone to a client of ${era} that asks for no progress`, async () => {
      const { id } = await createMonitor(api, { locations: ['amsterdam', 'boston'] })
      const given = { id, location: 'boston' }
      const answering = post({ name: 'check_monitor', arguments: given, _meta: meta }, headers)
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = (): void => void (waiting.length > 0 ? resolve() : setImmediate(look))
      look()
      await promise
      end()
      const text = await (await answering).text()
      assert.doesNotMatch(text, /notifications\/progress/)
      assert.match(text, /"location_code":"boston"/)
    })

  it('of a new monitor tells its progress, too', async () => {
    const given = { name: 'New', url: 'https://new.example/' }
    const { body } = await post({ name: 'try_monitor', arguments: given, _meta: { progressToken: 7 } }, {})
    assert.ok(body !== null)
    let text = ''
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (waiting.length > 0) end()
      else if (text.includes('"progress":1')) end()
    }
    assert.match(text, /"progressToken":7,"progress":0/)
    assert.match(text, /"status":"down"/)
  })

  it('is refused where there is none, with a read token, and with arguments that it has not', async () => {
    const beat = await createMonitor(api, { kind: 'heartbeat', url: undefined })
    const call = async (given: Record<string, unknown>, sent = {}) =>
      refused.parse((await callTool(api, ['check_monitor', given], { toolset, ...sent })).structuredContent)
    assert.deepEqual(Object.keys((await call({ id: beat.id })).fields ?? {}), ['kind'])
    assert.equal((await call({ id: beat.id }, { token: api.readToken })).error, 'insufficient_scope')
    assert.deepEqual(Object.keys((await call({ name: 'x' })).fields ?? {}).toSorted(), ['id', 'name'])
    const stranger = await rpc(api, ['tools/call', { name: 'check_monitor' }], { toolset, token: null })
    assert.equal(stranger.status, 401)
  })
})
