import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import type { DnsRecord, DnsRecordType, DnsValue } from '#net/dns/dns-record.ts'
import { hasAnswer, joinStrings, showRecord } from './dns-answer.ts'
import { findRecords, rcodeProblem } from './dns-records.ts'

describe('an expected answer', () => {
  const cases: [DnsRecordType, shown: string, expected: string, isSame: boolean][] = [
    ['A', '192.0.2.10', '192.0.2.10', true],
    ['A', '192.0.2.10', ' 192.0.2.10\n', true],
    ['A', '192.0.2.10', '192.0.2.1', false],
    ['A', 'lb.example.net', 'lb.example.net.', true],
    ['AAAA', '2001:db8::10', '2001:0DB8:0:0:0:0:0:10', true],
    ['AAAA', '::ffff:192.0.2.1', '::FFFF:c000:201', true],
    ['AAAA', '2001:db8::10', '2001:db8::1', false],
    ['AAAA', '2001:db8::10', ':not an address:', false],
    ['CNAME', 'Host.Example.com', 'host.example.COM.', true],
    ['CNAME', 'xn--bcher-kva.example', 'Bücher.example', true],
    ['NS', 'ns1.example.com', '"ns1.example.com."', true],
    ['NS', 'ns1.example.com', 'ns1.example', false],
    ['MX', '10 mail.example.com', '10  Mail.example.com.', true],
    ['MX', '10 mail.example.com', '20 mail.example.com.', false],
    ['MX', '10 mail.example.com', 'mail.example.com.', false],
    ['MX', '0 .', '0 .', true],
    ['SRV', '0 5 443 a.example', '0 5 443 a.example.', true],
    ['SRV', '0 5 443 a.example', '0 5 4430 a.example.', false],
    ['SOA', 'ns1.e host\\.master.e 7 1 2 3 4', 'ns1.e. host\\.master.e. 7 1 2 3 4', true],
    ['SOA', 'ns1.e h.e 7 1 2 3 4', 'ns1.e. h.e. 8 1 2 3 4', false],
    ['TXT', 'v=spf1 -all', '"v=spf1 -all"', true],
    ['TXT', 'v=spf1 -all', 'V=SPF1 -ALL', true],
    ['TXT', 'v=spf1 -all', 'v=spf1  -all', false],
    ['TXT', 'v=DKIM1; p=abcdef', '"v=DKIM1; p=abc" "def"', true],
    ['TXT', 'v=DKIM1; p=abcdef', '"v=DKIM1; p=abc""def"', true],
    ['TXT', 'say "hi"', '"say \\"hi\\""', true],
    ['TXT', 'a\\b', '"a\\\\b"', true],
    ['TXT', 'a\\b', 'a\\b', true],
    ['TXT', 'é', '"\\195\\169"', true],
    ['TXT', 'ends.', 'ends', false],
    ['TXT', 'v=spf1 -all', 'v=spf1', false],
  ]
  for (const [type, shown, expected, isSame] of cases)
    it(`${expected.trim()} ${isSame ? 'is' : 'is not'} the ${type} answer ${shown}`, () => {
      assert.equal(hasAnswer(type, ['other', shown], expected), isSame)
    })

  it('is the answer itself, whatever a TXT record holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
        const inQuotes = `"${text.replaceAll(/["\\]/g, '\\$&')}"`
        assert.equal(joinStrings(inQuotes), text.toWellFormed())
        assert.ok(hasAnswer('TXT', [text.toWellFormed()], inQuotes))
      }),
    )
  })

  it('may be any text', () => {
    const types = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SOA', 'SRV'] as const
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.string(), fc.string(), (type, shown, expected) => {
        assert.equal(typeof hasAnswer(type, [shown], expected), 'boolean')
      }),
    )
  })
})

function record(name: string, value: DnsValue): DnsRecord {
  return { name, ttlSeconds: 1, ...value }
}

function address(name: string, last: number): DnsRecord {
  return record(name, { type: 'A', address: `192.0.2.${last}` })
}

function alias(name: string, target: string): DnsRecord {
  return record(name, { type: 'CNAME', target })
}

describe('the records of a name', () => {
  const sections = { rcode: 'NOERROR', isAuthoritative: true, isTcp: false, authorities: [], additionals: [] }

  it('stand at the end of its aliases; strange records do not count', () => {
    const answers = [
      address('c.e', 1),
      alias('B.e', 'c.E'),
      address('evil.e', 9),
      alias('a.e', 'b.e'),
      address('c.e', 2),
    ]
    const found = findRecords({ ...sections, answers }, 'A.e', 'A')
    assert.deepEqual(found.records.map(showRecord), ['192.0.2.1', '192.0.2.2'])
    assert.deepEqual(found.aliases, ['b.e', 'c.E'])
    assert.deepEqual(findRecords({ ...sections, answers }, 'a.e', 'CNAME').records.map(showRecord), ['b.e'])
    assert.deepEqual(findRecords({ ...sections, answers }, 'x.e', 'A'), { records: [], aliases: [] })
  })

  it('are not looked for in circles', () => {
    const answers = [alias('a.e', 'b.e'), alias('b.e', 'a.e')]
    const found = findRecords({ ...sections, answers }, 'a.e', 'A')
    assert.deepEqual([found.records, found.aliases.length], [[], 17])
  })

  it('are missing for a reason', () => {
    assert.equal(rcodeProblem({ rcode: 'NOERROR' }, 'a.e'), null)
    assert.equal(rcodeProblem({ rcode: 'NOTIMP' }, 'a.e'), 'The name server did not answer for a.e (NOTIMP)')
  })
})
