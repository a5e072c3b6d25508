import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { oauthRules } from '#core/people/oauth.ts'
import { forgetAgents } from '#store/people/agent-forgetting.ts'
import { type AgentAnswer, agentsAt, publicUrl, textOf } from '../../../test/support/agents.ts'
import type { Answer } from '../../../test/support/api.ts'
import { type Owner, registerProgram } from '../../../test/support/oauth.ts'
import { peopleApi } from '../../../test/support/people.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

describe('a program without a browser', async () => {
  const clock = { now: Date.parse('2026-05-04T10:00:00Z') }
  const people = await peopleApi({ now: () => new Date(clock.now) })
  const { api } = people
  const agents = agentsAt(api, clock)
  const owner = await people.newcomer('olga@example.com', 'Olga')
  const clientId = textOf((await registerProgram(agents)).body, 'client_id')

  const start = (parameters: Record<string, string> = {}, address?: string): Promise<AgentAnswer> =>
    agents.send('/oauth2/device_authorization', {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, ...parameters }),
      ...(address === undefined ? {} : { address }),
    })
  const started = async (parameters?: Record<string, string>) => {
    const { body } = await start(parameters)
    return { device: textOf(body, 'device_code'), typed: textOf(body, 'user_code') }
  }
  const poll = (device: string, changes: Record<string, string> = {}): Promise<AgentAnswer> =>
    agents.token({ grant_type: deviceGrant, device_code: device, client_id: clientId, ...changes })
  const view = (typed: string, who: Owner = owner): Promise<Answer> =>
    who.browser.api('GET', `/device-authorization?user_code=${encodeURIComponent(typed)}`)
  const decide = (typed: string, changes: object = {}, { browser, workspaceId }: Owner = owner): Promise<Answer> => {
    const body = { user_code: typed, is_let_in: true, ...changes }
    return browser.api('POST', '/device-authorization', { workspace: workspaceId, body })
  }

  it('is told exactly what RFC 8628 has', async () => {
    const { status, headers, body } = await start()
    const code = textOf(body, 'user_code')
    assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
    assert.deepEqual(body, {
      device_code: textOf(body, 'device_code'),
      user_code: code,
      verification_uri: `${publicUrl}/device`,
      verification_uri_complete: `${publicUrl}/device?user_code=${code}`,
      expires_in: 600,
      interval: 5,
    })
  })

  it('registers without an address to return to, and is then sent nowhere', async () => {
    const { status, body } = await registerProgram(agents, { redirect_uris: undefined, grant_types: [deviceGrant] })
    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body, { redirect_uris: [], grant_types: ['refresh_token', deviceGrant] })
    const own = { client_id: textOf(body, 'client_id') }
    assert.equal((await start(own)).status, 200)
    const query = new URLSearchParams({ ...own, redirect_uri: 'http://127.0.0.1/', response_type: 'code' })
    const shown = await owner.browser.api('GET', `/authorization?${query.toString()}`)
    assert.partialDeepStrictEqual(shown.body, { data: { asks: null, leave_to: null } })
    const coded = { redirect_uris: undefined, grant_types: ['authorization_code'] }
    assert.equal((await registerProgram(agents, coded)).body['error'], 'invalid_redirect_uri')
  })

  const refusals: [what: string, parameters: Record<string, string>, status: number, error: string][] = [
    ['an unknown client', { client_id: crypto.randomUUID() }, 401, 'invalid_client'],
    ['no client', { client_id: '' }, 400, 'invalid_request'],
    ['an unknown scope', { scope: 'admin' }, 400, 'invalid_scope'],
    ['a resource of others', { resource: 'https://other.example/' }, 400, 'invalid_target'],
  ]
  for (const [what, parameters, status, error] of refusals)
    it(`gets no code with ${what}`, async () => {
      const refused = await start(parameters)
      assert.deepEqual([refused.status, refused.body['error']], [status, error])
    })

  it('waits until its person has typed the code, and is given its tokens once', async () => {
    const { device, typed } = await started({ scope: 'read', resource: `${publicUrl}/mcp` })
    assert.equal((await poll(device)).body['error'], 'authorization_pending')
    assert.partialDeepStrictEqual((await view(typed.toLowerCase().replace('-', ' '))).body, {
      data: { state: 'open', asks: { client_name: 'Editor', scopes: ['read'], audience: 'mcp' } },
    })
    assert.equal((await decide(typed, { scopes: ['read', 'write'] })).status, 400, 'more than it asked for')
    assert.equal((await decide(typed, { scopes: ['read'] })).status, 204)
    assert.partialDeepStrictEqual((await view(typed)).body, { data: { state: 'done', asks: null } })
    assert.equal((await decide(typed)).status, 410)
    const granted = await poll(device)
    assert.partialDeepStrictEqual(granted.body, { scope: 'read', expires_in: 3600 })
    assert.equal(await agents.account(textOf(granted.body, 'access_token')), 401, 'it is for /mcp')
    assert.equal((await poll(device)).body['error'], 'invalid_grant')
    const refresh = { grant_type: 'refresh_token', refresh_token: textOf(granted.body, 'refresh_token') }
    assert.equal((await agents.token({ ...refresh, client_id: clientId })).status, 200)
    const { body } = await owner.browser.api('GET', '/agents', { workspace: owner.workspaceId })
    assert.partialDeepStrictEqual(Object(body).data[0], { type: 'authorization_code', redirect_host: null })
  })

  it('is told to wait longer when it asks too early', async () => {
    const { device } = await started()
    assert.equal((await poll(device)).body['error'], 'authorization_pending')
    agents.wait(4)
    assert.equal((await poll(device)).body['error'], 'slow_down')
    agents.wait(5)
    assert.equal((await poll(device)).body['error'], 'slow_down', 'the interval has grown by five seconds')
    agents.wait(15)
    assert.equal((await poll(device)).body['error'], 'authorization_pending')
  })

  it('is told that its person refused', async () => {
    const { device, typed } = await started()
    assert.equal((await decide(typed, { is_let_in: false })).status, 204)
    assert.equal((await poll(device)).body['error'], 'access_denied')
    assert.equal((await decide(typed)).status, 410)
  })

  it('has ten minutes', async () => {
    const { device, typed } = await started()
    clock.now += oauthRules.deviceCodeMs
    assert.equal((await poll(device)).body['error'], 'expired_token')
    assert.equal((await decide(typed)).status, 410)
    assert.partialDeepStrictEqual((await view(typed)).body, { data: { state: 'expired', asks: null } })
    clock.now += 86_400_000
    await forgetAgents(api.database, agents.now())
    assert.equal((await poll(device)).body['error'], 'invalid_grant')
  })

  it('gets nothing with the code of another', async () => {
    const { device, typed } = await started()
    await decide(typed)
    assert.equal((await poll(device, { client_id: crypto.randomUUID() })).body['error'], 'invalid_grant')
    assert.equal((await poll(`${device.slice(0, -1)}_`)).body['error'], 'invalid_grant')
    assert.equal((await poll(device)).status, 200)
  })

  it('is let in by an owner alone, and once', async () => {
    const eve = await people.newcomer('eve@example.com', 'Eve')
    const { device, typed } = await started()
    assert.equal((await decide(typed, {}, { ...eve, workspaceId: owner.workspaceId })).status, 401)
    const decided = await Promise.all([decide(typed), decide(typed, {}, eve)])
    assert.deepEqual(
      decided.map(({ status }) => status).toSorted((one, other) => one - other),
      [204, 410],
    )
    assert.equal((await poll(device)).status, 200)
  })

  it('knows nothing of codes that were never given', async () => {
    for (const typed of ['BCDF-GHJK', 'no code', '0'])
      assert.partialDeepStrictEqual((await view(typed)).body, { data: { state: 'expired', asks: null } })
  })
})
