import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '#core/results/result.ts'
import { createNet } from '#net/create-net.ts'
import { checkOnce } from '../../../test/support/check.ts'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { type DnsZone, zoneReply } from '../../../test/support/dns-zone.ts'
import { blacklist } from './blacklist.ts'

/** Two lists that work, of addresses and of domains, a host and its mail servers. */
const usual: DnsZone = {
  'SOA ip.list': 'ns.list host.list 1 2 3 4 5',
  'A 2.0.0.127.ip.list': '127.0.0.2',
  'A 66.2.0.192.ip.list': ['127.0.0.4', '127.0.0.2'],
  'TXT 66.2.0.192.ip.list': 'Spam, see https://ip.list/192.0.2.66',
  'SOA dom.list': 'ns.list host.list 1 2 3 4 5',
  'A test.dom.list': '127.0.1.2',
  'A bad.example.dom.list': '127.0.1.2',
  'A good.example': '192.0.2.10',
  'A bad.example': ['192.0.2.10', '192.0.2.66'],
  'MX good.example': ['10 mail.good.example', '20 backup.good.example'],
  'A mail.good.example': '192.0.2.11',
  'A backup.good.example': '192.0.2.12',
}

type Wishes = { url: string; zone?: string; lookup?: string; timeoutMs?: number }

async function check({ url, zone = 'ip.list', lookup = 'host', timeoutMs = 3000 }: Wishes, changes: DnsZone = {}) {
  const server = await dnsServer(zoneReply({ ...usual, ...changes }))
  const net = createNet({ allowPrivate: 'none', dnsServers: [server.address] })
  const options = { dnsbl_zone: zone, lookup }
  const verdict: Verdict = await checkOnce(blacklist, { url, options, timeoutMs }, net)
  return { verdict, questions: server.questions, outcome: [verdict.status, verdict.error] }
}

function problem(url: string): string | null {
  return blacklist.targetProblem(url, () => false)
}

function isValid(options: Record<string, unknown>): boolean {
  return blacklist.options.safeParse(options).success
}

describe('a check of kind blacklist', () => {
  it('is up when nothing is listed', async () => {
    const { verdict, outcome } = await check({ url: 'good.example' })
    assert.deepEqual(outcome, ['up', null])
    assert.deepEqual(verdict.details, { zone: 'ip.list', checked: 1, listed: [] })
    assert.ok(Number.isInteger(verdict.latencyMs))
  })

  it('is down when an address of the host is listed, and says why', async () => {
    const { verdict, outcome } = await check({ url: 'https://bad.example/' })
    const reason = 'Spam, see https://ip.list/192.0.2.66'
    assert.deepEqual(outcome, ['down', `192.0.2.66 is listed on ip.list (127.0.0.2, 127.0.0.4): ${reason}`])
    assert.deepEqual(verdict.details, {
      zone: 'ip.list',
      checked: 2,
      listed: [{ address: '192.0.2.66', codes: ['127.0.0.2', '127.0.0.4'], reason }],
    })
  })

  it('looks a literal address up', async () => {
    assert.equal((await check({ url: '192.0.2.66' })).verdict.status, 'down')
    assert.equal((await check({ url: '192.0.2.67' })).verdict.status, 'up')
    const { outcome } = await check({ url: '192.0.2.66', lookup: 'domain' })
    assert.deepEqual(outcome, ['down', '192.0.2.66 is an address, which only lookup "host" can look up'])
  })

  it('looks the name and the domain it belongs to up', async () => {
    const { outcome, questions } = await check({ url: 'www.bad.example', zone: 'DOM.list.', lookup: 'domain' })
    assert.deepEqual(outcome, ['down', 'bad.example is listed on dom.list (127.0.1.2)'])
    assert.ok(questions.includes('A www.bad.example.dom.list'))
    assert.equal((await check({ url: 'good.example', zone: 'dom.list', lookup: 'domain' })).verdict.status, 'up')
  })

  it('looks the mail servers up', async () => {
    const mail = { url: 'good.example', lookup: 'mail_servers' }
    const { verdict, questions } = await check(mail)
    assert.deepEqual([verdict.status, verdict.details['checked']], ['up', 2])
    assert.ok(questions.includes('A 11.2.0.192.ip.list') && questions.includes('A 12.2.0.192.ip.list'))
    const both = { 'A 11.2.0.192.ip.list': '127.0.0.3', 'A 12.2.0.192.ip.list': '127.0.0.3' }
    assert.deepEqual((await check(mail, both)).outcome, [
      'down',
      '192.0.2.11 and 1 more are listed on ip.list (127.0.0.3)',
    ])
  })

  it('takes a domain without MX records for its own mail server', async () => {
    const { outcome } = await check({ url: 'bad.example', lookup: 'mail_servers' })
    assert.match(String(outcome[1]), /^192\.0\.2\.66 is listed/)
  })

  it('leaves out mail servers that cannot be resolved as long as there is another', async () => {
    const { verdict } = await check(
      { url: 'good.example', lookup: 'mail_servers' },
      { 'A mail.good.example': 'servfail' },
    )
    assert.deepEqual([verdict.status, verdict.details['checked']], ['up', 1])
  })

  it('looks at most 20 addresses up', async () => {
    const many = Array.from({ length: 35 }, (_, index) => `198.51.100.${index + 1}`)
    const { verdict, questions } = await check({ url: 'many.example' }, { 'A many.example': many })
    assert.deepEqual([verdict.status, verdict.details['checked'], verdict.details['skipped']], ['up', 20, 15])
    assert.equal(questions.filter((question) => question.endsWith('.100.51.198.ip.list')).length, 20)
  })

  const failing: [does: string, wishes: Wishes, changes: DnsZone, status: string, error: string][] = [
    ['misses the host', { url: 'gone.example' }, {}, 'down', 'The name gone.example does not exist (NXDOMAIN)'],
    [
      'misses the domain',
      { url: 'gone.example', lookup: 'mail_servers' },
      {},
      'down',
      'The name gone.example does not exist (NXDOMAIN)',
    ],
    [
      'gets no address',
      { url: 'broken.example' },
      { '* broken.example': 'servfail' },
      'down',
      'The name server could not resolve broken.example (SERVFAIL)',
    ],
    [
      'gets no mail servers',
      { url: 'broken.example', lookup: 'mail_servers' },
      { '* broken.example': 'refused' },
      'down',
      'The name server refused to resolve broken.example (REFUSED)',
    ],
    [
      'finds IPv6 only',
      { url: 'six.example' },
      { 'AAAA six.example': '2001:db8::1' },
      'degraded',
      'six.example has no IPv4 address, so there is nothing to look up',
    ],
    [
      'finds mail servers with IPv6 only',
      { url: 'six.example', lookup: 'mail_servers' },
      { 'MX six.example': ['1 a.example', '2 b.example'], 'AAAA a.example': '2001:db8::1' },
      'degraded',
      'six.example has no mail server with an IPv4 address, so there is nothing to look up',
    ],
    [
      'finds a domain that takes no mail',
      { url: 'null.example', lookup: 'mail_servers' },
      { 'MX null.example': '0 .' },
      'degraded',
      'null.example takes no mail (null MX), so there is nothing to look up',
    ],
    [
      'is refused for the resolver',
      { url: 'good.example' },
      { 'A 10.2.0.192.ip.list': '127.255.255.254' },
      'degraded',
      "ip.list refused the query (127.255.255.254): it does not answer public resolvers; set PERIGEE_DNS_SERVERS to one of the location's own",
    ],
    [
      'is refused without a reason',
      { url: 'good.example' },
      { 'A 10.2.0.192.ip.list': '127.255.255.7' },
      'degraded',
      'ip.list refused the query (127.255.255.7): it gives no reason',
    ],
    [
      'is refused in the old way',
      { url: 'good.example' },
      { 'A 10.2.0.192.ip.list': '127.0.0.1' },
      'degraded',
      'ip.list refused the query (127.0.0.1): this location may not ask it',
    ],
    [
      'asks a list of domains for addresses',
      { url: 'good.example' },
      { 'A 10.2.0.192.ip.list': '127.0.1.255' },
      'degraded',
      'ip.list refused the query (127.0.1.255): it lists domains, not addresses',
    ],
    [
      'finds a list that is none any more',
      { url: 'good.example' },
      { 'A 10.2.0.192.ip.list': '203.0.113.5' },
      'degraded',
      'ip.list answers with 203.0.113.5, which no list does: its domain may have changed hands',
    ],
    [
      'finds a list that lists everything',
      { url: 'bad.example' },
      { 'A 1.0.0.127.ip.list': '127.0.0.2' },
      'degraded',
      'ip.list lists everything, 127.0.0.1 too, so its answers mean nothing',
    ],
    [
      'finds a list of domains that lists everything',
      { url: 'bad.example', zone: 'dom.list', lookup: 'domain' },
      { 'A invalid.dom.list': '127.0.1.2' },
      'degraded',
      'dom.list lists everything, invalid too, so its answers mean nothing',
    ],
    [
      'finds no list',
      { url: 'good.example', zone: 'typo.list' },
      {},
      'degraded',
      'The list typo.list does not exist (NXDOMAIN)',
    ],
    [
      'gets no answer from the list',
      { url: 'good.example' },
      { 'A 10.2.0.192.ip.list': 'servfail' },
      'degraded',
      'ip.list could not be asked: The name server could not resolve 10.2.0.192.ip.list (SERVFAIL)',
    ],
    [
      'waits for the list in vain',
      { url: 'good.example', timeoutMs: 500 },
      { 'A 10.2.0.192.ip.list': 'silent' },
      'degraded',
      'ip.list could not be asked: Timed out after 500 ms while looking up the name of 10.2.0.192.ip.list: no name server answered',
    ],
  ]
  for (const [does, wishes, changes, status, error] of failing)
    it(`is ${status} when it ${does}`, async () => {
      const startedAt = performance.now()
      assert.deepEqual((await check(wishes, changes)).outcome, [status, error])
      assert.ok(performance.now() - startedAt < 5_000)
    })

  it('is down when one of several is listed although another could not be asked', async () => {
    const { outcome } = await check({ url: 'bad.example' }, { 'A 10.2.0.192.ip.list': 'servfail' })
    assert.equal(outcome[0], 'down')
  })

  it('tells that a list lacks its test entry', async () => {
    const { verdict } = await check({ url: 'good.example' }, { 'A 2.0.0.127.ip.list': [] })
    assert.deepEqual([verdict.status, verdict.details['test_entry']], ['up', 'missing'])
  })

  it('shows what the list says only as far as it is readable', async () => {
    const { verdict } = await check(
      { url: '192.0.2.66' },
      { 'TXT 66.2.0.192.ip.list': `\u001b[31m${'x'.repeat(2000)}` },
    )
    assert.match(verdict.error ?? '', /: \?\[31mx{195}$/)
  })

  it('takes domains and IPv4 addresses as targets', () => {
    for (const url of ['example.com', 'https://example.com/', '198.51.100.7']) assert.equal(problem(url), null, url)
    for (const url of ['', 'example.com:25', '2001:db8::1', '[::1]', '1.2.3.4:25', '1.2.3.256'])
      assert.match(problem(url) ?? '', /domain name or an IPv4 address/, url)
  })

  it('needs a zone', () => {
    for (const lookup of ['domain', 'mail_servers', 'host'])
      assert.ok(isValid({ dnsbl_zone: 'zen.example.org', lookup }))
    const wrong = [
      {},
      { dnsbl_zone: '' },
      { dnsbl_zone: 'a b' },
      { dnsbl_zone: 'http://a.example' },
      { dnsbl_zone: '1.2.3.4' },
    ]
    for (const options of wrong) assert.ok(!isValid(options), JSON.stringify(options))
    assert.ok(!isValid({ dnsbl_zone: 'a.example', lookup: 'ip' }))
    assert.deepEqual(blacklist.options.parse({ dnsbl_zone: 'a.example' }), {
      dnsbl_zone: 'a.example',
      lookup: 'domain',
    })
  })
})
