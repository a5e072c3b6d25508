import { generateKeyPairSync } from 'node:crypto'
import { blacklist } from '#kinds/blacklist/blacklist.ts'
import { dns } from '#kinds/dns/dns.ts'
import { emailAuth } from '#kinds/email-auth/email-auth.ts'
import { dnsServer } from '../../support/dns-server.ts'
import { startBind } from '../../support/peers/bind.ts'
import { startRbldnsd } from '../../support/peers/rbldnsd.ts'
import { closedUdpPort } from '../../support/udp-server.ts'
import type { Case, Wish } from './case.ts'
import { type Asked, nameCase, type Question } from './name-case.ts'

const key = generateKeyPairSync('rsa', { modulusLength: 1024 })
const publicKey = key.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

const probe = `
@ A 192.0.2.10
@ AAAA 2001:db8::10
@ MX 10 mail
@ TXT "v=spf1 ip4:192.0.2.0/24 -all"
www CNAME @
dangling CNAME nowhere
mail A 192.0.2.20
bad A 192.0.2.66
whole A 198.51.100.7
_sip._tcp SRV 0 5 5060 mail
s1._domainkey TXT "v=DKIM1; k=rsa; p=${publicKey}"
revoked._domainkey TXT "v=DKIM1; p="
_dmarc TXT "v=DMARC1; p=quarantine; rua=mailto:d@probe.test"
bare TXT "hello"
two TXT "v=spf1 -all"
two TXT "v=spf1 +all"
loop TXT "v=spf1 include:loop.probe.test -all"
${Array.from({ length: 40 }, (_, index) => `big TXT "record ${index} ${'x'.repeat(100)}"`).join('\n')}
`
const policyless = '@ TXT "v=spf1 -all"\n'

const lists = {
  'dnsbl.test': { type: 'ip4set', entries: ':127.0.0.2:Listed $\n127.0.0.2\n192.0.2.66\n198.51.100.0/24' },
  'everything.test': { type: 'ip4set', entries: ':127.0.0.2:Shut down\n127.0.0.0/8\n192.0.0.0/8' },
  'refusing.test': { type: 'ip4set', entries: ':127.255.255.254:Open resolver\n127.0.0.0/8\n192.0.0.0/8' },
  'dbl.test': { type: 'dnset', entries: ':127.0.1.2:Domain $\nbad.probe.test\ntest' },
} as const

/** Most cases ask one name server; the others ask a server that refuses, is silent or closed, or sends no DNS. */
export async function nameCases(): Promise<Case[]> {
  const rbldnsd = await startRbldnsd(lists)
  const forwards = Object.fromEntries(Object.keys(lists).map((name) => [name, rbldnsd]))
  const server = await startBind({
    zones: { 'probe.test': probe, 'policyless.test': policyless },
    forwards: { ...forwards, 'down.test': await closedUdpPort() },
  })
  const others = {
    refusing: (await dnsServer(() => 'refused')).address,
    silent: (await dnsServer(() => 'silent')).address,
    garbled: (await dnsServer(() => ({ datagrams: () => [Buffer.from('SSH-2.0-OpenSSH')] }))).address,
    closed: `127.0.0.1:${await closedUdpPort()}`,
  }
  return [...dnsCases(server, others), ...blacklistCases(server), ...emailCases(server)]
}

const digWarns = { state: 'WARNING', why: 'digWarns' } as const
const textOnly = { state: 'OK', verdict: 'success', why: 'textOnly' } as const

function dnsCases(server: string, others: Record<'refusing' | 'silent' | 'garbled' | 'closed', string>): Case[] {
  const go = (name: string, question: Partial<Question>, wish: Partial<Wish> = {}): Case => {
    const asked = { server, name: 'probe.test', type: 'A', ...question }
    const { type, expected } = asked
    const options = { record_type: type, ...(expected === undefined ? {} : { expected_answer: expected }) }
    return nameCase(dns, name, { ...wish, url: asked.name, question: asked, options })
  }
  return [
    go('A', {}),
    go('A as expected', { expected: '192.0.2.10' }),
    go(
      'A not as expected',
      { expected: '192.0.2.99' },
      { error: /^Expected 192\.0\.2\.99, got 192\.0\.2\.10$/, ...digWarns },
    ),
    go('AAAA', { type: 'AAAA', expected: '2001:db8::10' }),
    go('MX', { type: 'MX', expected: '10 mail.probe.test.' }),
    go('TXT', { type: 'TXT', expected: 'v=spf1 ip4:192.0.2.0/24 -all' }),
    go('NS', { type: 'NS', expected: 'ns1.probe.test.' }),
    go('SRV', { type: 'SRV', name: '_sip._tcp.probe.test', expected: '0 5 5060 mail.probe.test.' }),
    go('CNAME', { type: 'CNAME', name: 'www.probe.test', expected: 'probe.test.' }),
    go('A behind an alias', { name: 'www.probe.test', expected: '192.0.2.10' }),
    go('too long for UDP', { type: 'TXT', name: 'big.probe.test' }),
    go('name that does not exist', { name: 'nope.probe.test' }, { error: /does not exist \(NXDOMAIN\)$/ }),
    go(
      'alias that leads nowhere',
      { name: 'dangling.probe.test' },
      {
        error: /does not exist \(NXDOMAIN\)$/,
        state: 'OK',
        why: 'alias',
      },
    ),
    go('no record of the type', { name: 'bare.probe.test' }, { error: /has no A record \(empty answer\)$/ }),
    go('SERVFAIL', { name: 'www.down.test' }, { error: /\(SERVFAIL\)$/ }),
    go('REFUSED', { server: others.refusing }, { error: /\(REFUSED\)$/ }),
    go('silent server', { server: others.silent, isSilent: true }, { error: /timed out/i }),
    go('another protocol', { server: others.garbled, isSilent: true }, { error: /timed out/i }),
    go(
      'port that is closed',
      { server: others.closed, isSilent: true },
      { error: /no name server listens$/, ...digWarns },
    ),
  ]
}

function blacklistCases(server: string): Case[] {
  const go = (name: string, at: { url: string; zone: string; asked: string }, wish: Partial<Wish> = {}): Case =>
    nameCase(blacklist, name, {
      ...wish,
      url: at.url,
      question: { server, name: `${at.asked}.${at.zone}`, type: 'A' },
      options: { dnsbl_zone: at.zone, lookup: at.zone === 'dbl.test' ? 'domain' : 'host' },
      isListed: true,
    })
  const bad = { url: 'bad.probe.test', asked: '66.2.0.192' }
  return [
    go('address not listed', { url: 'probe.test', asked: '10.2.0.192', zone: 'dnsbl.test' }),
    go('address listed', { ...bad, zone: 'dnsbl.test' }, { error: /^192\.0\.2\.66 is listed on dnsbl\.test/ }),
    go(
      'network listed',
      { url: 'whole.probe.test', asked: '7.100.51.198', zone: 'dnsbl.test' },
      { error: / is listed/ },
    ),
    go('domain not listed', { url: 'probe.test', asked: 'probe.test', zone: 'dbl.test' }),
    go('domain listed', { url: 'bad.probe.test', asked: 'bad.probe.test', zone: 'dbl.test' }, { error: / is listed/ }),
    go(
      'list that lists everything',
      { ...bad, zone: 'everything.test' },
      {
        ours: 'degraded',
        error: /lists everything/,
        state: 'CRITICAL',
        why: 'listsEverything',
      },
    ),
    go(
      'list that refuses (127.255.255.254)',
      { ...bad, zone: 'refusing.test' },
      {
        ours: 'degraded',
        error: /refused/,
        state: 'CRITICAL',
        why: 'listRefuses',
      },
    ),
    go(
      'list that is gone',
      { ...bad, zone: 'gone.probe.test' },
      {
        ours: 'degraded',
        error: /does not exist/,
        state: 'OK',
        verdict: 'success',
        why: 'listGone',
      },
    ),
    go(
      'list that does not answer',
      { ...bad, zone: 'down.test' },
      {
        ours: 'degraded',
        error: /SERVFAIL/,
        state: 'OK',
        why: 'negated',
      },
    ),
  ]
}

function emailCases(server: string): Case[] {
  const go = (name: string, at: { url: string; asked?: string; expected: string }, wish: Partial<Asked> = {}): Case =>
    nameCase(emailAuth, name, {
      ...wish,
      url: at.url,
      question: { server, name: at.asked ?? at.url, type: 'TXT', expected: at.expected },
      options: wish.options ?? {},
    })
  const own = { url: 'probe.test' }
  const dkim = (selector: string): { url: string; asked: string } => ({
    ...own,
    asked: `${selector}._domainkey.probe.test`,
  })
  const dmarc = { ...own, asked: '_dmarc.probe.test' }
  return [
    go('SPF good', { ...own, expected: 'v=spf1' }),
    go(
      'SPF missing',
      { url: 'bare.probe.test', expected: 'v=spf1' },
      {
        error: /^SPF is missing at bare\.probe\.test/,
        ...digWarns,
      },
    ),
    go(
      'SPF twice',
      { url: 'two.probe.test', expected: 'v=spf1' },
      { error: /^SPF is invalid: .* has two/, ...textOnly },
    ),
    go(
      'SPF in a circle',
      { url: 'loop.probe.test', expected: 'v=spf1' },
      {
        error: /^SPF is invalid: it leads in a circle/,
        ...textOnly,
      },
    ),
    go('DKIM good', { ...dkim('s1'), expected: 'v=DKIM1' }, { options: { dkim_selectors: ['s1'] } }),
    go(
      'DKIM missing',
      { ...dkim('gone'), expected: 'v=DKIM1' },
      { options: { dkim_selectors: ['gone'] }, error: /has no key/ },
    ),
    go(
      'DKIM revoked',
      { ...dkim('revoked'), expected: 'v=DKIM1' },
      {
        options: { dkim_selectors: ['revoked'] },
        error: /has no key: it is revoked/,
        ...textOnly,
      },
    ),
    go('DMARC good', { ...dmarc, expected: 'p=quarantine' }, { options: { dmarc_policy: 'quarantine' } }),
    go(
      'DMARC weaker than wanted',
      { ...dmarc, expected: 'p=reject' },
      {
        options: { dmarc_policy: 'reject' },
        error: /^DMARC policy quarantine is weaker than reject$/,
        ...digWarns,
      },
    ),
    go(
      'DMARC missing',
      { url: 'policyless.test', asked: '_dmarc.policyless.test', expected: 'v=DMARC1' },
      { error: /DMARC/ },
    ),
  ]
}
