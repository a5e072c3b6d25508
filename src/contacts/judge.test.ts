import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { judgeHttp, judgeMail, judgeStrict, readRetryAfter } from './judge.ts'
import type { HttpAnswer, MailAnswer } from './message.ts'

describe('judgeHttp', () => {
  const at = new Date('2026-11-21T10:00:00Z')
  const answer = (status: number, headers: HttpAnswer['headers'] = {}): HttpAnswer => ({
    status,
    headers,
    body: '',
    at,
  })
  const cases = [
    [answer(200), { outcome: 'delivered' }],
    [answer(299), { outcome: 'delivered' }],
    [answer(199), { outcome: 'try_again', error: 'The contact answered 199.', afterSeconds: null }],
    [
      answer(300),
      { outcome: 'try_again', error: 'The contact answered 300; redirects are not followed.', afterSeconds: null },
    ],
    [
      answer(399),
      { outcome: 'try_again', error: 'The contact answered 399; redirects are not followed.', afterSeconds: null },
    ],
    [answer(400), { outcome: 'try_again', error: 'The contact answered 400.', afterSeconds: null }],
    [answer(410), { outcome: 'failed', error: 'The contact answered 410.', isGone: true }],
    [
      answer(429, { 'retry-after': 'Sat, 21 Nov 2026 10:01:00 GMT' }),
      { outcome: 'try_again', error: 'The contact answered 429.', afterSeconds: 60 },
    ],
  ] as const
  it('repeats what the contact says of it', () =>
    assert.deepEqual(judgeHttp({ ...answer(404), body: 'no_team' }), {
      outcome: 'try_again',
      error: 'The contact answered 404: no_team',
      afterSeconds: null,
    }))

  for (const [header, asked, seconds] of [
    [undefined, 30, 30],
    ['60', 30, 60],
    ['soon', 30, 30],
    [undefined, null, null],
  ] as const)
    it(`waits ${seconds} s for a header of ${header} and a body that asks for ${asked}`, () =>
      assert.partialDeepStrictEqual(
        judgeHttp(answer(429, header === undefined ? {} : { 'retry-after': header }), asked),
        {
          outcome: 'try_again',
          afterSeconds: seconds,
        },
      ))

  for (const status of [400, 413])
    it(`gives up after ${status} where the provider means it`, () =>
      assert.deepEqual(judgeStrict(answer(status)), {
        outcome: 'failed',
        error: `The contact answered ${status}.`,
        isGone: false,
      }))

  for (const status of [200, 401, 410, 414, 500])
    it(`takes ${status} for the same there`, () =>
      assert.deepEqual(judgeStrict(answer(status)), judgeHttp(answer(status))))

  for (const [given, judgement] of cases)
    it(`makes of ${given.status} ${judgement.outcome}`, () => assert.deepEqual(judgeHttp(given), judgement))
})

describe('judgeMail', () => {
  const refusal = { isAccepted: false, code: 550, refused: 'address', isPermanent: true, text: '550 No' } as const
  const cases: readonly [string, MailAnswer, ReturnType<typeof judgeMail>][] = [
    ['is done with what the server took', { isAccepted: true, code: 250 }, { outcome: 'delivered' }],
    ['is done with what lies in the outbox', { isAccepted: true, code: null }, { outcome: 'delivered' }],
    [
      'gives up an address that is refused for good',
      refusal,
      { outcome: 'failed', error: 'The mail server refused the address: 550 No', isGone: false },
    ],
    [
      'gives up a message that is refused for good',
      { ...refusal, refused: 'message' },
      { outcome: 'failed', error: 'The mail server refused the message: 550 No', isGone: false },
    ],
    [
      'tries again what is refused for now',
      { ...refusal, code: 450, isPermanent: false },
      { outcome: 'try_again', error: 'The mail server refused the address: 550 No', afterSeconds: null },
    ],
    [
      'tries again where the log-in or the sender is refused',
      { ...refusal, refused: 'session' },
      { outcome: 'try_again', error: 'The mail server refused the message: 550 No', afterSeconds: null },
    ],
  ]
  for (const [name, answer, judgement] of cases) it(name, () => assert.deepEqual(judgeMail(answer), judgement))
})

describe('readRetryAfter', () => {
  const now = new Date('2026-11-21T10:00:00Z')
  const cases = [
    [undefined, null],
    ['', null],
    ['0', 0],
    [' 120 ', 120],
    ['-1', null],
    ['1.5', null],
    ['99999999999', null],
    ['Sat, 21 Nov 2026 10:01:00 GMT', 60],
    ['Saturday, 21-Nov-26 10:01:00 GMT', 60],
    ['Sun, 22 Nov 2026 10:00:00 GMT', 86_400],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['tomorrow morning', null],
  ] as const
  for (const [header, seconds] of cases)
    it(`reads ${JSON.stringify(header)} as ${seconds}`, () => assert.equal(readRetryAfter(header, now), seconds))

  it('reads anything as a number of seconds or nothing', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (header) => {
          const seconds = readRetryAfter(header, now)
          assert.ok(seconds === null || (Number.isSafeInteger(seconds) && seconds >= 0))
        },
      ),
    ))
})
