import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseDkim } from './dkim.ts'
import { parseDmarc } from './dmarc.ts'
import { parseTagList } from './tag-list.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'der' })
const key = rsa.toString('base64')
const ed25519 = Buffer.alloc(32, 7).toString('base64')

describe('a DKIM record', () => {
  const good: [string, string, number, boolean][] = [
    [`v=DKIM1; k=rsa; p=${key}`, 'rsa', 2048, false],
    [`p=${key}`, 'rsa', 2048, false],
    [`v=DKIM1;p=${key.slice(0, 60)} \t${key.slice(60)};`, 'rsa', 2048, false],
    [`v=DKIM1; h=sha1:sha256; s=email; t=s; n=note; p=${key}`, 'rsa', 2048, false],
    [`v=DKIM1; s=*; t=y:s; p=${key}`, 'rsa', 2048, true],
    [`v=DKIM1; k=ed25519; p=${ed25519}`, 'ed25519', 256, false],
  ]
  for (const [text, type, bits, isTesting] of good)
    it(`holds a key: ${text.slice(0, 50)}`, () =>
      assert.deepEqual(parseDkim(text), { ok: true, key: { type, bits }, isTesting }))

  const bad: [string, RegExp][] = [
    ['', /list of tags/],
    ['v=spf1 -all', /begin with v=DKIM1/],
    ['hello', /list of tags/],
    [`p=${key}; p=${key}`, /list of tags/],
    [`v=DKIM2; p=${key}`, /begin with v=DKIM1/],
    [`p=${key}; v=DKIM1`, /begin with v=DKIM1/],
    ['v=DKIM1; k=rsa', /no p tag/],
    ['v=DKIM1; p=', /revoked/],
    ['v=DKIM1; p= ;', /revoked/],
    ['v=DKIM1; p=not base64!', /not a public key/],
    [`v=DKIM1; p=${key.slice(0, 40)}`, /not a public key/],
    [`v=DKIM1; k=dsa; p=${key}`, /not a public key/],
    [`v=DKIM1; k=ed25519; p=${key}`, /not a public key/],
    [`v=DKIM1; k=rsa; p=${ed25519}`, /not a public key/],
    [`v=DKIM1; h=sha1; p=${key}`, /SHA-256/],
    [`v=DKIM1; s=tls; p=${key}`, /not for mail/],
  ]
  for (const [text, reason] of bad)
    it(`holds none: ${text.slice(0, 50)}`, () => {
      const read = parseDkim(text)
      assert.ok(!read.ok)
      assert.match(read.reason, reason)
    })
})

describe('a DMARC record', () => {
  const cases: [string, boolean, string | null, boolean][] = [
    ['v=DMARC1; p=none', true, 'none', false],
    ['v=DMARC1; p=Quarantine; sp=reject; pct=100', true, 'quarantine', false],
    ['v=DMARC1; p=quarantine; sp=reject', false, 'reject', false],
    ['v=DMARC1; p=quarantine', false, 'quarantine', false],
    ['v=DMARC1;p=reject;pct=99', true, 'reject', true],
    ['v=DMARC1; p=reject; pct=x', true, 'reject', false],
    ['v=DMARC1; p=reject; t=y', true, 'reject', true],
    ['v=DMARC1', true, null, false],
    ['v=DMARC1; p=block', true, null, false],
    ['v=DMARC1; p=block; rua=mailto:d@example.com', true, 'none', false],
    ['v=DMARC1; p=reject; sp=block; rua=mailto:d@example.com', false, 'none', false],
    ['v=DMARC1; p=reject; p=none', true, null, false],
  ]
  for (const [text, isOwn, policy, isPartial] of cases)
    it(`${text} ${isOwn ? '' : 'for a subdomain '}means ${policy ?? 'nothing'}`, () =>
      assert.deepEqual(parseDmarc(text, isOwn), { policy, isPartial }))
})

describe('a list of tags', () => {
  it('keeps their order and values', () => {
    assert.deepEqual(
      [...(parseTagList(' a = 1 ;b=x=y; c=;') ?? [])],
      [
        ['a', '1'],
        ['b', 'x=y'],
        ['c', ''],
      ],
    )
    for (const text of ['', ';', 'a', 'a=1;;b=2', '1=a', 'a b=1', 'a=1;a=2'])
      assert.equal(parseTagList(text), null, text)
  })

  it('may be any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `v=DKIM1; p=${text}`),
        ),
        (text) => {
          parseTagList(text)
          assert.equal(typeof parseDkim(text).ok, 'boolean')
          parseDmarc(text, true)
        },
      ),
    )
  })
})
