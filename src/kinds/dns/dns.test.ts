import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '#core/results/result.ts'
import { createNet } from '#net/create-net.ts'
import { checkOnce } from '../../../test/support/check.ts'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { zoneReply } from '../../../test/support/dns-zone.ts'
import { dns } from './dns.ts'

function outcomeOf({ status, error, details }: Verdict): unknown[] {
  return [status, error, details['answers']]
}

function problem(url: string): string | null {
  return dns.targetProblem(url, () => false)
}

function isValid(options: Record<string, unknown>): boolean {
  return dns.options.safeParse(options).success
}

describe('a check of kind dns', async () => {
  const { address, questions } = await dnsServer(
    zoneReply({
      'A example.com': ['192.0.2.20', '192.0.2.10'],
      'AAAA example.com': '2001:db8::10',
      'MX example.com': ['10 mail.example.com', '20 mail2.example.com'],
      'TXT example.com': `v=spf1 -all ${'x'.repeat(300)}`,
      'TXT odd.example': 'bell \u0007 and \u001b[31m',
      'NS example.com': 'ns1.example.com',
      'SOA example.com': 'ns1.example.com host.example.com 2026112101 3600 600 86400 60',
      'SRV _sip._tcp.example.com': '0 5 5060 sip.example.com',
      'CNAME www.example.com': 'example.com',
      'CNAME dangling.example.com': 'gone.example.com',
      'A many.example': Array.from({ length: 60 }, (_, index) => `192.0.2.${index + 100}`),
      'A five.example': Array.from({ length: 5 }, (_, index) => `192.0.2.${index + 100}`),
      'A six.example': Array.from({ length: 6 }, (_, index) => `192.0.2.${index + 100}`),
      'TXT long.example': 'y'.repeat(501),
      '* broken.example': 'servfail',
      '* closed.example': 'refused',
      '* silent.example': 'silent',
    }),
  )
  const net = createNet({ allowPrivate: 'none', dnsServers: [address] })
  const check = (url: string, options: Record<string, unknown> = {}, timeoutMs = 3000): Promise<Verdict> =>
    checkOnce(dns, { url, options, timeoutMs }, net)

  it('is up when the name has a record of the type, A by default', async () => {
    const verdict = await check('example.com')
    assert.deepEqual(outcomeOf(verdict), ['up', null, ['192.0.2.10', '192.0.2.20']])
    assert.deepEqual(verdict.details, { record_type: 'A', answers: ['192.0.2.10', '192.0.2.20'] })
    assert.ok(Number.isInteger(verdict.latencyMs))
    assert.equal(verdict.phases.dnsMs, verdict.latencyMs)
    assert.equal(verdict.statusCode, null)
  })

  const matching = [
    ['AAAA', 'example.com', '2001:DB8:0::10', ['2001:db8::10']],
    ['CNAME', 'www.example.com', 'Example.com.', ['example.com']],
    ['MX', 'example.com', '20 MAIL2.example.com.', ['10 mail.example.com', '20 mail2.example.com']],
    ['TXT', 'example.com', `"v=spf1 -all " "${'x'.repeat(300)}"`, [`v=spf1 -all ${'x'.repeat(300)}`]],
    ['NS', 'example.com', 'ns1.example.com.', ['ns1.example.com']],
    [
      'SOA',
      'example.com',
      'ns1.example.com. host.example.com. 2026112101 3600 600 86400 60',
      ['ns1.example.com host.example.com 2026112101 3600 600 86400 60'],
    ],
    ['SRV', '_sip._tcp.example.com', '0 5 5060 sip.example.com.', ['0 5 5060 sip.example.com']],
    ['A', 'www.example.com', '192.0.2.20', ['192.0.2.10', '192.0.2.20']],
    ['A', 'www.example.com', 'example.com.', ['192.0.2.10', '192.0.2.20']],
  ] as const
  for (const [type, name, expected, answers] of matching)
    it(`finds the expected ${type} answer ${expected.slice(0, 40)} of ${name}`, async () => {
      const verdict = await check(name, { record_type: type, expected_answer: expected })
      assert.deepEqual(outcomeOf(verdict), ['up', null, answers])
    })

  it('tells where aliases led', async () => {
    const { details } = await check('www.example.com')
    assert.deepEqual(details['aliases'], ['example.com'])
  })

  it('shows 500 letters of an answer, and looks at all of it', async () => {
    const options = { record_type: 'TXT', expected_answer: 'y'.repeat(501) }
    assert.deepEqual(outcomeOf(await check('long.example', options)), ['up', null, ['y'.repeat(500)]])
  })

  const failing = [
    ['missing.example', {}, 'The name missing.example does not exist (NXDOMAIN)'],
    ['broken.example', {}, 'The name server could not resolve broken.example (SERVFAIL)'],
    ['closed.example', {}, 'The name server refused to resolve closed.example (REFUSED)'],
    [
      'www.example.com',
      { record_type: 'MX', expected_answer: '1 x' },
      'Expected 1 x, got 10 mail.example.com, 20 mail2.example.com',
    ],
    ['example.com', { record_type: 'SRV' }, 'The name example.com has no SRV record (empty answer)'],
    [
      'dangling.example.com',
      {},
      'The name dangling.example.com leads to gone.example.com, which has no A record (empty answer)',
    ],
    ['example.com', { expected_answer: '192.0.2.1' }, 'Expected 192.0.2.1, got 192.0.2.10, 192.0.2.20'],
    [
      'many.example',
      { expected_answer: '192.0.2.1' },
      'Expected 192.0.2.1, got 192.0.2.100, 192.0.2.101, 192.0.2.102, 192.0.2.103, 192.0.2.104 and 55 more',
    ],
    [
      'five.example',
      { expected_answer: '192.0.2.1' },
      'Expected 192.0.2.1, got 192.0.2.100, 192.0.2.101, 192.0.2.102, 192.0.2.103, 192.0.2.104',
    ],
    [
      'six.example',
      { expected_answer: '192.0.2.1' },
      'Expected 192.0.2.1, got 192.0.2.100, 192.0.2.101, 192.0.2.102, 192.0.2.103, 192.0.2.104 and 1 more',
    ],
    [
      'long.example',
      { record_type: 'TXT', expected_answer: 'z'.repeat(101) },
      `Expected ${'z'.repeat(100)}, got ${'y'.repeat(80)}`,
    ],
    ['odd.example', { record_type: 'TXT', expected_answer: 'x' }, 'Expected x, got bell ? and ?[31m'],
  ] as const
  for (const [name, options, error] of failing)
    it(`is down: ${error}`, async () => {
      const verdict = await check(name, options)
      assert.deepEqual([verdict.status, verdict.error], ['down', error])
      assert.ok(Number.isInteger(verdict.latencyMs))
    })

  it('is down at its deadline', async () => {
    const verdict = await check('silent.example', {}, 500)
    assert.deepEqual(outcomeOf(verdict), [
      'down',
      'Timed out after 500 ms while looking up the name of silent.example: no name server answered',
      undefined,
    ])
    assert.equal(verdict.latencyMs, null)
  })

  it('asks for the host of a URL, and for international names in ASCII', async () => {
    assert.equal((await check('https://www.example.com:8443/path?query')).status, 'up')
    await check('Bücher.Example.')
    assert.equal(questions.at(-1), 'A xn--bcher-kva.example')
  })

  it('takes domain names as targets, and nothing else', () => {
    for (const url of [
      'example.com',
      'EXAMPLE.com.',
      '_dmarc.example.com',
      'localhost',
      '*.example.com',
      'http://a.example/',
    ])
      assert.equal(problem(url), null, url)
    for (const url of [
      '',
      '.',
      'a..b',
      'example.com:53',
      '192.0.2.1',
      '[::1]',
      '::1',
      'a b',
      'ftp://a.example',
      'http://192.0.2.1/',
      `${'a'.repeat(64)}.example`,
    ])
      assert.match(problem(url) ?? '', /^Must be a domain name/, url)
  })

  it('takes eight record types and an expected answer of 1 to 4096 characters', () => {
    const types = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SOA', 'SRV']
    for (const type of types) assert.ok(isValid({ record_type: type }), type)
    assert.ok(isValid({ expected_answer: 'x'.repeat(4096) }))
    const wrong = [
      { record_type: 'a' },
      { record_type: 'PTR' },
      { expected_answer: '' },
      { expected_answer: 1 },
      { server: 'x' },
      { dnssec: 'yes' },
      { signature_warn_days: 3 },
      { dnssec: 'required', signature_warn_days: 0 },
      { dnssec: 'required', signature_warn_days: 366 },
    ]
    for (const days of [1, 365]) assert.ok(isValid({ dnssec: 'required', signature_warn_days: days }))
    for (const options of [...wrong, { expected_answer: 'x'.repeat(4097) }]) assert.ok(!isValid(options))
    assert.deepEqual(dns.options.parse({}), { record_type: 'A' })
  })
})
