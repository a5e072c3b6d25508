import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { oauthRules } from '#core/people/oauth.ts'
import { createNet } from '#net/create-net.ts'
import { forgetAgents } from '#store/people/agent-forgetting.ts'
import { agentsAt, publicUrl, textOf } from '../../../test/support/agents.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { rpc } from '../../../test/support/mcp-call.ts'
import { type Owner, callback, oauthProgram, registerProgram, returned } from '../../../test/support/oauth.ts'
import { peopleApi } from '../../../test/support/people.ts'

const start = Date.parse('2026-05-04T10:00:00Z')

describe('a program that asks a person for access', async () => {
  const documents = new Map<string, { status: number; body: string; headers?: Record<string, string> }>()
  const { port } = await httpServer(({ url = '' }, response) => {
    const { status, body, headers = {} } = documents.get(url) ?? { status: 404, body: '' }
    response.writeHead(status, headers).end(body)
  })
  const net = createNet({ allowPrivate: 'all' })
  // Documents of clients are on https; their server here has no certificate that this process trusts.
  const http: typeof net.http = (request, signal) =>
    net.http({ ...request, url: new URL(request.url.pathname, `http://127.0.0.1:${port}`) }, signal)
  const clock = { now: start }
  const people = await peopleApi({
    now: () => new Date(clock.now),
    services: { carriers: { net: { ...net, http }, sendMail: () => assert.fail('no mail is sent here') } },
  })
  const { api } = people
  const agents = agentsAt(api, clock)
  const owner = await people.newcomer('olga@example.com', 'Olga')
  const program = await oauthProgram(agents)

  const count = async (table: string): Promise<number> =>
    Number((await api.database.pool.query(`select count(*) from ${table}`)).rows[0]?.count)
  const mcp = async (token: string): Promise<number> => (await rpc(api, ['tools/list'], { token })).status

  it('registers, and is told what it has', async () => {
    const { status, headers, body } = await registerProgram(agents, {
      client_name: ' Claude\nCode ',
      token_endpoint_auth_method: 'client_secret_basic',
      logo_uri: 'https://editor.example/logo.png',
    })
    assert.equal(status, 201)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(body, {
      client_id: textOf(body, 'client_id'),
      client_id_issued_at: start / 1000,
      client_name: 'Claude Code',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
    })
  })

  const registrations: [what: string, body: unknown, error: string][] = [
    ['no address', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['addresses that are no list', { redirect_uris: callback }, 'invalid_redirect_uri'],
    ['too many addresses', { redirect_uris: Array.from({ length: 11 }, () => callback) }, 'invalid_redirect_uri'],
    ['an address without TLS', { redirect_uris: [callback, 'http://editor.example/'] }, 'invalid_redirect_uri'],
    ['a scheme of its own', { redirect_uris: ['editor://callback'] }, 'invalid_redirect_uri'],
    ['a name that is no text', { client_name: 7 }, 'invalid_client_metadata'],
  ]
  for (const [what, body, error] of registrations)
    it(`is not registered with ${what}`, async () => {
      const refused = await registerProgram(agents, body)
      assert.deepEqual([refused.status, refused.body['error']], [400, error])
      assert.notEqual(textOf(refused.body, 'error_description'), '')
    })

  it('sends its person to the page with what it asked for, and no further', async () => {
    const query = new URLSearchParams(program.request).toString()
    const sent = await agents.send(`/oauth2/authorize?${query}`, { redirect: 'manual' })
    assert.deepEqual([sent.status, sent.headers.get('location')], [302, `${publicUrl}/connect?${query}`])
    assert.equal((await agents.send(`/oauth2/authorize?state=${'x'.repeat(8000)}`, {})).status, 400)
  })

  it('shows its person who asks for what', async () => {
    const { status, body } = await program.view(owner, { scope: 'read', resource: `${publicUrl}/mcp` })
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      data: {
        asks: {
          client_name: 'Editor',
          client_host: null,
          redirect_host: 'editor.example',
          scopes: ['read'],
          audience: 'mcp',
        },
        problem: null,
      },
    })
    const denied = returned({ status, body, headers: new Headers(), text: '' })
    assert.equal(denied.searchParams.get('error'), 'access_denied')
    assert.equal(denied.searchParams.get('state'), 'the state & more')
    assert.equal(denied.searchParams.get('iss'), publicUrl)
  })

  const returnedFor: [what: string, changes: Record<string, string>, error: string][] = [
    ['no code', { response_type: 'token' }, 'unsupported_response_type'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge of another form', { code_challenge: 'short' }, 'invalid_request'],
    ['an unknown scope', { scope: 'read admin' }, 'invalid_scope'],
    ['a resource of others', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['a resource that only begins like ours', { resource: `${publicUrl}/mcpx` }, 'invalid_target'],
  ]
  for (const [what, changes, error] of returnedFor)
    it(`is told, through its person, that it asked for ${what}`, async () => {
      const answer = await program.view(owner, changes)
      const uri = returned(answer)
      assert.equal(uri.href.startsWith(`${callback}?`), true)
      assert.deepEqual([uri.searchParams.get('error'), uri.searchParams.get('iss')], [error, publicUrl])
      assert.equal((await program.agree(owner, { request: changes })).status, 400)
    })

  const refusedFor: [what: string, changes: Record<string, string>][] = [
    ['an address that is not its own', { redirect_uri: 'https://evil.example/callback' }],
    ['an id that was never given', { client_id: crypto.randomUUID() }],
    ['an id that is no id', { client_id: 'Editor' }],
  ]
  for (const [what, changes] of refusedFor)
    it(`gets its person back for nothing that it asked with ${what}`, async () => {
      const { body } = await program.view(owner, changes)
      assert.partialDeepStrictEqual(body, { data: { asks: null, leave_to: null } })
      assert.equal((await program.agree(owner, { request: changes })).status, 400)
    })

  it('gets a code from an owner alone, and never more than it asked for', async () => {
    const other = await people.newcomer('eve@example.com', 'Eve')
    assert.equal((await program.agree({ ...other, workspaceId: owner.workspaceId })).status, 401)
    assert.equal((await program.agree(owner, { request: { scope: 'read' } })).status, 400)
    const withToken = await api.request('POST', '/authorization', {
      body: { request: program.request, scopes: ['read'] },
    })
    assert.equal(withToken.status, 401)
  })

  it('acts with what the code brings, is listed, and is over when it is disconnected', async () => {
    const agreed = await program.agree(owner)
    const back = returned(agreed)
    assert.equal(back.origin + back.pathname, callback)
    assert.deepEqual([back.searchParams.get('state'), back.searchParams.get('iss')], ['the state & more', publicUrl])
    assert.deepEqual(await listed(owner), [], 'no program before it came for its tokens')
    const granted = await program.exchange(back.searchParams.get('code') ?? '')
    assert.equal(granted.headers.get('cache-control'), 'no-store')
    assert.partialDeepStrictEqual(granted.body, { token_type: 'Bearer', expires_in: 3600, scope: 'read write' })
    const token = textOf(granted.body, 'access_token')
    assert.equal(await agents.account(token), 200)
    assert.equal(await mcp(token), 200)
    const [agent] = await listed(owner)
    assert.partialDeepStrictEqual(agent, {
      type: 'authorization_code',
      redirect_host: 'editor.example',
      email: 'olga@example.com',
      scopes: ['read', 'write'],
      budget_cents: 0,
    })
    assert.match(String(agent?.['name']), /^Editor [0-9a-f]{6}$/)
    const entries = await owner.browser.api('GET', '/audit-entries', { workspace: owner.workspaceId })
    assert.partialDeepStrictEqual(Object(entries.body).data[0], {
      action: 'authorize_program',
      actor: { kind: 'person', name: 'Olga' },
      target: { kind: 'agent', id: agent?.['id'], name: agent?.['name'] },
      details: { scopes: ['read', 'write'], budget_cents: 0 },
    })
    const gone = await owner.browser.api('DELETE', `/agents/${String(agent?.['id'])}`, { workspace: owner.workspaceId })
    assert.equal(gone.status, 204)
    assert.equal(await agents.account(token), 401)
    assert.equal((await program.refresh(textOf(granted.body, 'refresh_token'))).body['error'], 'invalid_grant')
  })

  const badExchanges: [what: string, changes: Record<string, string>, error: string][] = [
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['a verifier of another form', { code_verifier: 'short' }, 'invalid_grant'],
    ['another client', { client_id: crypto.randomUUID() }, 'invalid_grant'],
    ['another address', { redirect_uri: 'https://editor.example/other' }, 'invalid_grant'],
    ['a resource of others', { resource: 'https://other.example/' }, 'invalid_target'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['no client', { client_id: '' }, 'invalid_request'],
  ]
  it('exchanges a code with everything that belongs to it, and else keeps it', async () => {
    const code = await program.codeFrom(owner)
    for (const [what, changes, error] of badExchanges) {
      const refused = await program.exchange(code, changes)
      assert.deepEqual([refused.status, refused.body['error']], [400, error], what)
    }
    assert.equal((await program.exchange(code)).status, 200)
  })

  it('loses everything when its code is used again', async () => {
    const code = await program.codeFrom(owner)
    const token = textOf((await program.exchange(code)).body, 'access_token')
    assert.equal((await program.exchange(code)).body['error'], 'invalid_grant')
    assert.equal(await agents.account(token), 401)
  })

  it('has a minute for its code', async () => {
    const early = await program.codeFrom(owner)
    clock.now += oauthRules.codeMs - 1
    assert.equal((await program.exchange(early)).status, 200)
    const late = await program.codeFrom(owner)
    clock.now += oauthRules.codeMs
    assert.equal((await program.exchange(late)).body['error'], 'invalid_grant')
  })

  it('refreshes each token once; a second use ends all', async () => {
    const { refresh } = await program.connect(owner)
    clock.now += 3600_000
    const second = await program.refresh(refresh)
    assert.equal(second.status, 200)
    const token = textOf(second.body, 'access_token')
    assert.equal(await agents.account(token), 200)
    const next = textOf(second.body, 'refresh_token')
    assert.notEqual(next, refresh)
    assert.equal((await program.refresh(refresh, { client_id: crypto.randomUUID() })).body['error'], 'invalid_grant')
    assert.equal(await agents.account(token), 200, 'another client ends nothing')
    assert.equal((await program.refresh(refresh)).body['error'], 'invalid_grant')
    assert.equal(await agents.account(token), 401)
    assert.equal((await program.refresh(next)).body['error'], 'invalid_grant')
  })

  it('is given one successor of a token that it uses twice at once', async () => {
    const { refresh } = await program.connect(owner)
    const answers = await Promise.all([program.refresh(refresh), program.refresh(refresh)])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 400],
    )
  })

  it('refreshes for 90 days after the last time', async () => {
    const { refresh } = await program.connect(owner)
    clock.now += oauthRules.refreshMs - 1
    const second = textOf((await program.refresh(refresh)).body, 'refresh_token')
    await forgetAgents(api.database, agents.now())
    clock.now += oauthRules.refreshMs
    assert.equal((await program.refresh(second)).body['error'], 'invalid_grant')
    clock.now += 7 * 86_400_000
    await forgetAgents(api.database, agents.now())
    assert.equal(await count('oauth_refresh_tokens'), 0)
  })

  it('reads alone where its person lets it read alone', async () => {
    const { access, refresh } = await program.connect(owner, { scopes: ['read'] })
    assert.equal(await agents.account(access), 200)
    assert.equal((await api.post('/monitors', { name: 'Shop' }, { token: access })).status, 403)
    assert.equal((await program.refresh(refresh, { scope: 'write' })).body['error'], 'invalid_scope')
    const again = await program.refresh(refresh)
    assert.equal(again.body['scope'], 'read')
    assert.equal((await api.post('/monitors', {}, { token: textOf(again.body, 'access_token') })).status, 403)
  })

  it('reaches the part of the service that it asked for', async () => {
    const only = await program.connect(owner, { request: { resource: `${publicUrl}/mcp/connect` } })
    assert.deepEqual([await mcp(only.access), await agents.account(only.access)], [200, 401])
    const api1 = await program.connect(owner, { request: { resource: `${publicUrl}/api/v1` } })
    assert.deepEqual([await mcp(api1.access), await agents.account(api1.access)], [401, 200])
    assert.equal(
      (await program.refresh(api1.refresh, { resource: `${publicUrl}/mcp` })).body['error'],
      'invalid_target',
    )
    const all = await program.connect(owner)
    const part = await program.refresh(all.refresh, { resource: `${publicUrl}/mcp` })
    const narrow = textOf(part.body, 'access_token')
    assert.deepEqual([await mcp(narrow), await agents.account(narrow)], [200, 401])
    const whole = await program.refresh(textOf(part.body, 'refresh_token'))
    assert.equal(await agents.account(textOf(whole.body, 'access_token')), 200)
  })

  it('gives everything back with its refresh token', async () => {
    const { access, refresh } = await program.connect(owner)
    assert.equal((await agents.revoke(access)).status, 200)
    assert.equal(await agents.account(access), 401)
    const again = await program.refresh(refresh)
    assert.equal((await agents.revoke(textOf(again.body, 'refresh_token'))).status, 200)
    assert.equal(await agents.account(textOf(again.body, 'access_token')), 401)
  })

  it('is told of by introspection to its own workspace alone', async () => {
    const { access } = await program.connect(owner, { scopes: ['read'] })
    const other = await people.newcomer(`ivan-${clock.now}@example.com`, 'Ivan')
    const foreign = await program.connect(other)
    const ask = (asking: string | null) =>
      agents.send('/oauth2/introspect', {
        method: 'POST',
        body: new URLSearchParams({ token: access }),
        headers: asking === null ? {} : { Authorization: `Bearer ${asking}` },
      })
    const told = await ask((await program.connect(owner)).access)
    assert.partialDeepStrictEqual(told.body, {
      active: true,
      scope: 'read',
      token_type: 'Bearer',
      sub: owner.workspaceId,
      exp: Math.floor(clock.now / 1000) + 3600,
    })
    assert.deepEqual((await ask(foreign.access)).body, { active: false })
    assert.equal((await ask(null)).body['error'], 'invalid_client')
    clock.now += 3600_000
    assert.deepEqual((await ask((await program.connect(owner)).access)).body, { active: false })
  })

  describe('by a document of its own', () => {
    const id = 'https://editor.example/client.json'
    const described = (changes: object = {}): string =>
      JSON.stringify({ client_id: id, client_name: 'Editor by document', redirect_uris: [callback], ...changes })

    it('is known by its address', async () => {
      documents.set('/client.json', { status: 200, body: described() })
      const byDocument = await oauthProgram(agents, { clientId: id })
      assert.partialDeepStrictEqual((await byDocument.view(owner)).body, {
        data: { asks: { client_name: 'Editor by document', client_host: 'editor.example' } },
      })
      const { access } = await byDocument.connect(owner)
      assert.equal(await agents.account(access), 200)
    })

    it('is not known where the installation takes no documents', async () => {
      documents.set('/client.json', { status: 200, body: described() })
      const byDocument = await oauthProgram(agents, { clientId: id })
      api.services.takesClientDocuments = false
      const { body } = await byDocument.view(owner)
      api.services.takesClientDocuments = true
      assert.partialDeepStrictEqual(body, { data: { asks: null, leave_to: null } })
    })

    const bad: [what: string, document: { status: number; body: string; headers?: Record<string, string> }][] = [
      ['is not there', { status: 404, body: described() }],
      ['leads elsewhere', { status: 302, body: '', headers: { Location: '/other.json' } }],
      ['is of another', { status: 200, body: described({ client_id: 'https://editor.example/other.json' }) }],
      ['has other addresses', { status: 200, body: described({ redirect_uris: ['https://editor.example/x'] }) }],
      [
        'has an address without TLS',
        { status: 200, body: described({ redirect_uris: [callback, 'http://a.example/'] }) },
      ],
      ['is no JSON', { status: 200, body: '<html>' }],
      ['is too large', { status: 200, body: described({ more: 'x'.repeat(5_000) }) }],
    ]
    for (const [what, document] of bad)
      it(`is not taken where that ${what}`, async () => {
        documents.set('/client.json', document)
        documents.set('/other.json', { status: 200, body: described() })
        const byDocument = await oauthProgram(agents, { clientId: id })
        assert.partialDeepStrictEqual((await byDocument.view(owner)).body, { data: { asks: null, leave_to: null } })
      })
  })

  it('is forgotten after a day in which no person let it in', async () => {
    const before = await count('oauth_clients')
    const fresh = await oauthProgram(agents)
    clock.now += oauthRules.unusedClientMs - 1
    await forgetAgents(api.database, agents.now())
    assert.equal((await fresh.agree(owner)).status, 200)
    clock.now += oauthRules.unusedClientMs
    await forgetAgents(api.database, agents.now())
    assert.equal((await fresh.agree(owner)).status, 200, 'it was used')
    assert.ok((await count('oauth_clients')) <= before + 1)
    clock.now += oauthRules.idleClientMs
    await forgetAgents(api.database, agents.now())
    assert.equal(await count('oauth_clients'), 0)
  })

  it('registers 20 times a day from an address', async () => {
    for (let time = 0; time < 20; time += 1)
      assert.equal((await registerProgram(agents, {}, '198.51.100.9')).status, 201)
    const { status, headers } = await registerProgram(agents, {}, '198.51.100.9')
    assert.deepEqual([status, headers.has('retry-after')], [429, true])
    assert.equal((await registerProgram(agents, {}, '198.51.100.10')).status, 201)
  })
})

async function listed({ browser, workspaceId }: Owner): Promise<Record<string, unknown>[]> {
  return Object((await browser.api('GET', '/agents', { workspace: workspaceId })).body).data
}
