import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maxViewBytes, readView, type View, viewMembers, viewOf } from './view.ts'
import type { Evidence, SeenCertificate } from './evidence.ts'
import { testEvidence as seen } from '../../../test/support/evidence.ts'
import { testView } from '../../../test/support/views.ts'

const up = { status: 'up', latencyMs: 120 } as const
const answer = {
  url: 'https://shop.example/cart?session=42#top',
  status_line: 'HTTP/1.1 200 OK',
  headers: [{ name: 'server', value: 'nginx' }],
  body: null,
  body_note: null,
}
const certificate: SeenCertificate = {
  subject: 'shop.example',
  issuer: 'Some CA',
  names: ['shop.example'],
  not_before: '2026-01-01T00:00:00.000Z',
  not_after: '2027-01-01T00:00:00.000Z',
  serial: '1',
  fingerprint_sha256: 'AA:BB',
}
const long = 'ä"'.repeat(20_000)

type Case = { what: string; of: Partial<Evidence>; view: Partial<View> }

const cases: Case[] = [
  { what: 'nothing', of: {}, view: { error: 'It failed' } },
  {
    what: 'an answer, without its query',
    of: { error: null, answer, status_code: 200 },
    view: {
      status_code: 200,
      final_url: 'https://shop.example/cart',
      protocol: 'HTTP/1.1',
      server: 'nginx',
    },
  },
  {
    what: 'an answer of HTTP/2 by a server that does not name itself',
    of: { error: null, answer: { ...answer, url: 'https://shop.example/', status_line: 'HTTP/2 200', headers: [] } },
    view: { final_url: 'https://shop.example/', protocol: 'HTTP/2' },
  },
  {
    what: 'a status line that is none',
    of: { error: null, answer: { ...answer, url: 'x', status_line: 'ICY 200 OK', headers: [] } },
    view: { final_url: 'x' },
  },
  {
    what: 'the certificate of the server, and none of its issuers',
    of: {
      error: null,
      tls: { protocol: 'TLSv1.3', cipher: 'x', chain: [certificate, { ...certificate, subject: 'Some CA' }] },
    },
    view: {
      certificate: {
        subject: 'shop.example',
        issuer: 'Some CA',
        not_after: '2027-01-01T00:00:00.000Z',
        fingerprint_sha256: 'AA:BB',
      },
    },
  },
  {
    what: 'records, in the order of their text',
    of: { error: null, details: { record_type: 'A', answers: ['198.51.100.7', '192.0.2.1'] } },
    view: { answers: ['192.0.2.1', '198.51.100.7'] },
  },
  {
    what: 'records that nobody answered for',
    of: { error: null, details: { record_type: 'A' } },
    view: { failure: { phase: 'dns', code: 'no_answer' } },
  },
  {
    what: 'addresses: those of the name in the order of their text, the dialled ones in theirs',
    of: { error: null, addresses: { resolved: ['b', 'a'], dialled: ['b', 'a'] } },
    view: { addresses: { resolved: ['a', 'b'], dialled: ['b', 'a'] } },
  },
]

describe('what a location saw, in short', () => {
  for (const { what, of, view } of cases)
    it(`of ${what}`, () => assert.deepEqual(viewOf(up, seen(of)), testView({ latency_ms: 120, ...view })))

  const large: readonly [string, Partial<Evidence>][] = [
    ['an error', { error: long }],
    ['an expectation', { failed_assertion: long }],
    ['a URL', { answer: { ...answer, url: long } }],
    ['a header', { answer: { ...answer, headers: [{ name: 'server', value: long }] } }],
    ['records', { details: { answers: Array.from({ length: 50 }, () => long) } }],
    [
      'certificates',
      { tls: { protocol: long, cipher: long, chain: [{ ...certificate, subject: long, issuer: long }] } },
    ],
    [
      'what a certificate says of its end',
      { tls: { protocol: '', cipher: '', chain: [{ ...certificate, not_after: long }] } },
    ],
    ['addresses', { addresses: { resolved: Array.from({ length: 16 }, () => long), dialled: [] } }],
    [
      'all of them',
      {
        error: long,
        failed_assertion: long,
        answer: { ...answer, url: long, headers: [{ name: 'server', value: long }] },
        details: { answers: Array.from({ length: 50 }, () => long) },
        tls: { protocol: '', cipher: '', chain: [{ ...certificate, subject: long, issuer: long }] },
      },
    ],
  ]
  for (const [what, of] of large)
    it(`is within 2 KB where ${what} would make it larger, and is read`, () => {
      const view = viewOf(up, seen(of))
      assert.ok(Buffer.byteLength(JSON.stringify(view)) <= maxViewBytes)
      assert.deepEqual(readView(JSON.parse(JSON.stringify(view))), view)
    })

  it('is read with members of another release, and is none without its own, or where it is larger', () => {
    assert.deepEqual(readView({ ...testView(), later: 1 }), testView())
    for (const none of [null, 'text', {}, { ...testView(), addresses: null }, testView({ server: long })])
      assert.equal(readView(none), null)
  })

  it('has a name for all that may differ', () => {
    const members = Object.keys(testView())
    assert.deepEqual(
      viewMembers.filter((member) => !members.includes(member)),
      [],
    )
  })
})
