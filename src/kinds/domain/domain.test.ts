import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { publicServices } from '#core/monitors/outside-services.ts'
import type { Verdict } from '#core/results/result.ts'
import { createNet } from '#net/create-net.ts'
import type { Net } from '#net/net.ts'
import { configurationOf } from '../../../test/support/check.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { playRegistry } from '../../../test/support/registry.ts'
import { domain } from './domain.ts'

const dayMs = 86_400_000

function fromNow(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString()
}

function check(url: string, net: Net, wishes: { timeoutMs?: number; warnDays?: number } = {}): Promise<Verdict> {
  const options = wishes.warnDays === undefined ? {} : { warn_days: wishes.warnDays }
  const timeoutMs = wishes.timeoutMs ?? 5000
  return domain.check(configurationOf(domain, { url, timeoutMs, options }), net, AbortSignal.timeout(timeoutMs))
}

function described(days: number | null, more: Record<string, unknown> = {}): string {
  const expiration = { eventAction: 'expiration', eventDate: fromNow(days ?? 0) }
  return JSON.stringify({
    objectClassName: 'domain',
    ldhName: 'shop.test',
    events: days === null ? [] : [expiration],
    ...more,
  })
}

function whoisText(days: number | null, name = 'shop.test'): string {
  const expiry = days === null ? '' : `Registry Expiry Date: ${fromNow(days)}\r\n`
  return `Domain Name: ${name.toUpperCase()}\r\nCreation Date: 2001-02-03T04:05:06Z\r\n${expiry}Registrar: WHOIS Registrar\r\n`
}

function answering(status: number, body = ''): (request: unknown, response: ServerResponse) => void {
  return (_, response) => void response.writeHead(status, { 'content-type': 'application/rdap+json' }).end(body)
}

describe('a check of kind domain', () => {
  it('asks RDAP about the registrable domain', async () => {
    const registry = await playRegistry({ rdap: answering(200, described(100.5, { status: ['active'] })) })
    const verdict = await check('https://www.shop.test/path', registry.net)
    assert.deepEqual([verdict.status, verdict.error], ['up', null])
    const { domain: name, days_left: days, source, server, statuses } = verdict.details
    assert.deepEqual(
      [name, days, source, server, statuses],
      ['shop.test', 100, 'rdap', `127.0.0.1:${registry.rdapPort}`, ['active']],
    )
    assert.ok(Number.isInteger(verdict.latencyMs))
    assert.deepEqual(registry.asked, ['rdap /dns.json', 'rdap /rdap/domain/shop.test'])
  })

  it('asks once for all monitors of a domain, and for the list of servers once for all', async () => {
    const registry = await playRegistry({ rdap: answering(200, described(100)) })
    await Promise.all([check('shop.test', registry.net), check('www.shop.test', registry.net)])
    const known = await check('other.shop.test', registry.net)
    assert.deepEqual([known.status, known.latencyMs], ['up', null])
    await check('shop2.test', registry.net)
    assert.deepEqual(registry.asked, ['rdap /dns.json', 'rdap /rdap/domain/shop.test', 'rdap /rdap/domain/shop2.test'])
  })

  it('is down within its warning, judged anew from what is known', async () => {
    const { net } = await playRegistry({ rdap: answering(200, described(20.5)) })
    const day = fromNow(20.5).slice(0, 10)
    assert.equal((await check('shop.test', net)).error, `The registration of shop.test expires in 20 days (on ${day})`)
    assert.equal((await check('shop.test', net, { warnDays: 10 })).status, 'up')
  })

  it('asks in ASCII about names in other letters', async () => {
    const registry = await playRegistry({ rdap: answering(200, described(100)) })
    assert.equal((await check('www.Bücher.test', registry.net)).details['domain'], 'xn--bcher-kva.test')
    assert.equal(registry.asked[1], 'rdap /rdap/domain/xn--bcher-kva.test')
  })

  it('follows a redirect of RDAP', async () => {
    const { net } = await playRegistry({
      rdap: (request, response) =>
        request.url === '/rdap/domain/shop.test'
          ? void response.writeHead(302, { location: '/elsewhere' }).end()
          : void response.end(described(100)),
    })
    assert.equal((await check('shop.test', net)).status, 'up')
  })

  it('asks WHOIS where no RDAP server is known', async () => {
    const registry = await playRegistry({ whois: whoisText(100.5, 'shop.unheard-of') })
    const verdict = await check('www.shop.unheard-of', registry.net)
    const { registrar, days_left: days, source, server } = verdict.details
    assert.deepEqual(
      [verdict.status, registrar, days, source, server],
      ['up', 'WHOIS Registrar', 100, 'whois', '127.0.0.1'],
    )
    assert.deepEqual(registry.asked, ['rdap /dns.json', 'whois shop.unheard-of'])
  })

  it('follows the referral of a WHOIS root', async () => {
    const registry = await playRegistry({ whois: whoisText(100, 'shop.unheard-of') })
    const root = await playRegistry({
      whois: `% IANA WHOIS server\n\nrefer:        127.0.0.1:${registry.whoisPort}\n\ndomain:       UNHEARD-OF\n`,
    })
    assert.equal((await check('shop.unheard-of', root.net)).status, 'up')
    assert.deepEqual(registry.asked, ['whois shop.unheard-of'])
  })

  it('asks WHOIS for the end that RDAP leaves out', async () => {
    const { net } = await playRegistry({
      rdap: answering(200, described(null, { status: ['active'] })),
      whois: whoisText(50.5),
    })
    const { details } = await check('shop.test', net)
    assert.deepEqual([details['days_left'], details['statuses'], details['source']], [50, ['active'], 'rdap'])
  })

  it('is up where no end is published at all', async () => {
    const { net } = await playRegistry({ rdap: answering(200, described(null)), whois: whoisText(null) })
    const verdict = await check('shop.test', net)
    assert.deepEqual([verdict.status, verdict.error, verdict.details['expiry']], ['up', null, 'not published'])
  })

  it('is down when the domain is not registered', async () => {
    const texts = ['No match for "SHOP.TEST".\r\n', '', 'Quota exceeded\r\n']
    for (const whois of texts) {
      const { net } = await playRegistry({ rdap: answering(404, '{"errorCode":404}'), whois })
      const verdict = await check('shop.test', net)
      assert.deepEqual([verdict.status, verdict.error], ['down', 'The domain shop.test is not registered'])
    }
    const { net } = await playRegistry({ whois: 'NOT FOUND\r\n' })
    assert.equal((await check('shop.unheard-of', net)).error, 'The domain shop.unheard-of is not registered')
  })

  it('does not believe one 404 where WHOIS knows the domain', async () => {
    const { net } = await playRegistry({ rdap: answering(404), whois: whoisText(100) })
    const verdict = await check('shop.test', net)
    assert.deepEqual([verdict.status, verdict.details['source']], ['up', 'whois'])
  })

  it('asks WHOIS when the list of RDAP servers cannot be had', async () => {
    const { net } = await playRegistry({ bootstrap: answering(500), whois: whoisText(100) })
    assert.equal((await check('shop.test', net)).status, 'up')
  })

  const garbled = '\u0000\u0001garbage\r\n'
  const failures: [what: string, Parameters<typeof playRegistry>[0], RegExp][] = [
    [
      'both answer with errors',
      { rdap: answering(503), whois: 'Quota exceeded\r\n' },
      /^The registration of shop\.test could not be read: RDAP server 127\.0\.0\.1:\d+ answered with HTTP status 503; WHOIS server 127\.0\.0\.1 answered "Quota exceeded"$/,
    ],
    [
      'RDAP wants fewer questions and WHOIS says nothing',
      { rdap: answering(429), whois: '' },
      /RDAP server 127\.0\.0\.1:\d+ wants fewer questions \(HTTP status 429\); WHOIS server 127\.0\.0\.1 answered nothing$/,
    ],
    [
      'both answer with something else',
      { rdap: answering(200, '<html>hello</html>'), whois: garbled },
      /RDAP server \S+ answered with something else; WHOIS server 127\.0\.0\.1 answered "\?\?garbage"$/,
    ],
    [
      'WHOIS answers about another domain',
      { rdap: answering(500), whois: whoisText(100, 'other.test') },
      /answered about OTHER\.TEST instead$/,
    ],
    [
      'RDAP leads in circles and WHOIS resets',
      {
        rdap: (_, response) => void response.writeHead(302, { location: '/rdap/domain/shop.test' }).end(),
        whois: (_, socket) => socket.resetAndDestroy(),
      },
      /Redirect loop.*; WHOIS server 127\.0\.0\.1: The connection was reset/,
    ],
    [
      'RDAP is endless and WHOIS too',
      {
        rdap: (_, response) => {
          const push = (): void => {
            while (!response.destroyed && response.write('x'.repeat(65_536)));
          }
          response.on('drain', push)
          push()
        },
        whois: (_, socket) => {
          const push = (): void => {
            while (!socket.destroyed && socket.write('x\r\n'.repeat(20_000)));
          }
          socket.on('drain', push)
          push()
        },
      },
      /RDAP server \S+: the answer is too long; WHOIS server 127\.0\.0\.1 answered "x"$/,
    ],
    [
      'RDAP is silent',
      { whois: whoisText(100) },
      /^Timed out after 700 ms while reading the registration of shop\.test$/,
    ],
    [
      'RDAP drips',
      {
        rdap: (_, response) => {
          const timer = setInterval(() => response.write(' '), 20)
          response.on('close', () => clearInterval(timer))
        },
      },
      /^Timed out after 700 ms while reading the registration of shop\.test$/,
    ],
    [
      'WHOIS is silent',
      { rdap: answering(500) },
      /^Timed out after 700 ms while reading the registration of shop\.test$/,
    ],
    ['the list of RDAP servers is silent', { bootstrap: () => {} }, /^Timed out after 700 ms/],
    [
      'the list of RDAP servers is none',
      { bootstrap: answering(200, '{"services":7}'), whois: 'Try again later\r\n' },
      /could not be read: the list of RDAP servers: answered with something else; WHOIS server 127\.0\.0\.1 answered "Try again later"$/,
    ],
  ]
  for (const [what, play, text] of failures)
    it(`is degraded by its deadline when ${what}`, async () => {
      const { net } = await playRegistry(play)
      const startedAt = performance.now()
      const verdict = await check('shop.test', net, { timeoutMs: 700 })
      assert.ok(performance.now() - startedAt < 5_000)
      assert.equal(verdict.status, 'degraded')
      assert.match(verdict.error ?? '', text)
    })

  it('goes on with a slow look-up after its deadline, for the next check', async () => {
    let isAnswered = false
    const registry = await playRegistry({
      rdap: (_, response) =>
        void setTimeout(() => {
          response.end(described(100))
          isAnswered = true
        }, 800),
    })
    assert.equal((await check('shop.test', registry.net, { timeoutMs: 500 })).status, 'degraded')
    assert.equal((await check('shop.test', registry.net)).status, 'up')
    assert.equal(isAnswered, true)
    assert.equal(registry.asked.length, 2)
  })

  it('names what refused the connection', async () => {
    const free = await freePort()
    const services = {
      ...publicServices,
      rdapBootstrapUrl: `http://127.0.0.1:${free}/dns.json`,
      whoisHost: { host: '127.0.0.1', port: free },
    }
    const { error } = await check('shop.test', createNet({ allowPrivate: 'all', services }))
    const refused = `Connection refused by 127.0.0.1:${free}`
    assert.equal(
      error,
      `The registration of shop.test could not be read: the list of RDAP servers: ${refused}; WHOIS server 127.0.0.1: ${refused}`,
    )
  })

  it('dials no address that is not allowed, be it named by a list, a redirect or a referral', async () => {
    const { rdapPort, whoisPort, asked } = await playRegistry({
      rdap: answering(200, described(100)),
      whois: whoisText(100),
    })
    const root = await playRegistry({
      bootstrap: answering(200, JSON.stringify({ services: [[['test'], [`http://127.0.0.2:${rdapPort}/`]]] })),
      whois: `refer: 127.0.0.2:${whoisPort}\r\n`,
    })
    const net = createNet({ allowPrivate: ['127.0.0.1/32'], services: root.net.services })
    const verdict = await check('shop.test', net)
    assert.equal(verdict.status, 'degraded')
    assert.equal(verdict.error?.match(/127\.0\.0\.2 is a private or reserved address/g)?.length, 2)
    assert.deepEqual(asked, [])
  })

  it('is down for a public suffix, which nobody registers', async () => {
    const { net, asked } = await playRegistry({})
    const verdict = await check('co.uk', net)
    assert.deepEqual(
      [verdict.status, verdict.error],
      ['down', 'co.uk is not a registered domain but a suffix that domains are registered under'],
    )
    assert.deepEqual(asked, [])
  })
})

describe('targets and options of kind domain', () => {
  it('takes a name, or an address that holds one', () => {
    for (const url of ['example.com', 'www.example.co.uk', 'bücher.example', 'EXAMPLE.com.', 'https://example.com/x'])
      assert.equal(
        domain.targetProblem(url, () => false),
        null,
        url,
      )
    for (const url of [
      '',
      'localhost',
      'com',
      '192.0.2.1',
      '[2606:4700::1]',
      'example.com:43',
      'a b',
      'ftp://example.com',
    ])
      assert.match(domain.targetProblem(url, () => false) ?? '', /^Must /, url)
  })

  it('takes warn_days from 1 to 365', () => {
    for (const value of [1, 30, 365]) assert.equal(domain.options.safeParse({ warn_days: value }).success, true)
    for (const value of [0, 366, 1.5, '30']) assert.equal(domain.options.safeParse({ warn_days: value }).success, false)
    assert.equal(domain.options.safeParse({ days: 1 }).success, false)
  })
})
