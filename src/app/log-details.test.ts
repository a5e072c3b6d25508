import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fullWebAddress } from '../../test/support/web-addresses.ts'
import { shownDetails, shownText } from './log-details.ts'

const secret = 'hunter2hunter2hunter2'

describe('a text in the log', () => {
  const shown: [text: string, shown: string][] = [
    [`postgres://perigee:${secret}@db.example:5432/perigee`, 'postgres://db.example:5432/***'],
    [`nats://${secret}@127.0.0.1:4222`, 'nats://127.0.0.1:4222'],
    [`https://hooks.slack.com/services/T0/B0/${secret}: refused`, 'https://hooks.slack.com/*** refused'],
    [`GET https://api.example/v1?api_key=${secret} failed`, 'GET https://api.example/*** failed'],
    [`at "https://a.example#${secret}"`, 'at "https://a.example/***"'],
    ['at https://a.example', 'at https://a.example'],
    [`http://a.example/'${secret} failed`, 'http://a.example/*** failed'],
    [`http://o'hara:${secret}@a.example`, 'http://a.example'],
    [`Authorization: Bearer ${secret}`, 'Authorization: Bearer ***'],
    [`authorization: basic ${secret}==`, 'authorization: basic ***'],
    [`The token pgk_${secret} is revoked.`, 'The token *** is revoked.'],
    [`sk_live_${secret} and whsec_${secret}+/=`, '*** and ***'],
    ['at run (file:///opt/perigee/src/app/log.ts:3:7)', 'at run (file:///opt/perigee/src/app/log.ts:3:7)'],
    ['A basic rule, and the bearer of news.', 'A basic rule, and the bearer of news.'],
  ]
  for (const [text, expected] of shown)
    it(`has no secret of "${text.replace(secret, '…')}"`, () => assert.equal(shownText(text), expected))

  it('has an end', () => assert.equal(shownText('x'.repeat(9_000)).length, 2_000))

  it('has no user, path or query of any address', () => {
    fc.assert(
      fc.property(fullWebAddress, (address) => {
        const { protocol, host, pathname, search, hash } = new URL(address)
        const rest = `${pathname}${search}${hash}`
        assert.ok(shownText(`It broke at ${address} today`).startsWith(`It broke at ${protocol}//`))
        if (rest.length > 3 && !host.includes(rest)) assert.ok(!shownText(address).includes(rest))
      }),
    )
  })

  it('is read in a time that grows with its length alone', () => {
    const startedAt = performance.now()
    for (const piece of ['a', '://', 'a://', 'a://a@', 'bearer ', 'http://a?', '-.+'])
      shownText(`${piece.repeat(2_000)}://`)
    assert.ok(performance.now() - startedAt < 5_000)
  })
})

describe('the details of a line', () => {
  it('have of an error its type, message, stack, code and causes, and nothing that a client hung on it', () => {
    const inner = Object.assign(new TypeError(`refused by https://a.example/${secret}`), { code: 'ECONNREFUSED' })
    const error = Object.assign(new Error('failed', { cause: inner }), {
      detail: `Failing row contains (${secret})`,
      config: { headers: { authorization: secret } },
    })
    const shown = shownDetails({
      error,
      count: 3,
      nested: { url: `https://b.example/${secret}` },
      list: [`pgk_${secret}`],
    })
    assert.ok(!JSON.stringify(shown).includes(secret), JSON.stringify(shown))
    const { stack: _, cause, ...own } = Object.fromEntries(Object.entries(shown['error'] ?? {}))
    assert.deepEqual(own, { type: 'Error', message: 'failed' })
    assert.equal(Object(cause).message, 'refused by https://a.example/***')
    assert.equal(Object(cause).code, 'ECONNREFUSED')
    assert.deepEqual([shown['count'], shown['list']], [3, ['***']])
  })

  it('end where causes go round', () => {
    const error = new Error('round')
    error.cause = error
    assert.ok(JSON.stringify(shownDetails({ error })).length > 0)
  })
})
