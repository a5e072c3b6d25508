import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { answerOf, failureOf, get } from '../../../test/support/net.ts'
import { createNet } from '#net/create-net.ts'
import { createReadBuffer } from '#net/dial/connection.ts'
import { createGuard } from '#net/dial/guard.ts'
import { createOwnResolvers } from '#net/dial/own-resolvers.ts'
import { createResolver } from '#net/dial/resolve.ts'
import { createTraffic } from '#net/ground/trace.ts'
import { createOwnContexts } from '#net/tls/own-tls.ts'
import { createTlsContext } from '#net/tls/tls.ts'
import { createCookieJar } from './cookie-jar.ts'
import { fetchChain } from './http.ts'

describe('a chain of redirects', async () => {
  const seen: { host: string | undefined; url: string | undefined; key: unknown }[] = []
  const { port: otherPort } = await httpServer((request, response) => {
    seen.push({ host: request.headers.host, url: request.url, key: request.headers['x-key'] })
    response.end('other')
  })
  const { port } = await httpServer((request, response) => {
    seen.push({ host: request.headers.host, url: request.url, key: request.headers['x-key'] })
    const step = Number(/^\/step\/(\d+)/.exec(request.url ?? '')?.[1] ?? Number.NaN)
    const go = (status: number, location: string): void => void response.writeHead(status, { location }).end('moved')
    if (step > 0) return go(302, `/step/${step - 1}`)
    if (request.url === '/loop') return go(301, '/pool')
    if (request.url === '/pool') return go(301, '/loop')
    if (request.url === '/other') return go(302, `http://127.0.0.1:${otherPort}/end`)
    if (request.url === '/metadata') return go(302, 'http://169.254.169.254/latest/meta-data/')
    if (request.url === '/name') return go(302, `http://inside.example:${otherPort}/`)
    if (request.url === '/mail') return go(302, 'mailto:a@b.example')
    if (request.url === '/form') return request.method === 'POST' ? go(303, '/form') : void response.end('sent')
    if (request.url === '/cookie') {
      const { cookie = '' } = request.headers
      if (cookie.includes('a=1')) return void response.end(cookie)
      response.setHeader('set-cookie', 'a=1')
      return go(302, '/cookie')
    }
    if (request.url === '/closed') return go(302, 'http://127.0.0.1:1/')
    response.end('end')
  })
  const origin = `http://127.0.0.1:${port}`

  it('is followed to its end', async () => {
    const outcome = await get(`${origin}/step/3`)
    const answer = answerOf(outcome)
    assert.equal(answer.text, 'end')
    assert.equal(answer.finalUrl, `${origin}/step/0`)
    assert.deepEqual(
      answer.redirects,
      [2, 1, 0].map((step) => ({ status: 302, url: `${origin}/step/${step}` })),
    )
  })

  it('may have ten steps and no more', async () => {
    assert.equal(answerOf(await get(`${origin}/step/10`)).redirects.length, 10)
    const failure = failureOf(await get(`${origin}/step/11`))
    assert.deepEqual(failure, { phase: 'request', code: 'bad_redirect', message: 'More than 10 redirects' })
  })

  it('that loops is named', async () => {
    assert.equal(failureOf(await get(`${origin}/loop`)).message, `Redirect loop: it leads back to ${origin}/loop`)
  })

  it('may have a single step where one is asked for', async () => {
    assert.equal(answerOf(await get(`${origin}/step/1`, { maxRedirects: 1 })).text, 'end')
    const failure = failureOf(await get(`${origin}/step/2`, { maxRedirects: 1 }))
    assert.equal(failure.message, 'More than 1 redirects')
  })

  it('may lead a POST to the same address as a GET, which is no loop', async () => {
    const answer = answerOf(await get(`${origin}/form`, { method: 'POST', body: 'a=b' }))
    assert.deepEqual([answer.text, answer.redirects], ['sent', [{ status: 303, url: `${origin}/form` }]])
  })

  it('may lead to the same address again where cookies are kept, and is a loop where none are', async () => {
    const answer = answerOf(await get(`${origin}/cookie`, { cookies: createCookieJar() }))
    assert.equal(answer.text, 'a=1')
    assert.equal(failureOf(await get(`${origin}/cookie`)).message, `Redirect loop: it leads back to ${origin}/cookie`)
    const headers = { cookie: 'own=2' }
    assert.equal(answerOf(await get(`${origin}/cookie`, { cookies: createCookieJar(), headers })).text, 'own=2; a=1')
  })

  it('ends where it leads to no web address', async () => {
    const outcome = await get(`${origin}/mail`)
    assert.equal(failureOf(outcome).message, 'Redirect to mailto:, which is not a web address')
    assert.deepEqual(outcome.ok ? null : [outcome.status, outcome.redirects], [302, []])
  })

  it('looks a name up once, however many steps it has', async () => {
    const dns = await dnsServer(() => ({ addresses: ['127.0.0.1'], ttlSeconds: 60 }))
    const options = { allowPrivate: 'all', dnsServers: [dns.address] } as const
    assert.equal(answerOf(await get(`http://here.example:${port}/step/2`, {}, options)).redirects.length, 2)
    assert.deepEqual(dns.questions.toSorted(), ['A here.example', 'AAAA here.example'])
  })

  it('keeps to the rules of its monitor while it comes from no public address', async () => {
    const guard = createGuard('all', { afterPublic: createGuard('none') })
    const parts = {
      guard,
      resolver: createResolver(),
      readBuffer: createReadBuffer(),
      tlsContext: createTlsContext,
      ownContext: createOwnContexts(),
      ownResolver: createOwnResolvers(guard),
      traffic: createTraffic(),
    }
    const limits = { maxRedirects: 5, headersOnly: true, maxBodyBytes: 0, maxWireBytes: 10_000 }
    const request = { url: new URL(`${origin}/other`), method: 'GET', headers: {}, body: null, ...limits }
    const outcome = await fetchChain(parts, request, AbortSignal.timeout(5_000))
    assert.equal(answerOf(outcome).finalUrl, `http://127.0.0.1:${otherPort}/end`)
  })

  it('is not followed if none was asked for', async () => {
    const answer = answerOf(await get(`${origin}/step/1`, { maxRedirects: 0 }))
    assert.deepEqual([answer.status, answer.text, answer.redirects], [302, 'moved', []])
  })

  it('carries personal headers within the origin and not beyond it', async () => {
    seen.length = 0
    await get(`${origin}/step/1`, { headers: { 'x-key': 'secret' } })
    await get(`${origin}/other`, { headers: { 'x-key': 'secret' } })
    assert.deepEqual(
      seen.map(({ url, key }) => [url, key]),
      [
        ['/step/1', 'secret'],
        ['/step/0', 'secret'],
        ['/other', 'secret'],
        ['/end', undefined],
      ],
    )
  })

  it('does not lead to private addresses, at no step', async () => {
    const dns = await dnsServer(() => ({ addresses: ['192.168.7.7'] }))
    const loopbackOnly = { allowPrivate: ['127.0.0.0/8'], dnsServers: [dns.address] }
    const literal = await get(`${origin}/metadata`, {}, loopbackOnly)
    assert.equal(
      failureOf(literal).message,
      '169.254.169.254 is a private or reserved address, which is not checked unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS',
    )
    assert.equal(literal.ok ? 0 : literal.redirects.length, 1)
    const name = failureOf(await get(`${origin}/name`, {}, loopbackOnly))
    assert.equal(
      name.message,
      'inside.example leads to 192.168.7.7, a private or reserved address, which is not checked unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS',
    )
  })

  it('does not tell to which private address a name leads, where that is to be kept', async () => {
    const dns = await dnsServer(() => ({ addresses: ['192.168.7.7'] }))
    const options = { allowPrivate: 'none', hidesInternal: true, dnsServers: [dns.address] } as const
    const { message } = failureOf(await get('http://inside.example/', {}, options))
    assert.equal(
      message,
      'inside.example leads to a private or reserved address, which is not checked unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS',
    )
  })

  it('names what failed at its end', async () => {
    const outcome = await get(`${origin}/closed`)
    assert.equal(failureOf(outcome).message, 'Connection refused by 127.0.0.1:1')
    assert.deepEqual(outcome.ok ? [] : outcome.redirects, [{ status: 302, url: 'http://127.0.0.1:1/' }])
  })

  it('has one deadline over all of it', async () => {
    const slow = await httpServer((request, response) => {
      const step = Number(request.url?.slice(1))
      setTimeout(() => response.writeHead(302, { location: `/${step + 1}` }).end(), 80)
    })
    const startedAt = performance.now()
    const failure = failureOf(await get(`http://127.0.0.1:${slow.port}/1`, { timeoutMs: 300 }))
    assert.equal(failure.message, 'Timed out after 300 ms while waiting for the answer')
    assert.ok(performance.now() - startedAt < 5_000)
  })
})

describe('a name whose address changes between two look-ups', () => {
  it('is dialled at the address that was checked, so that it cannot be moved inside', async () => {
    const { port } = await httpServer((_, response) => response.end('inside'))
    let asked = 0
    const dns = await dnsServer((_, type) =>
      type === 'AAAA' ? { addresses: [] } : { addresses: [asked++ === 0 ? '192.0.2.1' : '127.0.0.1'], ttlSeconds: 0 },
    )
    const strict = { allowPrivate: 'none', dnsServers: [dns.address] } as const
    for (let attempt = 0; attempt < 3; attempt++)
      assert.equal(failureOf(await get(`http://moving.example:${port}/`, {}, strict)).code, 'forbidden_address')
    assert.equal(asked, 3)
  })

  it('is looked up anew by each check, and once for all of its redirects', async () => {
    const { port } = await httpServer((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/end' })
      response.end()
    })
    const dns = await dnsServer((_, type) => ({ addresses: type === 'A' ? ['127.0.0.1'] : [], ttlSeconds: 300 }))
    const net = createNet({ allowPrivate: 'all', dnsServers: [dns.address] })
    const request = {
      url: new URL(`http://steady.example:${port}/`),
      method: 'GET',
      headers: {},
      body: null,
      maxRedirects: 1,
      headersOnly: false,
      maxBodyBytes: 0,
      maxWireBytes: 1024,
      timeoutMs: 5000,
    }
    for (const check of [1, 2, 3]) {
      assert.ok((await net.http(request, AbortSignal.timeout(5000))).ok)
      assert.equal(dns.questions.length, 2 * check)
    }
  })

  it('is dialled only at those of its addresses that are allowed', async () => {
    const { port } = await httpServer((_, response) => response.end('ok'))
    const dns = await dnsServer((_, type) =>
      type === 'AAAA' ? { addresses: ['fd00::1'] } : { addresses: ['10.0.0.1', '127.0.0.1'] },
    )
    const options = { allowPrivate: ['127.0.0.0/8'], dnsServers: [dns.address] }
    assert.equal(answerOf(await get(`http://mixed.example:${port}/`, {}, options)).address, '127.0.0.1')
  })

  it('says what a name server said', async () => {
    const dns = await dnsServer(() => 'nxdomain')
    const failure = failureOf(
      await get('http://gone.example/', {}, { allowPrivate: 'none', dnsServers: [dns.address] }),
    )
    assert.deepEqual(failure, {
      phase: 'dns',
      code: 'dns_not_found',
      message: 'The name gone.example does not exist (NXDOMAIN)',
    })
  })

  it('times out while it is looked up', async () => {
    const dns = await dnsServer(() => 'silent')
    const options = { allowPrivate: 'none', dnsServers: [dns.address] } as const
    const failure = failureOf(await get('http://slow.example/', { timeoutMs: 200 }, options))
    assert.deepEqual(failure, {
      phase: 'dns',
      code: 'timed_out',
      message: 'Timed out after 200 ms while looking up the name of slow.example',
    })
  })
})
