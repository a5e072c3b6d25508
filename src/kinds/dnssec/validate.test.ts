import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer } from 'dns-packet'
import type { Verdict } from '#core/results/result.ts'
import { dns } from '#kinds/dns/dns.ts'
import { createNet } from '#net/create-net.ts'
import { checkOnce } from '../../../test/support/check.ts'
import { type DnsReply, dnsServer } from '../../../test/support/dns-server.ts'
import { signedZone } from '../../../test/support/signed-zone.ts'
import { parseDigest } from './validate.ts'

const daySeconds = 86_400
const root = signedZone('.')
const top = signedZone('test')
const good = signedZone('good.test')
const other = signedZone('good.test')

function a(name: string, data = '192.0.2.1'): Answer {
  return { type: 'A', name, ttl: 300, data }
}

function next(name: string, nextDomain: string, rrtypes: string[]): Answer {
  return { type: 'NSEC', name, ttl: 300, data: { nextDomain, rrtypes } }
}

function named(records: Answer[], name: string): Answer[] {
  return records.map((record) => Object.assign({}, record, { name }))
}

type Replies = Record<string, DnsReply>

const chain: Replies = {
  'DNSKEY .': { records: root.signed([root.key]) },
  'DS test': { records: root.signed([top.digest]) },
  'DNSKEY test': { records: top.signed([top.key]) },
  'DS good.test': { records: top.signed([good.digest]) },
  'DNSKEY good.test': { records: good.signed([good.key]) },
  'A good.test': { records: good.signed([a('good.test')]) },
}

async function serve(changes: Replies): Promise<{ address: string; questions: string[] }> {
  const replies: Replies = { ...chain, ...changes }
  return dnsServer((name, type) => replies[`${type} ${name === '' ? '.' : name}`] ?? 'refused')
}

async function check(
  changes: Replies,
  { url = 'good.test', ...options }: Record<string, unknown> & { url?: string } = {},
): Promise<Verdict> {
  const { address } = await serve(changes)
  const net = createNet({ allowPrivate: 'none', dnsServers: [address], rootAnchors: [root.anchor] })
  return checkOnce(dns, { url, options: { dnssec: 'required', ...options }, timeoutMs: 3000 }, net)
}

function outcomeOf({ status, error, details }: Verdict): unknown[] {
  return [status, error, details['dnssec']]
}

const signedAgain = (zone: typeof good, records: Answer[], wishes: Parameters<typeof good.signed>[1]): DnsReply => ({
  records: zone.signed(records, wishes),
})

describe('a chain of signatures', () => {
  it('is followed from the answer to the root, and tells of what it was made', async () => {
    const verdict = await check({ 'DS good.test': signedAgain(top, [good.digest], { toSeconds: 5 * daySeconds + 60 }) })
    assert.deepEqual(outcomeOf(verdict), ['up', null, 'secure'])
    assert.deepEqual(verdict.details['algorithms'], ['ECDSAP256SHA256'])
    const daysLeft = (Date.parse(String(verdict.details['signatures_end'])) - Date.now()) / 1000 / daySeconds
    assert.ok(daysLeft > 4.9 && daysLeft <= 5.01, String(daysLeft))
  })

  it('is nothing where it is not asked for', async () => {
    const { address, questions } = await serve({})
    const net = createNet({ allowPrivate: 'none', dnsServers: [address] })
    const verdict = await checkOnce(dns, { url: 'good.test' }, net)
    assert.deepEqual(verdict.details, { record_type: 'A', answers: ['192.0.2.1'] })
    assert.deepEqual(questions, ['A good.test'])
  })

  it('that ends within the days of a warning makes the check degraded', async () => {
    const changes = { 'DS good.test': signedAgain(top, [good.digest], { toSeconds: 5 * daySeconds + 60 }) }
    const warned = await check(changes, { signature_warn_days: 6 })
    assert.equal(warned.status, 'degraded')
    assert.match(warned.error ?? '', /^The signature of DS of good\.test expires in 5 days \(on \d{4}-/)
    assert.equal((await check(changes, { signature_warn_days: 5 })).status, 'up')
    assert.equal((await check(changes, { signature_warn_days: 6, expected_answer: '192.0.2.9' })).status, 'down')
  })

  const two = [a('good.test'), a('good.test', '192.0.2.2')]
  const broken: [what: string, changes: Replies, error: RegExp][] = [
    [
      'a signature that has ended',
      { 'A good.test': signedAgain(good, two, { fromSeconds: -9 * daySeconds, toSeconds: -2 * daySeconds - 60 }) },
      /^The signature of A of good\.test expired on .* \(2 days ago\)$/,
    ],
    [
      'a signature that has not begun',
      { 'A good.test': signedAgain(good, two, { fromSeconds: 2 * daySeconds + 60 }) },
      /^The signature of A of good\.test is not valid yet: it begins in 2 days/,
    ],
    [
      'a signature of a key that is not there',
      { 'A good.test': signedAgain(good, two, { keyTag: 7 }) },
      /is made with key 7, which the zone good\.test does not have$/,
    ],
    [
      'a spoilt signature',
      { 'A good.test': signedAgain(good, two, { isSpoilt: true }) },
      /^The signature of A .* does not fit/,
    ],
    [
      'a record that was put in',
      { 'A good.test': { records: [...good.signed(two), a('good.test', '192.0.2.3')] } },
      /^The signature of A of good\.test does not fit/,
    ],
    [
      'a signature for a longer name',
      { 'A good.test': signedAgain(good, two, { labels: 3 }) },
      /is for a longer name$/,
    ],
    [
      'a signature with an old algorithm',
      { 'A good.test': signedAgain(good, two, { algorithm: 5 }) },
      /is made with RSASHA1, which proves nothing$/,
    ],
    [
      'keys of somebody else',
      { 'DNSKEY good.test': { records: other.signed([other.key]) } },
      /^No key of the zone good\.test fits/,
    ],
    [
      'keys that somebody else signed',
      { 'DNSKEY good.test': { records: other.signed([good.key, other.key]) } },
      /^The signature of DNSKEY of good\.test is made with key/,
    ],
    ['no keys', { 'DNSKEY good.test': { records: [] } }, /^The zone good\.test has no keys/],
    [
      'keys that are refused',
      { 'DNSKEY good.test': 'refused' },
      /^The keys of the zone good\.test cannot be read: the name server answers REFUSED$/,
    ],
    [
      'DS that are not signed',
      { 'DS good.test': { records: [good.digest] } },
      /^DS of good\.test has no signature by the zone above$/,
    ],
    [
      'DS that the zone signs for itself',
      { 'DS good.test': { records: good.signed([good.digest]) } },
      /^DS of good\.test has no signature by the zone above$/,
    ],
    [
      'no word of the zone above',
      { 'DS good.test': { records: [] } },
      /^Nothing proves that the zone above good\.test has no DS record/,
    ],
    [
      'an alias at the zone, which it signs for itself',
      { 'DS good.test': { records: good.signed([{ type: 'CNAME', name: 'good.test', ttl: 1, data: 'x.test' }]) } },
      /^CNAME of good\.test has no signature by the zone above$/,
    ],
    [
      'no signature',
      { 'A good.test': { records: two } },
      /^A of good\.test has no signature, though its zone is signed$/,
    ],
    [
      'another root',
      { 'DNSKEY .': { records: named(other.signed([other.key]), '.') } },
      /^No key of the root is one that is trusted \(key tag \d+\)$/,
    ],
  ]
  for (const [what, changes, error] of broken)
    it(`is broken by ${what}`, async () => {
      const verdict = await check(changes)
      assert.equal(verdict.status, 'down')
      assert.match(verdict.error ?? '', error)
    })

  it('stops at a zone that is not signed', async () => {
    const denial = top.signed([next('good.test', 'test', ['NS', 'RRSIG', 'NSEC'])])
    const above: Replies = { 'DS good.test': { records: [], authorities: denial } }
    const unsigned = 'The zone good.test is not signed: the zone test has no DS record for it'
    assert.deepEqual(outcomeOf(await check({ ...above, 'A good.test': { records: two } })), [
      'down',
      unsigned,
      'insecure',
    ])
    const island = 'The zone good.test is signed, but the zone test has no DS record for it'
    assert.deepEqual(outcomeOf(await check(above)), ['down', island, 'insecure'])
  })

  it('is not broken by a denial of the zone itself, or by one that says the contrary', async () => {
    for (const rrtypes of [
      ['NS', 'SOA', 'NSEC'],
      ['NS', 'DS', 'NSEC'],
    ]) {
      const denial = top.signed([next('good.test', 'test', rrtypes)])
      const verdict = await check({ 'DS good.test': { records: [], authorities: denial } })
      assert.match(verdict.error ?? '', /^Nothing proves that the zone above/)
    }
  })

  const stripped = 'DNSSEC cannot be judged: the name server gives no signatures, not even those of the root'
  it('cannot be judged where the name server takes signatures away, or knows no EDNS', async () => {
    const bare: Replies = {
      'DNSKEY .': { records: [root.key] },
      'DS test': { records: [top.digest] },
      'A good.test': { records: two, hasEdns: false },
    }
    assert.deepEqual(outcomeOf(await check(bare)), ['degraded', stripped, 'indeterminate'])
    assert.deepEqual(outcomeOf(await check({ ...bare, 'DNSKEY .': { records: [] } })), [
      'degraded',
      stripped,
      'indeterminate',
    ])
    assert.equal((await check(bare, { expected_answer: '192.0.2.9' })).status, 'down')
  })

  it('cannot be judged where all digests are of algorithms that are not supported', async () => {
    const old: Answer = {
      ...good.digest,
      type: 'DS',
      data: { keyTag: 1, algorithm: 7, digestType: 2, digest: Buffer.alloc(32) },
    }
    const verdict = await check({ 'DS good.test': { records: top.signed([old]) } })
    const error =
      'DNSSEC cannot be judged: the zone good.test is signed with RSASHA1-NSEC3-SHA1, which is not supported'
    assert.deepEqual(outcomeOf(verdict), ['degraded', error, 'indeterminate'])
  })
})

function denied(...records: Answer[]): Replies {
  return { 'A nope.good.test': { records: [], rcode: 'nxdomain', authorities: records } }
}

describe('names that are not there', () => {
  const apex = next('good.test', 'host.good.test', ['A', 'NS', 'SOA'])
  const host = next('host.good.test', 'zz.good.test', ['A'])
  const missing = 'The name nope.good.test does not exist (NXDOMAIN)'

  it('are proved by their neighbours', async () => {
    const verdict = await check(denied(...good.signed([apex]), ...good.signed([host])), { url: 'nope.good.test' })
    assert.deepEqual(outcomeOf(verdict), ['down', missing, 'secure'])
  })

  it('are not proved without the wildcard, or by neighbours of others', async () => {
    for (const records of [good.signed([host]), good.signed([apex])]) {
      const verdict = await check(denied(...records), { url: 'nope.good.test' })
      const error = `${missing}; Nothing proves that nope.good.test does not exist`
      assert.deepEqual(outcomeOf(verdict), ['down', error, 'bogus'])
    }
  })

  it('may have a wildcard that stands for them, if it is proved that they are not there', async () => {
    const url = 'nope.good.test'
    const records = named(good.signed([a('*.good.test')]), url)
    const proved = { [`A ${url}`]: { records, authorities: good.signed([host]) } }
    assert.deepEqual(outcomeOf(await check(proved, { url })), ['up', null, 'secure'])
    const bare = await check({ [`A ${url}`]: { records } }, { url })
    assert.match(bare.error ?? '', /^A of nope\.good\.test is of a wildcard, and nothing proves that nope\.good\.test/)
    const wrong = await check({ [`A ${url}`]: { records, authorities: good.signed([apex]) } }, { url })
    assert.equal(wrong.status, 'down')
  })
})

describe('what only keeps busy', () => {
  it('is looked at a few times, and then no more', async () => {
    const spoilt = Array.from({ length: 120 }, (_, index) =>
      good.signed([a('good.test')], { isSpoilt: true, toSeconds: 864_000 + index }).slice(1),
    )
    const verdict = await check({ 'A good.test': { records: [a('good.test'), ...spoilt.flat()], isLong: true } })
    assert.match(verdict.error ?? '', /does not fit/)
  })

  it('ends with the questions that a check may ask', async () => {
    const url = `${Array.from({ length: 40 }, () => 'a').join('.')}.good.test`
    const replies: Replies = { [`A ${url}`]: { records: [a(url)] } }
    for (let labels = 1; labels <= 40; labels++) {
      const name = `${Array.from({ length: labels }, () => 'a').join('.')}.good.test`
      replies[`DS ${name}`] = { records: [], authorities: good.signed([next(name, 'zz.good.test', ['A'])]) }
    }
    const verdict = await check(replies, { url })
    assert.deepEqual(outcomeOf(verdict), [
      'degraded',
      'DNSSEC cannot be judged: it would take more than 30 questions',
      'indeterminate',
    ])
  })
})

describe('the digest of a key', () => {
  it('is read as a DS record is written', () => {
    const digest = parseDigest('20326 8 2 E06D 44B8')
    assert.deepEqual(
      { ...digest, digest: digest.digest.toString('hex') },
      {
        is: 'digest',
        keyTag: 20_326,
        algorithm: 8,
        digestType: 2,
        digest: 'e06d44b8',
      },
    )
    for (const text of ['', 'x', '1 2', '1 2 3', 'a 8 2 00', '1 8 2 zz'])
      assert.throws(() => parseDigest(text), RangeError, text)
  })
})
