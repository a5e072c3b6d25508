import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '#core/results/result.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { dns } from '#kinds/dns/dns.ts'
import { createNet } from '#net/create-net.ts'
import { checkOnce } from '../support/check.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { type SignedZone, startSignedTree } from '../support/peers/signed-zones.ts'

const ecdsa = 'ECDSAP256SHA256'

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().replaceAll(/[-:T]|\..*/g, '')
}

function lifetime(from: number, to: number): string[] {
  return ['-s', daysFromNow(from), '-e', daysFromNow(to)]
}

const plain = '@ A 192.0.2.1\nwww A 192.0.2.2'
const rich = `${plain}
host A 192.0.2.3
*.wild A 192.0.2.4
deep.er.ent A 192.0.2.5
alias CNAME www
far CNAME host.three.test.
dangling CNAME nowhere.three.test.
many TXT "${'x'.repeat(200)}"
many TXT "Upper Case"
@ MX 10 Mail
mail A 192.0.2.6
@ AAAA 2001:db8::1
_sip._tcp SRV 0 5 5060 Mail
tree DNAME three.test.
`

/** Leaves the signature of one set out of a zone file, whose lines may go on in parentheses. */
function without(signed: string, name: string, type: string): string {
  const pattern = new RegExp(`^${name.replaceAll('.', '\\.')}\\.?\\s[^\\n]*\\n(?:\\s+[^\\n]*\\n)*`, 'gm')
  return signed.replaceAll(pattern, (whole) =>
    whole.replaceAll(new RegExp(`[^\\n]*RRSIG\\s+${type} [^)]*\\)\\n`, 'g'), ''),
  )
}

function zone(name: string, more: Partial<SignedZone> = {}): SignedZone {
  return { name, records: plain, algorithm: ecdsa, ...more }
}

const zones: SignedZone[] = [
  zone('good.test', { records: rich }),
  zone('three.test', { records: rich, signing: ['-3', 'abcd', '-H', '5'] }),
  zone('rounds.test', { signing: ['-3', '-', '-H', '120'] }),
  zone('soon.test', { signing: lifetime(-5, 2.5) }),
  zone('expired.test', { signing: lifetime(-40, -9.5) }),
  zone('future.test', { signing: lifetime(3.5, 40) }),
  zone('wrong.test', { digests: (own) => own.replace(/[0-9A-F]{20}/, 'ABCDEF0123456789ABCD') }),
  zone('othertag.test', {
    digests: (own) => own.replace(/ DS (\d+)/, (_, tag: string) => ` DS ${(Number(tag) + 1) % 65_536}`),
  }),
  zone('stripped.test', { change: (signed) => without(signed, 'www.stripped.test', 'A') }),
  zone('tampered.test', { change: (signed) => signed.replace('192.0.2.2', '192.0.2.66') }),
  zone('island.test', { digests: () => null }),
  zone('plain.test', { algorithm: null }),
  zone('rsa8.test', { algorithm: 'RSASHA256 -b 2048' }),
  zone('rsa10.test', { algorithm: 'RSASHA512 -b 2048' }),
  zone('p384.test', { algorithm: 'ECDSAP384SHA384' }),
  zone('ed25519.test', { algorithm: 'ED25519' }),
  zone('ed448.test', { algorithm: 'ED448' }),
  zone('sha1.test', { algorithm: 'NSEC3RSASHA1 -b 2048' }),
  zone('leftout.other', { algorithm: null }),
  zone('named.other'),
]

function below(parent: string): string {
  return zones
    .filter(({ name }) => name.endsWith(`.${parent}`) && name.split('.').length === 2)
    .map(({ name }) => `${name}. NS ns.`)
    .join('\n')
}

const tree = [
  ...zones,
  zone('test', { records: below('test') }),
  zone('other', { records: below('other'), signing: ['-3', 'ff', '-H', '0', '-A'] }),
  zone('.', { records: 'test NS ns.\nother NS ns.\nns A 127.0.0.1' }),
]

const validated = '; fully validated'
const denied = '; negative response, fully validated'
const unsigned = '; unsigned answer'
const deniedUnsigned = '; negative response, unsigned answer'

type Case = [name: string, type: string, outcome: [string, string | RegExp | null, string], delv: string | RegExp]
const up: Case[2] = ['up', null, 'secure']
const missing: Case[2] = ['down', /does not exist \(NXDOMAIN\)$|\(empty answer\)$/, 'secure']
const notSigned: Case[2] = [
  'down',
  'The zone plain.test is not signed: the zone test has no DS record for it',
  'insecure',
]
const broken = /^;; resolution failed: /

const cases: Case[] = [
  ['good.test', 'A', up, validated],
  ['good.test', 'AAAA', up, validated],
  ['good.test', 'MX', up, validated],
  ['good.test', 'NS', up, validated],
  ['good.test', 'SOA', up, validated],
  ['many.good.test', 'TXT', up, validated],
  ['_sip._tcp.good.test', 'SRV', up, validated],
  ['test', 'NS', up, validated],
  ['www.good.test', 'A', up, validated],
  ['WWW.Good.test', 'A', up, validated],
  ['alias.good.test', 'A', up, validated],
  ['far.good.test', 'A', up, validated],
  ['far.good.test', 'CNAME', up, validated],
  ['host.tree.good.test', 'A', up, validated],
  ['a.wild.good.test', 'A', up, validated],
  ['b.a.wild.good.test', 'A', up, validated],
  ['a.wild.three.test', 'A', up, validated],
  ['b.a.wild.three.test', 'A', up, validated],
  ['www.three.test', 'A', up, validated],
  ['named.other', 'A', up, validated],
  ['soon.test', 'A', up, validated],
  ['rsa8.test', 'A', up, validated],
  ['rsa10.test', 'A', up, validated],
  ['p384.test', 'A', up, validated],
  ['ed25519.test', 'A', up, validated],
  ['ed448.test', 'A', up, validated],
  ['nope.good.test', 'A', missing, denied],
  ['nope.three.test', 'A', missing, denied],
  ['ent.good.test', 'A', missing, denied],
  ['er.ent.three.test', 'TXT', missing, denied],
  ['www.stripped.test', 'TXT', missing, denied],
  ['nope', 'A', missing, denied],
  // delv tells of the alias alone.
  ['dangling.good.test', 'A', missing, validated],
  ['rounds.test', 'A', up, validated],
  // delv goes on up to 150 rounds.
  ['nope.rounds.test', 'A', ['down', /hashes its names in 120 rounds, more than 100$/, 'indeterminate'], denied],
  [
    'expired.test',
    'A',
    ['down', /^The signature of .* of expired\.test expired on .* \(9 days ago\)$/, 'bogus'],
    broken,
  ],
  ['future.test', 'A', ['down', /^The signature of .* is not valid yet: it begins in 3 days/, 'bogus'], broken],
  ['wrong.test', 'A', ['down', /^No key of the zone wrong\.test fits its DS records/, 'bogus'], broken],
  ['othertag.test', 'A', ['down', /^No key of the zone othertag\.test fits its DS records/, 'bogus'], broken],
  ['www.stripped.test', 'A', ['down', /^A of www\.stripped\.test has no signature/, 'bogus'], broken],
  ['www.tampered.test', 'A', ['down', /^The signature of A of www\.tampered\.test does not fit/, 'bogus'], broken],
  ['island.test', 'A', ['down', /^The zone island\.test is signed, but the zone test has no DS/, 'insecure'], unsigned],
  ['plain.test', 'A', notSigned, unsigned],
  ['www.plain.test', 'A', notSigned, unsigned],
  ['nope.plain.test', 'A', ['down', /NXDOMAIN\); The zone plain\.test is not signed/, 'insecure'], deniedUnsigned],
  ['leftout.other', 'A', ['down', /^The zone leftout\.other is not signed: .* \(opt-out\)$/, 'insecure'], unsigned],
  ['www.leftout.other', 'A', ['down', /^The zone leftout\.other is not signed/, 'insecure'], unsigned],
  // RFC 5155 9.2: the proof of such a name is no proof against an unsigned zone; delv shows it as one.
  ['nope.other', 'A', ['down', /NXDOMAIN\); nope\.other may lie in a zone/, 'insecure'], denied],
  // RFC 9905 2 ends SHA-1, which this delv still takes.
  [
    'sha1.test',
    'A',
    ['degraded', /signed with RSASHA1-NSEC3-SHA1, which is not supported$/, 'indeterminate'],
    validated,
  ],
]

describe('signed answers, beside delv', { skip: skipReason(['named', 'delv', 'dnssec-signzone']) }, async () => {
  const { server, anchors, alone, delv } = await startSignedTree(tree)
  const net = createNet({ allowPrivate: 'all', dnsServers: [server], rootAnchors: anchors })
  const check = (url: string, options: Record<string, unknown> = {}): Promise<Verdict> =>
    checkOnce(dns, { url, options: { dnssec: 'required', ...options }, timeoutMs: 5000 }, net)

  for (const [name, type, [status, error, security], said] of cases)
    it(`${type} of ${name} is ${status} and ${security}`, async () => {
      const verdict = await check(name, { record_type: type })
      assert.deepEqual([verdict.status, verdict.details['dnssec']], [status, security], verdict.error ?? '')
      if (error instanceof RegExp) assert.match(verdict.error ?? '', error)
      else assert.equal(verdict.error, error)
      const words = await delv(name, type)
      if (said instanceof RegExp) assert.match(words, said)
      else assert.equal(words, said)
    })

  it('a signature that ends soon makes a warning', async () => {
    const soon = await check('soon.test', { signature_warn_days: 3 })
    assert.equal(soon.status, 'degraded')
    assert.match(soon.error ?? '', /^The signature of .* of soon\.test expires in 2 days \(on /)
    assert.equal((await check('soon.test', { signature_warn_days: 2 })).status, 'up')
  })

  it('the name server of a zone alone is asked for its own, and those of the location for the rest', async () => {
    const own = await alone('good.test')
    const verdict = await check('www.good.test', { resolver: own })
    assert.deepEqual([verdict.status, verdict.error, verdict.details['dnssec']], up)
    const ownNet = createNet({ allowPrivate: 'all', dnsServers: [own], rootAnchors: anchors })
    const lonely = await checkOnce(dns, { url: 'good.test', options: { dnssec: 'required' }, timeoutMs: 5000 }, ownNet)
    assert.deepEqual(
      [lonely.status, lonely.error],
      ['down', 'Nothing proves that the zone above good.test has no DS record for it'],
    )
  })
})
