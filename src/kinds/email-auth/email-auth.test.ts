import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Verdict } from '#core/results/result.ts'
import { createNet } from '#net/create-net.ts'
import { checkOnce } from '../../../test/support/check.ts'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { type DnsZone, zoneReply } from '../../../test/support/dns-zone.ts'
import { emailAuth } from './email-auth.ts'

function keyRecord(modulusLength: number, tags = ''): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength })
  return `v=DKIM1; k=rsa;${tags} p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
}

/** A domain in order but for what the zone says. */
async function check(zone: DnsZone, options: Record<string, unknown> = {}, timeoutMs = 3000): Promise<Verdict> {
  const usual = {
    'TXT e.example': 'v=spf1 -all',
    'TXT _dmarc.e.example': 'v=DMARC1; p=reject',
    'A e.example': '192.0.2.1',
  }
  const { address } = await dnsServer(zoneReply({ ...usual, ...zone }))
  const net = createNet({ allowPrivate: 'none', dnsServers: [address] })
  return checkOnce(emailAuth, { url: 'e.example', options, timeoutMs }, net)
}

function isValid(options: Record<string, unknown>): boolean {
  return emailAuth.options.safeParse(options).success
}

type Case = [does: string, zone: DnsZone, status: string, error: string | null]

describe('a check of kind email_auth', () => {
  it('is up when SPF, DKIM and DMARC are in order', async () => {
    const verdict = await check(
      {
        'TXT e.example': ['google-site-verification=x', 'v=spf1 ip4:192.0.2.0/24 include:_spf.e.example mx ~all'],
        'TXT _spf.e.example': 'v=spf1 a:mail.e.example -all',
        'A mail.e.example': '192.0.2.2',
        'MX e.example': '10 mail.e.example',
        'TXT s1._domainkey.e.example': keyRecord(2048),
        'CNAME s2._domainkey.e.example': 'keys.provider.example',
        'TXT keys.provider.example': `v=DKIM1; k=ed25519; p=${Buffer.alloc(32, 1).toString('base64')}`,
      },
      { dkim_selectors: ['s1', 's2', 's1'], dmarc_policy: 'reject' },
    )
    assert.deepEqual([verdict.status, verdict.error], ['up', null])
    assert.deepEqual(verdict.details, {
      spf: 'v=spf1 ip4:192.0.2.0/24 include:_spf.e.example mx ~all',
      spf_lookups: 3,
      dkim: { s1: true, s2: true },
      dkim_keys: { s1: 'rsa 2048', s2: 'ed25519 256' },
      dmarc_policy: 'reject',
      dmarc_source: 'e.example',
    })
    assert.ok(Number.isInteger(verdict.latencyMs))
    assert.equal(verdict.phases.dnsMs, verdict.latencyMs)
  })

  it('tells everything that is wrong at once', async () => {
    const verdict = await check({ 'TXT e.example': 'x', 'TXT _dmarc.e.example': 'x' }, { dkim_selectors: ['s1'] })
    assert.equal(verdict.status, 'down')
    assert.equal(
      verdict.error,
      'SPF is missing at e.example: no TXT record begins with v=spf1; DKIM selector s1 has no key: there is no TXT record at s1._domainkey.e.example; DMARC is missing: there is no v=DMARC1 record at _dmarc.e.example',
    )
    assert.deepEqual(verdict.details, { spf: null, spf_lookups: 0, dkim: { s1: false }, dmarc_policy: null })
  })

  it('ends by its deadline', async () => {
    const startedAt = performance.now()
    const verdict = await check({ 'TXT e.example': 'silent', 'TXT _dmarc.e.example': 'silent' }, {}, 500)
    assert.ok(performance.now() - startedAt < 5_000)
    assert.equal(verdict.status, 'down')
    assert.match(
      verdict.error ?? '',
      /^SPF could not be looked up: Timed out after 500 ms.*; DMARC could not be looked up: /,
    )
  })

  it('ends by its deadline when every answer takes its time', async () => {
    const slow = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`* i${index}.example`, 'silent']))
    const startedAt = performance.now()
    const verdict = await check({ ...slow, 'TXT e.example': `v=spf1 ${includes(9)} -all` }, {}, 600)
    assert.ok(performance.now() - startedAt < 5_000)
    assert.deepEqual(
      [verdict.status, verdict.error],
      [
        'degraded',
        'SPF could not be looked up: Timed out after 600 ms while looking up the name of i0.example: no name server answered',
      ],
    )
  })

  it('takes up to ten selectors and three policies', () => {
    assert.ok(
      isValid({ dkim_selectors: Array.from({ length: 10 }, (_, index) => `s${index}`), dmarc_policy: 'reject' }),
    )
    assert.ok(isValid({ dkim_selectors: ['2026.mail', 'a_b-c'] }))
    const wrong = [
      Array.from({ length: 11 }, (_, index) => `s${index}`),
      ['a b'],
      [''],
      ['a..b'],
      ['x'.repeat(64)],
      [1],
      'a',
    ]
    for (const selectors of wrong) assert.ok(!isValid({ dkim_selectors: selectors }), String(selectors))
    for (const options of [{ dmarc_policy: 'block' }, { selector: 'a' }]) assert.ok(!isValid(options))
    assert.deepEqual(emailAuth.options.parse({}), { dkim_selectors: [], dmarc_policy: 'none' })
  })

  it('takes a domain as its target', () => {
    assert.equal(
      emailAuth.targetProblem('example.com', () => false),
      null,
    )
    assert.match(emailAuth.targetProblem('192.0.2.1', () => false) ?? '', /domain name/)
  })
})

function many(count: number, toEntry: (index: number) => [string, string]): DnsZone {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => toEntry(index)))
}

function empty(count: number): DnsZone {
  return many(count, (index) => [`TXT i${index}.example`, 'v=spf1 -all'])
}

function includes(count: number): string {
  return Array.from({ length: count }, (_, index) => `include:i${index}.example`).join(' ')
}

describe('the SPF record of a domain', () => {
  const cases: Case[] = [
    ['passes without all', { 'TXT e.example': 'v=spf1 mx', 'MX e.example': '10 m.example' }, 'up', null],
    ['passes with ten look-ups', { 'TXT e.example': `v=spf1 ${includes(10)} -all`, ...empty(10) }, 'up', null],
    [
      'fails with eleven look-ups',
      { 'TXT e.example': `v=spf1 ${includes(11)} -all`, ...empty(11) },
      'down',
      'SPF needs 11 DNS look-ups, and receivers give up after 10',
    ],
    [
      'fails with more look-ups than are counted',
      { 'TXT e.example': `v=spf1 ${includes(40)} -all`, ...empty(40) },
      'down',
      'SPF needs more than 25 DNS look-ups, and receivers give up after 10',
    ],
    [
      'fails with eleven look-ups over several records',
      {
        'TXT e.example': 'v=spf1 include:a.example a mx ptr exists:%{i}.x.example redirect=b.example',
        'MX e.example': '10 m.example',
        'TXT a.example': 'v=spf1 a:%{d} exists:%{l}.x.example -all',
        'A a.example': '192.0.2.1',
        'TXT b.example': 'v=spf1 include:a.example -all',
      },
      'down',
      'SPF needs 11 DNS look-ups, and receivers give up after 10',
    ],
    ['ignores what stands behind all', { 'TXT e.example': `v=spf1 -all ${includes(11)}` }, 'up', null],
    ['ignores a redirect beside all', { 'TXT e.example': 'v=spf1 redirect=gone.example -all' }, 'up', null],
    ['passes with two names without records', { 'TXT e.example': 'v=spf1 a:x.example a:y.example -all' }, 'up', null],
    [
      'fails with three names without records',
      { 'TXT e.example': 'v=spf1 a:x.example mx exists:z.example -all' },
      'down',
      'SPF leads to 3 names without records, and receivers give up after 2',
    ],
    [
      'finds hosts with IPv6 only',
      {
        'TXT e.example': 'v=spf1 a:x.example a:y.example a:z.example -all',
        'AAAA x.example': '2001:db8::1',
        'AAAA y.example': '2001:db8::2',
        'AAAA z.example': '2001:db8::3',
      },
      'up',
      null,
    ],
    [
      'fails when it includes itself',
      { 'TXT e.example': 'v=spf1 include:e.example -all' },
      'down',
      'SPF is invalid: it leads in a circle (e.example > e.example)',
    ],
    [
      'fails when it leads in a circle',
      { 'TXT e.example': 'v=spf1 include:A.example -all', 'TXT a.example': 'v=spf1 redirect=e.example' },
      'down',
      'SPF is invalid: it leads in a circle (e.example > a.example > e.example)',
    ],
    [
      'fails when there are two',
      { 'TXT e.example': ['v=spf1 -all', 'v=spf1 +all'] },
      'down',
      'SPF is invalid: e.example has two SPF records',
    ],
    [
      'fails when a term is wrong',
      { 'TXT e.example': 'v=spf1 ipv4:192.0.2.1 -all' },
      'down',
      'SPF is invalid: "ipv4:192.0.2.1" in the record of e.example',
    ],
    [
      'fails when an included record is wrong',
      { 'TXT e.example': 'v=spf1 include:a.example -all', 'TXT a.example': 'v=spf1 ip4:1.2.3 -all' },
      'down',
      'SPF is invalid: "ip4:1.2.3" in the record of a.example',
    ],
    [
      'fails when an included domain has none',
      { 'TXT e.example': 'v=spf1 include:a.example -all', 'TXT a.example': 'hello' },
      'down',
      'SPF is invalid: e.example includes a.example, but SPF is missing at a.example: no TXT record begins with v=spf1',
    ],
    [
      'fails when it redirects to nowhere',
      { 'TXT e.example': 'v=spf1 redirect=gone.example' },
      'down',
      'SPF is invalid: e.example redirects to gone.example, but SPF is missing at gone.example: the name does not exist (NXDOMAIN)',
    ],
    [
      'fails when its name server does',
      { 'TXT e.example': 'servfail' },
      'down',
      'SPF could not be looked up: The name server could not resolve e.example (SERVFAIL)',
    ],
    [
      'is degraded when the name server of an included domain fails',
      { 'TXT e.example': 'v=spf1 include:a.example -all', 'TXT a.example': 'servfail' },
      'degraded',
      'SPF could not be looked up: The name server could not resolve a.example (SERVFAIL)',
    ],
    [
      'is degraded when the name server of a host fails',
      { 'TXT e.example': 'v=spf1 a:a.example -all', 'A a.example': 'refused' },
      'degraded',
      'SPF could not be read to its end: The name server refused to resolve a.example (REFUSED)',
    ],
    [
      'is degraded when everyone may send, be it after a redirect',
      { 'TXT e.example': 'v=spf1 redirect=a.example', 'TXT a.example': 'v=spf1 all' },
      'degraded',
      'SPF lets everyone send: its record ends in +all',
    ],
    [
      'passes when only an included record ends in +all',
      { 'TXT e.example': 'v=spf1 include:a.example -all', 'TXT a.example': 'v=spf1 +all' },
      'up',
      null,
    ],
    [
      'fails with more than ten mail servers',
      {
        'TXT e.example': 'v=spf1 mx -all',
        'MX e.example': Array.from({ length: 11 }, (_, index) => `${index} m${index}.example`),
      },
      'down',
      'SPF is invalid: mx of e.example leads to 11 mail servers, more than 10',
    ],
    [
      'expands the domain in names',
      { 'TXT e.example': 'v=spf1 include:%{d1r}._spf.%{o}', 'TXT e._spf.e.example': 'v=spf1 -all' },
      'up',
      null,
    ],
    [
      'is read in any case',
      { 'TXT e.example': 'V=SPF1 REDIRECT=A.Example', 'TXT a.example': 'v=spf1 -All' },
      'up',
      null,
    ],
  ]
  for (const [does, zone, status, error] of cases)
    it(does, async () => {
      const verdict = await check(zone)
      assert.deepEqual([verdict.status, verdict.error], [status, error])
    })

  it('is not walked for ever', async () => {
    const zone = many(30, (index) => [
      `TXT i${index}.example`,
      `v=spf1 include:i${index + 1}.example include:i${index + 2}.example`,
    ])
    const usual = { 'TXT e.example': 'v=spf1 include:i0.example', 'TXT _dmarc.e.example': 'v=DMARC1; p=none' }
    const { address, questions } = await dnsServer(zoneReply({ ...zone, ...usual }))
    const net = createNet({ allowPrivate: 'none', dnsServers: [address] })
    const verdict = await checkOnce(emailAuth, { url: 'e.example' }, net)
    assert.equal(verdict.error, 'SPF needs more than 25 DNS look-ups, and receivers give up after 10')
    assert.ok(questions.length <= 28, `${questions.length} questions`)
  })
})

describe('the DKIM key of a selector', () => {
  const cases: Case[] = [
    ['may be small', { 'TXT s._domainkey.e.example': keyRecord(1024) }, 'up', null],
    [
      'must not be smaller',
      { 'TXT s._domainkey.e.example': keyRecord(1016) },
      'down',
      'DKIM selector s has a key of 1016 bits, and receivers want 1024 at least',
    ],
    [
      'must not be revoked',
      { 'TXT s._domainkey.e.example': 'v=DKIM1; p=' },
      'down',
      'DKIM selector s has no key: it is revoked (p is empty)',
    ],
    [
      'is degraded in test mode',
      { 'TXT s._domainkey.e.example': keyRecord(1024, ' t=y;') },
      'degraded',
      'DKIM selector s is in test mode (t=y), which lets receivers ignore it',
    ],
    ['may have company', { 'TXT s._domainkey.e.example': ['hello', keyRecord(1024)] }, 'up', null],
    [
      'is missing when the name server fails',
      { 'TXT s._domainkey.e.example': 'servfail' },
      'down',
      'DKIM selector s could not be looked up: The name server could not resolve s._domainkey.e.example (SERVFAIL)',
    ],
  ]
  for (const [does, zone, status, error] of cases)
    it(does, async () => {
      const verdict = await check(zone, { dkim_selectors: ['s'] })
      assert.deepEqual([verdict.status, verdict.error], [status, error])
    })
})

describe('the DMARC policy', () => {
  const cases: [does: string, record: string | string[], wanted: string, status: string, error: string | null][] = [
    ['may be as strong as wanted', 'v=DMARC1; p=quarantine', 'quarantine', 'up', null],
    ['may be stronger', 'v=DMARC1; p=reject', 'quarantine', 'up', null],
    ['must not be weaker', 'v=DMARC1; p=none', 'quarantine', 'down', 'DMARC policy none is weaker than quarantine'],
    [
      'must not be weaker than reject',
      'v=DMARC1; p=quarantine',
      'reject',
      'down',
      'DMARC policy quarantine is weaker than reject',
    ],
    [
      'is degraded when it holds for a part',
      'v=DMARC1; p=reject; pct=50',
      'reject',
      'degraded',
      'DMARC policy reject holds for a part of the mail only (pct or t)',
    ],
    ['may be none for a part', 'v=DMARC1; p=none; pct=50', 'none', 'up', null],
    [
      'must stand in one record',
      ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
      'none',
      'down',
      'DMARC is invalid: _dmarc.e.example has two DMARC records',
    ],
    ['may have company', ['v=DMARC1; p=none', 'hello'], 'none', 'up', null],
    [
      'must be named',
      'v=DMARC1; rua=x',
      'none',
      'down',
      'DMARC is invalid: the record of _dmarc.e.example names no policy',
    ],
    [
      'is missing when the name server fails',
      'servfail',
      'none',
      'down',
      'DMARC could not be looked up: The name server could not resolve _dmarc.e.example (SERVFAIL)',
    ],
  ]
  for (const [does, record, wanted, status, error] of cases)
    it(does, async () => {
      const verdict = await check({ 'TXT _dmarc.e.example': record }, { dmarc_policy: wanted })
      assert.deepEqual([verdict.status, verdict.error], [status, error])
    })

  it("is the organisation's for a subdomain without its own", async () => {
    const { address } = await dnsServer(
      zoneReply({
        'TXT news.shop.example.co.uk': 'v=spf1 -all',
        'TXT own.example.co.uk': 'v=spf1 -all',
        'TXT _dmarc.example.co.uk': 'v=DMARC1; p=reject; sp=quarantine',
        'TXT _dmarc.own.example.co.uk': 'v=DMARC1; p=none',
        'TXT a.nothing.example': 'v=spf1 -all',
      }),
    )
    const net = createNet({ allowPrivate: 'none', dnsServers: [address] })
    const details = async (url: string): Promise<unknown[]> => {
      const verdict = await checkOnce(emailAuth, { url }, net)
      return [verdict.error, verdict.details['dmarc_policy'], verdict.details['dmarc_source']]
    }
    assert.deepEqual(await details('news.shop.example.co.uk'), [null, 'quarantine', 'example.co.uk'])
    assert.deepEqual(await details('own.example.co.uk'), [null, 'none', 'own.example.co.uk'])
    assert.deepEqual(await details('a.nothing.example'), [
      'DMARC is missing: there is no v=DMARC1 record at _dmarc.a.nothing.example and _dmarc.nothing.example',
      null,
      undefined,
    ])
  })
})
