import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Verdict } from '#core/results/result.ts'
import { blacklist } from '#kinds/blacklist/blacklist.ts'
import { dns } from '#kinds/dns/dns.ts'
import { emailAuth } from '#kinds/email-auth/email-auth.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { createNet } from '#net/create-net.ts'
import type { Net } from '#net/net.ts'
import { checkOnce } from '../support/check.ts'
import { digShort, startBind } from '../support/peers/bind.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { startRbldnsd } from '../support/peers/rbldnsd.ts'
import { closedUdpPort } from '../support/udp-server.ts'

/** A record of a zone file, its text cut into strings of at most 255 characters. */
function txt(text: string): string {
  return `TXT ${(text.match(/.{1,200}/g) ?? []).map((piece) => `"${piece}"`).join(' ')}`
}

function keyRecord(modulusLength: number): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength })
  return txt(`v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`)
}

const probe = `
@ A 192.0.2.10
@ A 192.0.2.11
@ AAAA 2001:db8::10
@ MX 10 mail
@ MX 20 Mail2.Probe.Test.
@ TXT "v=spf1 ip4:192.0.2.0/24 include:_spf.probe.test mx -all"
@ TXT "odd \\" \\\\ \\195\\169 ;" " and more"
www CNAME @
alias CNAME www
dangling CNAME nowhere
mail A 192.0.2.20
mail2 A 192.0.2.66
_spf TXT "v=spf1 a:mail.probe.test ~all"
_dmarc TXT "v=DMARC1; p=quarantine; sp=reject; pct=100; rua=mailto:d@probe.test"
s1._domainkey ${keyRecord(2048)}
small._domainkey ${keyRecord(512)}
revoked._domainkey TXT "v=DKIM1; p="
loop TXT "v=spf1 include:loop.probe.test -all"
two TXT "v=spf1 -all"
two TXT "v=spf1 +all"
sub TXT "v=spf1 redirect=probe.test"
_sip._tcp SRV 0 5 5060 sip
_sip._tcp SRV 0 0 0 .
null MX 0 .
ip TXT "x"
mapped AAAA ::ffff:192.0.2.1
${Array.from({ length: 80 }, (_, index) => `big ${txt(`record ${index} ${'x'.repeat(100)}`)}`).join('\n')}
`

describe(
  'names, mail records and lists against bind9 and rbldnsd',
  {
    skip: skipReason(['named', 'dig', 'rbldnsd']),
  },
  async () => {
    const lists = await startRbldnsd({
      'dnsbl.test': {
        type: 'ip4set',
        entries:
          ':127.0.0.2:Listed, see https://dnsbl.test/$\n127.0.0.2\n192.0.2.66\n198.51.100.0/24 :127.0.0.9:Whole network',
      },
      'bare.test': { type: 'ip4set', entries: ':127.0.0.2:Listed\n192.0.2.66' },
      'everything.test': { type: 'ip4set', entries: ':127.0.0.2:Shut down\n127.0.0.0/8\n192.0.0.0/8' },
      'refusing.test': { type: 'ip4set', entries: ':127.255.255.254:Open resolver\n127.0.0.0/8\n192.0.0.0/8' },
      'dbl.test': { type: 'dnset', entries: ':127.0.1.2:Domain $\nbad.probe.test\n.worse.test\ntest' },
    })
    const names = ['dnsbl.test', 'bare.test', 'everything.test', 'refusing.test', 'dbl.test']
    const server = await startBind({
      zones: { 'probe.test': probe },
      forwards: { ...Object.fromEntries(names.map((name) => [name, lists])), 'down.test': await closedUdpPort() },
    })
    const net: Net = createNet({ allowPrivate: 'none', dnsServers: [server] })
    const check = (kind: AnyKind, url: string, options: Record<string, unknown> = {}): Promise<Verdict> =>
      checkOnce(kind, { url, options, timeoutMs: 5000 }, net)
    const on = (zone: string): Promise<Verdict> =>
      check(blacklist, 'mail2.probe.test', { dnsbl_zone: zone, lookup: 'host' })
    const outcome = async (...of: Parameters<typeof check>): Promise<unknown[]> => {
      const { status, error } = await check(...of)
      return [status, error]
    }

    const asked = [
      ['A', 'probe.test', 2],
      ['A', 'alias.probe.test', 4],
      ['AAAA', 'probe.test', 1],
      ['AAAA', 'mapped.probe.test', 1],
      ['CNAME', 'www.probe.test', 1],
      ['MX', 'probe.test', 2],
      ['MX', 'null.probe.test', 1],
      ['TXT', 'probe.test', 2],
      ['TXT', 's1._domainkey.probe.test', 1],
      ['NS', 'probe.test', 1],
      ['SOA', 'probe.test', 1],
      ['SRV', '_sip._tcp.probe.test', 2],
      ['TXT', 'big.probe.test', 80],
    ] as const
    for (const [type, name, count] of asked)
      it(`every line of dig +short is an expected ${type} answer of ${name}, nothing else is`, async () => {
        const lines = await digShort(server, name, type)
        assert.equal(lines.length, count)
        for (const line of lines)
          assert.deepEqual(await outcome(dns, name, { record_type: type, expected_answer: line }), ['up', null], line)
        const [status, error] = await outcome(dns, name, { record_type: type, expected_answer: `${lines[0]}x` })
        assert.equal(status, 'down')
        assert.match(String(error), /^Expected .+, got /)
      })

    it('names that do not resolve say why', async () => {
      assert.deepEqual(await outcome(dns, 'nope.probe.test'), [
        'down',
        'The name nope.probe.test does not exist (NXDOMAIN)',
      ])
      assert.deepEqual(await outcome(dns, 'ip.probe.test'), [
        'down',
        'The name ip.probe.test has no A record (empty answer)',
      ])
      assert.deepEqual(await outcome(dns, 'dangling.probe.test'), [
        'down',
        'The name dangling.probe.test does not exist (NXDOMAIN)',
      ])
      assert.deepEqual(await outcome(dns, 'a.down.test'), [
        'down',
        'The name server could not resolve a.down.test (SERVFAIL)',
      ])
    })

    it('mail records in order are up, and what is wrong is told', async () => {
      const options = { dkim_selectors: ['s1'], dmarc_policy: 'quarantine' }
      const { status, error, details } = await check(emailAuth, 'probe.test', options)
      assert.deepEqual([status, error], ['up', null])
      assert.deepEqual(details['dkim_keys'], { s1: 'rsa 2048' })
      assert.deepEqual([details['spf_lookups'], details['dmarc_policy']], [3, 'quarantine'])
      const errorOf = async (...of: Parameters<typeof check>): Promise<unknown> => (await check(...of)).error
      assert.match(String(await errorOf(emailAuth, 'loop.probe.test')), /^SPF is invalid: it leads in a circle/)
      assert.match(String(await errorOf(emailAuth, 'two.probe.test')), /^SPF is invalid: two\.probe\.test has two/)
      assert.match(String(await errorOf(emailAuth, 'null.probe.test')), /^SPF is missing at null\.probe\.test/)
      const keys = String(await errorOf(emailAuth, 'probe.test', { dkim_selectors: ['small', 'revoked', 'gone'] }))
      assert.match(
        keys,
        /small has a key of 512 bits.*revoked has no key: it is revoked.*gone has no key: there is no TXT/,
      )
      assert.equal(
        await errorOf(emailAuth, 'probe.test', { dmarc_policy: 'reject' }),
        'DMARC policy quarantine is weaker than reject',
      )
      const sub = await check(emailAuth, 'sub.probe.test', { dmarc_policy: 'reject' })
      assert.deepEqual([sub.status, sub.details['dmarc_source']], ['up', 'probe.test'])
    })

    it('lists of addresses and of domains tell what is listed', async () => {
      const host = { dnsbl_zone: 'dnsbl.test', lookup: 'host' }
      assert.deepEqual(await outcome(blacklist, 'probe.test', host), ['up', null])
      assert.deepEqual(await outcome(blacklist, 'mail2.probe.test', host), [
        'down',
        '192.0.2.66 is listed on dnsbl.test (127.0.0.2): Listed, see https://dnsbl.test/192.0.2.66',
      ])
      assert.deepEqual(await outcome(blacklist, '198.51.100.7', host), [
        'down',
        '198.51.100.7 is listed on dnsbl.test (127.0.0.9): Whole network',
      ])
      assert.equal((await check(blacklist, 'probe.test', { ...host, lookup: 'mail_servers' })).status, 'down')
      const domain = { dnsbl_zone: 'dbl.test', lookup: 'domain' }
      assert.deepEqual(await outcome(blacklist, 'bad.probe.test', domain), [
        'down',
        'bad.probe.test is listed on dbl.test (127.0.1.2): Domain bad.probe.test',
      ])
      assert.equal((await check(blacklist, 'www.worse.test', domain)).status, 'down')
      assert.deepEqual(await outcome(blacklist, 'probe.test', domain), ['up', null])
    })

    it('lists that do not work are no reason for an alarm', async () => {
      const everything = await on('everything.test')
      assert.equal(everything.status, 'degraded')
      assert.match(everything.error ?? '', /lists everything/)
      const refusing = await on('refusing.test')
      assert.equal(refusing.status, 'degraded')
      assert.match(refusing.error ?? '', /refused the query \(127\.255\.255\.254\)/)
      const missing = await on('nothing.probe.test')
      assert.deepEqual(
        [missing.status, missing.error],
        ['degraded', 'The list nothing.probe.test does not exist (NXDOMAIN)'],
      )
      const bare = await on('bare.test')
      assert.deepEqual([bare.status, bare.details['test_entry']], ['down', 'missing'])
    })
  },
)
