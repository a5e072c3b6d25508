import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, describe, it } from 'node:test'
import { Provider } from 'oidc-provider'
import type { Verdict } from '#core/results/result.ts'
import { transaction } from '#kinds/transaction/transaction.ts'
import { http } from '#kinds/web/http.ts'
import { checkOnce } from '../support/check.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { startApache } from '../support/peers/web-servers.ts'
import { portOf } from '../support/raw-server.ts'

const skip = skipReason(['apache2'])

describe('a website of Apache that lets in by digest', { skip }, async () => {
  const files = { 'index.html': 'hello', 'a b.html': 'spaced' }
  const port = await startApache(files, { digest: { name: 'Ann', secret: 'open sesame', realm: 'inner circle' } })
  const signIn = { sign_in: 'digest', sign_in_name: 'Ann', sign_in_secret: 'open sesame' }

  function check(path: string, options: object): Promise<Verdict> {
    return checkOnce(http, { url: `http://127.0.0.1:${port}${path}`, options: { ...options } })
  }

  for (const path of ['/', '/index.html?a=1&b="2"', '/a%20b.html'])
    it(`is up at ${path}`, async () => {
      const { status, error } = await check(path, signIn)
      assert.deepEqual([status, error], ['up', null])
    })

  it('is down with another password, and without one', async () => {
    const wrong = await check('/', { ...signIn, sign_in_secret: 'close' })
    assert.match(wrong.error ?? '', /^HTTP status 401/)
    const none = await check('/', {})
    assert.match(none.error ?? '', /^HTTP status 401/)
  })

  it('lets in each step of a transaction', async () => {
    const steps = [{ keyword: 'hello' }, { url: '/a%20b.html', keyword: 'spaced' }]
    const url = `http://127.0.0.1:${port}/`
    const { status, error } = await checkOnce(transaction, { url, options: { ...signIn, steps } })
    assert.deepEqual([status, error], ['up', null])
  })
})

describe('an API behind oidc-provider', async () => {
  const { provider, issuer } = await startProvider()
  let held: string | null = null
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, bearer = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    const token = await provider.ClientCredentials.find(bearer)
    held = token === undefined ? null : bearer
    const isAllowed = token !== undefined && (request.url !== '/write' || token.scopes.has('write'))
    response.writeHead(isAllowed ? 200 : 401).end('hello')
  }
  const api = createServer((request, response) => void answer(request, response))
  after(() => api.close())
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  const target = `http://127.0.0.1:${portOf(api)}`
  const client = {
    sign_in: 'oauth2',
    sign_in_name: 'ann',
    sign_in_secret: 'open:ses ame%',
    token_url: `${issuer}/token`,
  }

  async function check(options: object, path = '/'): Promise<[string, string | null]> {
    const { status, error } = await checkOnce(http, { url: `${target}${path}`, options: { ...client, ...options } })
    return [status, error]
  }

  it('lets in a client that names itself in the header, and in the body', async () => {
    assert.deepEqual(await check({}), ['up', null])
    assert.deepEqual(await check({ sign_in_name: 'bob', token_method: 'post' }), ['up', null])
  })

  it('is down for a client with another secret, and for one that is not known', async () => {
    const refused = /^Token|^The token endpoint refused a token with HTTP status 401: invalid_client$/
    for (const options of [{ sign_in_secret: 'close' }, { sign_in_name: 'eve' }]) {
      const [status, error] = await check(options)
      assert.equal(status, 'down')
      assert.match(error ?? '', refused)
    }
  })

  it('grants what is asked for, and no more than the client may have', async () => {
    assert.equal((await check({}, '/write'))[0], 'down')
    assert.deepEqual(await check({ token_scope: 'read write' }, '/write'), ['up', null])
    const [, error] = await check({ sign_in_name: 'bob', token_method: 'post', token_scope: 'write' })
    assert.equal(error, 'The token endpoint refused a token with HTTP status 400: invalid_scope')
  })

  it('is asked for another token where it has withdrawn the one that was kept', async () => {
    assert.deepEqual(await check({}), ['up', null])
    const first: string = held ?? assert.fail('no token came')
    await (await provider.ClientCredentials.find(first))?.destroy()
    assert.deepEqual(await check({}), ['up', null])
    assert.notEqual(held, first)
  })
})

async function startProvider(): Promise<{ provider: Provider; issuer: string }> {
  const server = createServer()
  after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${portOf(server)}`
  const client = {
    client_secret: 'open:ses ame%',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    scope: 'read write',
  }
  const provider = new Provider(issuer, {
    clients: [
      { ...client, client_id: 'ann', token_endpoint_auth_method: 'client_secret_basic' },
      { ...client, client_id: 'bob', token_endpoint_auth_method: 'client_secret_post', scope: 'read' },
    ],
    features: { clientCredentials: { enabled: true } },
    scopes: ['read', 'write'],
  })
  const handle = provider.callback()
  server.on('request', (request, response) => void handle(request, response))
  return { provider, issuer }
}
