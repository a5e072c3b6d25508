import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { causeSentence, type Neighbours } from './cause-sentence.ts'
import type { Evidence, SeenCertificate } from './evidence.ts'
import { testEvidence as seen } from '../../../test/support/evidence.ts'

const at = new Date('2026-05-04T12:00:00Z')
const timedOut = (phase: string): Partial<Evidence> => ({
  failure: { phase, code: 'timed_out' },
  phases: { ...seen().phases, connect_ms: 12 },
})
const failed = (phase: string, code: string): Partial<Evidence> => ({ failure: { phase, code } })
const status = (code: number): Partial<Evidence> => ({ failed_assertion: 'status', status_code: code })
const resolved = (...addresses: string[]): Partial<Evidence> => ({ addresses: { resolved: addresses, dialled: [] } })
const chain = (...ends: [begin: string, end: string][]): Partial<Evidence> => ({
  failure: { phase: 'tls', code: 'certificate_expired' },
  tls: { protocol: 'TLSv1.3', cipher: '', chain: ends.map(certificate) },
})

function certificate([begin, end]: [string, string], index: number): SeenCertificate {
  const subject = index === 0 ? 'shop.example' : 'Some CA'
  return {
    subject,
    issuer: 'Some CA',
    names: [],
    not_before: begin,
    not_after: end,
    serial: '1',
    fingerprint_sha256: 'AA',
  }
}

const long = '2027-01-01T00:00:00.000Z'
const before = '2026-01-01T00:00:00.000Z'

type Case = {
  what: string
  sentence: string | null
  seen: Partial<Evidence>[]
  neighbours?: Neighbours
}

const cases: Case[] = [
  { what: 'nothing', seen: [], sentence: null },
  { what: 'nothing that a rule knows', seen: [{}], sentence: null },
  {
    what: 'an expired certificate',
    seen: [chain([before, '2026-05-04T10:00:00.000Z'])],
    sentence: 'The certificate expired 2 hours ago.',
  },
  {
    what: 'one that expired a moment ago',
    seen: [chain([before, '2026-05-04T11:59:59.900Z'])],
    sentence: 'The certificate expired 1 second ago.',
  },
  {
    what: 'one that expires at this moment',
    seen: [chain([before, '2026-05-04T12:00:00.000Z'])],
    sentence: null,
  },
  {
    what: 'one that expired a day ago, to the millisecond',
    seen: [chain([before, '2026-05-03T12:00:00.000Z'])],
    sentence: 'The certificate expired 1 day ago.',
  },
  {
    what: 'one that begins at this moment',
    seen: [chain(['2026-05-04T12:00:00.000Z', long])],
    sentence: null,
  },
  {
    what: 'an expired issuer',
    seen: [chain([before, long], [before, '2026-05-01T11:00:00.000Z'])],
    sentence: 'The issuing certificate "Some CA" expired 3 days ago.',
  },
  {
    what: 'a certificate of the future',
    seen: [chain(['2026-05-04T12:30:00.000Z', long])],
    sentence: 'The certificate is not valid before another 30 minutes.',
  },
  {
    what: 'an expired certificate that nobody minded',
    seen: [{ ...chain([before, before]), failure: null, ...status(500) }],
    sentence: 'The server answers with an error of its own (500).',
  },
  {
    what: 'different records',
    seen: [{ details: { answers: ['192.0.2.1'] } }, { details: { answers: ['192.0.2.2'] } }],
    sentence: 'DNS answers differ between Ohio and Frankfurt.',
  },
  {
    what: 'records that only one place has',
    seen: [{ details: { answers: ['192.0.2.1'] } }, {}],
    sentence: null,
  },
  {
    what: 'records that differ from those of two others',
    seen: [
      { details: { answers: ['192.0.2.1'] } },
      { details: { answers: ['192.0.2.2'] } },
      { details: { answers: ['192.0.2.3'] } },
    ],
    sentence: 'DNS answers differ between Ohio and Frankfurt.',
  },
  {
    what: 'addresses that only one place knows, and other failures',
    seen: [
      { ...resolved('192.0.2.1'), ...failed('connect', 'connection_refused') },
      { ...resolved(), ...status(404) },
    ],
    sentence: null,
  },
  {
    what: 'an address that both know, and other failures',
    seen: [
      { ...resolved('192.0.2.1', '192.0.2.2'), ...failed('connect', 'connection_refused') },
      { ...resolved('192.0.2.2'), ...status(404) },
    ],
    sentence: null,
  },
  {
    what: 'other addresses and other statuses',
    seen: [
      { ...resolved('192.0.2.1'), ...status(500) },
      { ...resolved('192.0.2.2'), ...status(404) },
    ],
    sentence: 'DNS answers differ between Ohio and Frankfurt.',
  },
  {
    what: 'the same records in another order',
    seen: [{ details: { answers: ['a', 'b'] } }, { details: { answers: ['b', 'a'] } }],
    sentence: null,
  },
  {
    what: 'other addresses and other failures',
    seen: [
      { ...resolved('192.0.2.1'), ...failed('connect', 'connection_refused') },
      { ...resolved('192.0.2.2'), ...status(404) },
    ],
    sentence: 'DNS answers differ between Ohio and Frankfurt.',
  },
  {
    what: 'other addresses and the same failure, as of a site with several',
    seen: [
      { ...resolved('192.0.2.1'), ...failed('connect', 'connection_refused') },
      { ...resolved('192.0.2.2'), ...failed('connect', 'connection_refused') },
    ],
    sentence: 'The server refuses connections: nothing listens there.',
  },
  {
    what: 'silence',
    seen: [timedOut('request'), timedOut('request')],
    sentence: 'The server accepts connections but never answers.',
  },
  {
    what: 'silence in the handshake',
    seen: [timedOut('tls')],
    sentence: 'The server accepts connections but does not answer the TLS handshake.',
  },
  { what: 'silence before there was a connection', seen: [failed('request', 'timed_out')], sentence: null },
  {
    what: 'a connection that another time-out ended',
    seen: [{ ...timedOut('connect'), ...failed('connect', 'connection_timed_out') }],
    sentence: 'The server cannot be reached.',
  },
  {
    what: 'a connection that no time-out ended',
    seen: [{ ...timedOut('request'), ...failed('request', 'cut') }],
    sentence: null,
  },
  { what: 'silence in one place only', seen: [timedOut('request'), status(500)], sentence: null },
  { what: 'no way', seen: [timedOut('connect')], sentence: 'The server cannot be reached.' },
  {
    what: 'resets',
    seen: [failed('request', 'connection_reset')],
    sentence: 'The server accepts connections and resets them.',
  },
  { what: 'a refusal', seen: [status(403)], sentence: 'The server answers, but refuses access (403).' },
  { what: 'a refusal without a name', seen: [status(401)], sentence: 'The server answers, but refuses access (401).' },
  { what: 'another status', seen: [status(404)], sentence: null },
  { what: 'the next status', seen: [status(402)], sentence: null },
  { what: 'different statuses', seen: [status(500), status(502)], sentence: null },
  {
    what: 'neighbours',
    seen: [timedOut('request')],
    neighbours: { address: '203.0.113.7', monitors: 3 },
    sentence: 'Four monitors on 203.0.113.7 failed at the same time.',
  },
  { what: 'no neighbours', seen: [{}], neighbours: { address: '203.0.113.7', monitors: 0 }, sentence: null },
  {
    what: 'a neighbour',
    seen: [{}],
    neighbours: { address: '203.0.113.7', monitors: 1 },
    sentence: 'Two monitors on 203.0.113.7 failed at the same time.',
  },
  {
    what: 'many neighbours',
    seen: [{}],
    neighbours: { address: '203.0.113.7', monitors: 40 },
    sentence: '41 monitors on 203.0.113.7 failed at the same time.',
  },
]

describe('the cause in a sentence', () => {
  for (const { what, seen: parts, neighbours = null, sentence } of cases)
    it(`of ${what} is ${sentence ?? 'none'}`, () => {
      const sightings = parts.map((part, index) => ({
        location: ['Ohio', 'Frankfurt'][index] ?? 'Tokyo',
        evidence: seen(part),
      }))
      assert.equal(causeSentence({ at, sightings, neighbours }), sentence)
    })
})
