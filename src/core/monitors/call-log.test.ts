import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { mask } from '#core/language/mask.ts'
import { joinLogs, logExcerpt, maxLogBytes } from './call-log.ts'

describe('the log of a failed job', () => {
  for (const [what, log, shown] of [
    ['is kept as it is', 'pg_dump: error: disk full\n  at line 3', 'pg_dump: error: disk full\n  at line 3'],
    ['that is empty is none', ' \n\t\n', null],
    ['loses what steers a terminal', '\u001b[31mred\u001b[0m\u0007\u202e\r\nnext', 'red\nnext'],
    [
      'loses the secrets of the monitor',
      'POST https://p.example/ping/abcdefghijkl/fail',
      `POST https://p.example/ping/${mask}/fail`,
    ],
    ['loses a password in a URL', 'psql postgres://app:hunter2@db/shop', `psql postgres://app:${mask}@db/shop`],
    ['keeps a URL without one', 'GET https://shop.example:8080/a@b', 'GET https://shop.example:8080/a@b'],
    ['loses variables', 'DB_PASSWORD=hunter2 PGHOST=db', `DB_PASSWORD=${mask} PGHOST=db`],
    ['loses members of JSON', '{"api_key": "abc def", "user": "me"}', `{"api_key": ${mask}, "user": "me"}`],
    ['loses arguments', "mysqldump --password 'hunter 2' shop", `mysqldump --password ${mask} shop`],
    ['loses what curl signs in with', "curl -fsS -u 'me:hunter 2' x", `curl -fsS -u ${mask} x`],
    ['loses what curl signs in with, without quotes', 'curl --user=me:hunter2 x', `curl --user=${mask} x`],
    ['loses headers', 'Authorization: Basic dXNlcjpwYXNz\nAccept: */*', `Authorization: ${mask}\nAccept: */*`],
    ['loses bearer tokens', 'sent bearer abcdefgh.1234', `sent bearer ${mask}`],
    ['loses a JWT', 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln here', `got ${mask} here`],
    ['loses a token of GitHub', `push ghp_${'a1'.repeat(18)}`, `push ${mask}`],
    ['loses a token of ours', `X-API-Key: pgk_${'a1'.repeat(16)}`, `X-API-Key: ${mask}`],
    ['loses a key of AWS', 'AKIAIOSFODNN7EXAMPLE denied', `${mask} denied`],
    [
      'loses a private key',
      'a\n-----BEGIN RSA PRIVATE KEY-----\nMIIB\nAAAA\n-----END RSA PRIVATE KEY-----\nb',
      `a\n${mask}\nb`,
    ],
    ['loses the end of a private key', 'MIIB\n-----END PRIVATE KEY-----\nb', `${mask}\nb`],
    ['loses the beginning of a private key', 'a\n-----BEGIN PRIVATE KEY-----\nMIIB\nAAAA', `a\n${mask}`],
    ['keeps words that only look like it', 'token refreshed, password is wrong', 'token refreshed, password is wrong'],
  ] as const)
    it(what, () => assert.equal(logExcerpt(log, ['abcdefghijkl']), shown))

  it('follows on what came before, and keeps the end of both', () => {
    assert.equal(joinLogs(null, 'one'), 'one')
    assert.equal(joinLogs('one', 'two'), 'one\ntwo')
    const long = joinLogs(`first\n${'x'.repeat(maxLogBytes)}`, 'last line')
    assert.equal(long, 'last line')
    assert.equal(joinLogs(`${'a'.repeat(50)}\n`.repeat(300).trim(), 'last').length, 200 * 51 + 4)
  })

  it('is its end, from the beginning of a line on', () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} ä`).join('\n')
    const excerpt = logExcerpt(lines, []) ?? ''
    assert.ok(Buffer.byteLength(excerpt) > maxLogBytes - 20 && Buffer.byteLength(excerpt) <= maxLogBytes)
    assert.match(excerpt, /^line \d+ ä\n/)
    assert.match(excerpt, /line 4999 ä$/)
  })

  it('says nothing of a line that is longer than what is kept, for nobody can tell what it began with', () => {
    assert.equal(logExcerpt(`TOKEN=${'a'.repeat(50_000)}`, []), null)
  })

  it('is short, well-formed and without secrets, whatever comes', () => {
    const secret = 'S3cretValue'
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(`password=${secret}`, '\n', '-----BEGIN PRIVATE KEY-----'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const excerpt = logExcerpt(pieces.join(' '), []) ?? ''
        assert.ok(excerpt.isWellFormed() && Buffer.byteLength(excerpt) <= maxLogBytes)
        assert.ok(!excerpt.includes(secret))
      }),
    )
  })

  for (const unit of [
    '-',
    'a',
    'password',
    'a:',
    '://a:',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    'eyJ',
    ' =',
    '"',
  ])
    it(`is read at once, also where it is ${JSON.stringify(unit)} without end`, () => {
      const log = unit.repeat(1_000_000 / unit.length)
      logExcerpt(log, [])
      const before = performance.now()
      logExcerpt(log, [])
      const tookMs = performance.now() - before
      assert.ok(tookMs < 100, `It took ${tookMs} ms.`)
    })
})
