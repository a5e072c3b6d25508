import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOnce } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { httpProxy } from '../../../test/support/proxy-server.ts'
import { microTransaction } from '#kinds/transaction/micro-transaction.ts'
import { http } from './http.ts'
import { routeHosts, routeOf } from './route-options.ts'
import { httpOptions } from './web-options.ts'

/** What is said of the options, by the name of the option; null where nothing is wrong. */
function problemOf(options: object): string | null {
  const [issue] = httpOptions.safeParse(options).error?.issues ?? []
  return issue === undefined ? null : `${issue.path.join('.')}: ${issue.message}`
}

describe('the way to a server', () => {
  const proxy = 'http://proxy.example:3128'
  const wrong: [options: object, problem: string][] = [
    [
      { resolver: 'dns.example' },
      'resolver: Must be the address of a name server, such as 9.9.9.9 or [2620:fe::fe]:53.',
    ],
    [{ resolver: '9.9.9.9:0' }, 'resolver: Must be the address of a name server, such as 9.9.9.9 or [2620:fe::fe]:53.'],
    [
      { proxy: 'https://proxy.example' },
      'proxy: Must be the address of a proxy, such as http://proxy.example.com:3128 or socks5://127.0.0.1:1080.',
    ],
    [
      { proxy: 'socks5:proxy.example' },
      'proxy: Must be the address of a proxy, such as http://proxy.example.com:3128 or socks5://127.0.0.1:1080.',
    ],
    [
      { proxy: 'http://ann:secret@proxy.example' },
      'proxy: Must not hold a user name or password; they have options of their own, where they are kept encrypted.',
    ],
    [{ proxy: `${proxy}/way` }, 'proxy: Must end after the host and port.'],
    [{ proxy: `${proxy}?a` }, 'proxy: Must end after the host and port.'],
    [{ proxy: `${proxy}#a` }, 'proxy: Must end after the host and port.'],
    [{ proxy_name: 'ann' }, 'proxy_name: Needs a proxy.'],
    [{ proxy, proxy_name: 'an:n' }, 'proxy_name: Must have no colon.'],
    [{ proxy, proxy_name: 'ä'.repeat(128) }, 'proxy_name: Must be at most 255 bytes long.'],
    [{ proxy, resolver: '9.9.9.9' }, 'resolver: Must be left out: the proxy looks up names itself.'],
    [{ proxy, ip_version: 'ipv4' }, 'ip_version: Must be left out: the proxy chooses by which it reaches servers.'],
  ]
  for (const [options, problem] of wrong)
    it(`is not ${JSON.stringify(options).slice(0, 60)}`, () => assert.equal(problemOf(options), problem))

  for (const options of [
    {},
    { resolver: '9.9.9.9', ip_version: 'ipv6' },
    { resolver: '9.9.9.9:5353' },
    { resolver: '2620:fe::fe' },
    { resolver: '[2620:fe::fe]:53' },
    { proxy: 'http://proxy.example' },
    { proxy: 'socks5://[fd00::1]:1080/' },
    { proxy, proxy_name: 'ä'.repeat(127), proxy_secret: 'with: colon' },
    { proxy_secret: 'kept while there is no proxy' },
  ])
    it(`may be ${JSON.stringify(options).slice(0, 60)}`, () => assert.equal(problemOf(options), null))

  it('leads to the usual ports, and names its hosts', () => {
    assert.deepEqual(
      ['http://proxy.example', 'socks5://[fd00::1]'].map((each) => routeOf({ proxy: each }).proxy),
      [
        { protocol: 'http', host: 'proxy.example', port: 80, credentials: null },
        { protocol: 'socks5', host: 'fd00::1', port: 1080, credentials: null },
      ],
    )
    assert.deepEqual(
      [{}, { proxy: 'socks5://[fd00::1]' }, { resolver: '2620:fe::fe' }, { resolver: '10.0.0.1:53' }].map(routeHosts),
      [
        [],
        [{ path: ['proxy'], host: 'fd00::1' }],
        [{ path: ['resolver'], host: '2620:fe::fe' }],
        [{ path: ['resolver'], host: '10.0.0.1' }],
      ],
    )
  })
})

describe('a check by a proxy', async () => {
  const credentials = { name: 'ann', secret: 'open sesame' }
  const { port, asked } = await httpProxy({ credentials })
  const web = await httpServer((request, response) => {
    if (request.url === '/token') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ access_token: 'a-token', token_type: 'Bearer', expires_in: 600 }))
      return
    }
    response.end(request.headers.authorization ?? 'without')
  })
  const route = { proxy: `http://127.0.0.1:${port}`, proxy_name: 'ann', proxy_secret: 'open sesame' }
  const origin = `http://shop.example:${web.port}`

  it('asks for its token by the proxy, too', async () => {
    const options = {
      ...route,
      sign_in: 'oauth2',
      sign_in_name: 'me',
      sign_in_secret: 'mine',
      token_url: `http://login.example:${web.port}/token`,
    }
    const { status, error } = await checkOnce(http, { url: `${origin}/`, keyword: 'Bearer a-token', options })
    assert.deepEqual([status, error], ['up', null])
    assert.deepEqual(asked, [`POST http://login.example:${web.port}/token`, `GET ${origin}/`])
  })

  it('makes all steps of a transaction by it', async () => {
    asked.length = 0
    const options = { ...route, steps: [{}, { url: '/next' }] }
    const { status, error } = await checkOnce(microTransaction, { url: `${origin}/`, options })
    assert.deepEqual([status, error], ['up', null])
    assert.deepEqual(asked, [`GET ${origin}/`, `GET ${origin}/next`])
  })

  it('is down where the proxy does not let it in', async () => {
    const options = { ...route, proxy_secret: 'close' }
    const { status, error, statusCode } = await checkOnce(http, { url: `${origin}/`, options })
    assert.deepEqual(
      [status, error, statusCode],
      ['down', 'The proxy does not accept the user name and password (407)', null],
    )
  })
})
