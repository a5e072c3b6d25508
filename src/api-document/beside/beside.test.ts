import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { operations } from '#operations/index.ts'
import { components } from '#operations/pipeline/named-schemas.ts'
import { agentBench, publicUrl, textOf } from '../../../test/support/agents.ts'
import { startIssuer } from '../../../test/support/issuer.ts'
import { openApiDocument } from '../../../test/support/openapi.ts'
import { createEntrance } from '#api-document/entrance/entrance.ts'
import { createErrorsPage } from '#api-document/errors-page.ts'
import { createShortForm } from '#api-document/short-form.ts'
import { agentInputs } from './agent-schemas.ts'
import { describedBeside } from './beside.ts'
import { besideAnswers } from './document-schemas.ts'

const described = describedBeside(publicUrl)
const schemas: Readonly<Record<string, z.ZodType>> = { ...components, ...besideAnswers }

type Answer = { status: number; headers: Headers; text: string }

/** Fails unless the document describes this answer, its media type and each member of its body. */
function judge(operationId: string, { status, headers, text }: Answer): void {
  const { answers } = described.find((each) => each.operationId === operationId) ?? assert.fail(operationId)
  const answer = answers[String(status)] ?? answers[`${Math.floor(status / 100)}XX`]
  assert.ok(answer !== undefined, `${operationId} has no ${status}`)
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
  if (answer.content === undefined) {
    assert.equal(text, '', operationId)
    return
  }
  const names = answer.content[type]
  assert.ok(names !== undefined, `${operationId} has no ${type}`)
  if (names.length === 0) return
  const body: unknown = JSON.parse(text)
  const problems = names.map((name) => (schemas[name] ?? assert.fail(name)).safeParse(body).error?.message)
  assert.ok(problems.includes(undefined), `${operationId}: ${problems.join()} ${text}`)
}

function isBeside(path: string): boolean {
  return /^\/(?:agent|oauth2|\.well-known|ping|mcp|saml|api\/push|auth\.md|openapi)/.test(path)
}

describe('what is beside the API', async () => {
  const issuer = await startIssuer(publicUrl)
  const bench = await agentBench({ issuers: [issuer], services: { publishResults: async () => {} } })
  const { app } = bench.api
  const entrance = createEntrance({
    publicUrl,
    version: '1.2.3',
    operations,
    securityContact: 'mailto:security@example.com',
    now: bench.now,
  })
  entrance.route('/', createShortForm({ openApi: () => Promise.resolve(JSON.stringify(openApiDocument())) }))
  entrance.route('/', createErrorsPage())
  const atEntrance = new Set(entrance.routes.map(({ path }) => path))
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = atEntrance.has(path)
      ? await entrance.request(path, init)
      : await app.request(path, init, { address: '192.0.2.1' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it('is described, all of it', () => {
    const served = [...app.routes, ...entrance.routes]
      .filter(({ path, method }) => isBeside(path) && method !== 'ALL')
      .concat(entrance.routes)
      .map(({ path, method }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const named = described.map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    assert.deepEqual([...new Set(served)].toSorted(), named.toSorted())
  })

  it('answers each document as described', async () => {
    for (const { path, method, operationId, tag } of described) {
      if (method !== 'get' || tag !== 'Discovery' || path === '/') continue
      const answer = await ask(path)
      assert.equal(answer.status, 200, path)
      judge(operationId, answer)
    }
    for (const type of ['application/json', 'text/markdown'])
      judge('read_index', await ask('/', { headers: { Accept: type } }))
  })

  it('answers agents as described, and takes what it describes', async () => {
    const anonymous = { type: 'anonymous' }
    const forPerson = { type: 'service_auth', login_hint: 'alice@example.com' }
    const vouched = await issuer.assertion(bench.now())
    const registered = await bench.identity(anonymous)
    const named = await bench.identity(forPerson)
    const unconfirmed = await bench.vouched(vouched)
    for (const answer of [registered, named, unconfirmed]) judge('register_agent', answer)
    assert.deepEqual([registered.status, named.status, unconfirmed.status], [200, 200, 401])
    await bench.complete(unconfirmed.body['claim'])
    judge('register_agent', await bench.vouched(await issuer.assertion(bench.now())))
    judge('register_agent', await bench.identity({ type: 'unknown' }))
    const old = Math.floor(bench.now().getTime() / 1000) - 7200
    const login = await bench.vouched(await issuer.assertion(bench.now(), { claims: { auth_time: old } }))
    assert.equal(login.body['error'], 'login_required')
    judge('register_agent', login)
    for (const [name, body] of [
      ['AgentIdentityInput', anonymous],
      ['AgentIdentityInput', forPerson],
      ['AgentClaimInput', { claim_token: textOf(named.body, 'claim_token') }],
    ] as const)
      assert.ok(agentInputs[name]?.safeParse(body).success, name)
    judge('claim_agent', await bench.claim({ claim_token: textOf(named.body, 'claim_token') }))
    judge('claim_agent', await bench.claim({ claim_token: 'clm_unknown' }))
    judge('claim_agent', await bench.claim({}))
    judge('exchange_token', await bench.poll(textOf(named.body, 'claim_token')))
    const exchanged = await bench.exchange(textOf(registered.body, 'identity_assertion'))
    assert.equal(exchanged.status, 200)
    judge('exchange_token', exchanged)
    judge('exchange_token', await bench.exchange('nothing'))
    judge('exchange_token', await bench.poll('clm_unknown'))
    judge('revoke_token', await bench.revoke(textOf(exchanged.body, 'access_token')))
  })

  it('answers programs that sign their person in as described, and takes what it describes', async () => {
    const program = { client_name: 'Editor', redirect_uris: ['https://editor.example/callback'] }
    assert.ok(agentInputs['ProgramInput']?.safeParse(program).success)
    const post = (path: string, body: unknown): Promise<Answer> =>
      ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
    const registered = await post('/oauth2/register', program)
    assert.equal(registered.status, 201)
    judge('register_program', registered)
    judge('register_program', await post('/oauth2/register', {}))
    const client = { client_id: String(Object(JSON.parse(registered.text)).client_id) }
    const send = (path: string, form: Record<string, string>, headers = {}): Promise<Answer> =>
      ask(path, { method: 'POST', headers, body: new URLSearchParams(form) })
    const started = await send('/oauth2/device_authorization', client)
    assert.equal(started.status, 200)
    judge('begin_device_authorization', started)
    judge('begin_device_authorization', await send('/oauth2/device_authorization', { client_id: 'unknown' }))
    const { device_code: device } = Object(JSON.parse(started.text))
    const waiting = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: device, ...client }
    assert.ok(agentInputs['AgentTokenInput']?.safeParse(waiting).success)
    judge('exchange_token', await send('/oauth2/token', waiting))
    const key = { 'X-API-Key': bench.api.token }
    const told = await send('/oauth2/introspect', { token: bench.api.readToken }, key)
    assert.match(told.text, /"active":true/)
    judge('introspect_token', told)
    judge('introspect_token', await send('/oauth2/introspect', { token: 'unknown' }, key))
    judge('introspect_token', await send('/oauth2/introspect', { token: 'unknown' }))
    judge('begin_authorization', await ask('/oauth2/authorize?client_id=x', { redirect: 'manual' }))
    judge('begin_authorization', await ask(`/oauth2/authorize?state=${'x'.repeat(9000)}`, { redirect: 'manual' }))
  })

  it('answers calls as described', async () => {
    const created = await bench.api.post('/monitors', { name: 'Backup', kind: 'heartbeat', interval_seconds: 3600 })
    const { heartbeat_url: url, data: monitor } = z
      .object({ heartbeat_url: z.url(), data: z.object({ id: z.uuid() }) })
      .parse(created.body)
    const { pathname } = new URL(url)
    for (const [operationId, path] of [
      ['call', pathname],
      ['call_with_outcome', `${pathname}/fail`],
      ['call', '/ping/unknown'],
      ['call_imported_with_outcome', '/ping/unknown/key/0'],
      ['push', '/api/push/unknown'],
    ] as const)
      judge(operationId, await ask(path))
    const posted = await ask(pathname, { method: 'POST', body: 'done' })
    assert.equal(posted.status, 200)
    judge('call_and_body', posted)
    const path = '/api/push/abcdefghij'
    const addresses = [{ path, monitor_id: monitor.id }]
    assert.equal((await bench.api.post('/call-addresses', { addresses })).status, 200)
    judge('push', await ask(`${path}?status=up`))
  })

  it('answers identity providers as described', async () => {
    const post = (path: string, body: string | URLSearchParams): Promise<Answer> => ask(path, { method: 'POST', body })
    const root = '/saml/7b1d6d3a-1c1e-4d58-8a44-0a4c5d5b7f10'
    const [metadata, posted, large] = [
      await ask(`${root}/metadata`),
      await post(`${root}/acs`, new URLSearchParams({ SAMLResponse: 'PGEvPg==', RelayState: 'unknown' })),
      await post(`${root}/acs`, 'x'.repeat(600 * 1024)),
    ]
    assert.deepEqual([metadata.status, posted.status, large.status], [200, 303, 413])
    judge('read_saml_metadata', metadata)
    judge('read_saml_metadata', await ask('/saml/unknown/metadata'))
    for (const answer of [posted, large, await post('/saml/unknown/acs', '')]) judge('post_saml_response', answer)
  })

  it('answers models as described', async () => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    judge('send_mcp_message', await ask('/mcp', { method: 'POST', headers, body: JSON.stringify(list) }))
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_monitors', arguments: {} } }
    const refused = await ask('/mcp', { method: 'POST', headers, body: JSON.stringify(call) })
    assert.equal(refused.status, 401)
    judge('send_mcp_message', refused)
  })
})
