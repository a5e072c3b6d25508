import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Judgement, type RetryState, alertLifetimeMs, decideRetry, isExpired } from './delivery-retry.ts'

const error = 'The contact answered 500.'
const refused: Judgement = { outcome: 'try_again', error, afterSeconds: null }
const refusedForGood: Judgement = { outcome: 'failed', error, isGone: false }
const asked = (afterSeconds: number): Judgement => ({ outcome: 'try_again', error, afterSeconds })
const first: RetryState = { via: 'http', attempt: 1, ageMs: 0, failingForMs: 0, random: 0 }
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe('decideRetry', () => {
  const httpWaits = [5000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour]
  for (const [index, delayMs] of httpWaits.entries())
    it(`waits ${delayMs / 1000} s after failure ${index + 1} over http`, () =>
      assert.deepEqual(decideRetry(refused, { ...first, attempt: index + 1 }), {
        type: 'retry',
        delayMs,
        isContactFailing: true,
      }))

  it('makes seven tries over http within the life of an alert, also with all the jitter there is', () => {
    const last = exhaust({ ...first, random: 1 })
    assert.equal(last.attempt, 7)
    assert.ok(last.ageMs > 17 * hour && last.ageMs < 22 * hour, `${last.ageMs / hour} h`)
  })

  const mailWaits = [
    30_000,
    2 * minute,
    10 * minute,
    30 * minute,
    hour,
    2 * hour,
    4 * hour,
    4 * hour,
    4 * hour,
    4 * hour,
  ]
  for (const [index, delayMs] of mailWaits.entries())
    it(`waits ${delayMs / 1000} s after failure ${index + 1} of a mail, and blames no contact`, () =>
      assert.deepEqual(decideRetry(refused, { ...first, via: 'mail', attempt: index + 1 }), {
        type: 'retry',
        delayMs,
        isContactFailing: false,
      }))

  for (const random of [0, 0.5, 1])
    it(`queues mail for most of a day and no longer (random ${random})`, () => {
      const last = exhaust({ ...first, via: 'mail', random })
      assert.ok(last.ageMs > 15 * hour && last.ageMs <= day, `${last.ageMs / hour} h`)
      assert.ok(last.attempt >= 8, `${last.attempt}`)
    })

  const cases: readonly [string, Judgement, Partial<RetryState>, ReturnType<typeof decideRetry>][] = [
    ['is done with what was delivered', { outcome: 'delivered' }, { attempt: 7 }, { type: 'delivered' }],
    [
      'spreads a wait by up to a fifth',
      refused,
      { random: 1 },
      { type: 'retry', delayMs: 6000, isContactFailing: true },
    ],
    ['waits as long as it is asked to', asked(90), {}, { type: 'retry', delayMs: 90_000, isContactFailing: true }],
    [
      'does not come earlier than it would have anyway',
      asked(1),
      { attempt: 2 },
      { type: 'retry', delayMs: 5 * minute, isContactFailing: true },
    ],
    [
      'waits no longer than an hour for the asking',
      asked(999_999_999),
      {},
      { type: 'retry', delayMs: hour, isContactFailing: true },
    ],
    [
      'gives up after the last try',
      refused,
      { attempt: 7 },
      { type: 'give_up', isContactFailing: true, disables: null },
    ],
    [
      'tries until an alert is a day old',
      refused,
      { ageMs: alertLifetimeMs - 5000 },
      { type: 'retry', delayMs: 5000, isContactFailing: true },
    ],
    [
      'makes no try that would come later than that',
      refused,
      { ageMs: alertLifetimeMs - 4999 },
      { type: 'give_up', isContactFailing: true, disables: null },
    ],
    [
      'switches a contact off that is gone, at once',
      { ...refusedForGood, isGone: true },
      {},
      { type: 'give_up', isContactFailing: true, disables: 'gone' },
    ],
    [
      'keeps a contact that failed for a little less than three days',
      refused,
      { attempt: 7, failingForMs: 3 * day - 1 },
      { type: 'give_up', isContactFailing: true, disables: null },
    ],
    [
      'switches a contact off that failed for three days',
      refused,
      { attempt: 7, failingForMs: 3 * day },
      { type: 'give_up', isContactFailing: true, disables: 'failing' },
    ],
    [
      'still tries for a contact that failed for three days',
      refused,
      { failingForMs: 3 * day },
      { type: 'retry', delayMs: 5000, isContactFailing: true },
    ],
    [
      'does not blame a contact for a mail server that is out of order',
      refused,
      { via: 'mail', attempt: 99, failingForMs: 3 * day },
      { type: 'give_up', isContactFailing: false, disables: null },
    ],
    [
      'does not repeat what was refused for good',
      refusedForGood,
      { via: 'mail' },
      { type: 'give_up', isContactFailing: true, disables: null },
    ],
    [
      'switches an address off that was refused for good over three days',
      refusedForGood,
      { via: 'mail', failingForMs: 3 * day },
      { type: 'give_up', isContactFailing: true, disables: 'failing' },
    ],
  ]
  for (const [name, judgement, state, expected] of cases)
    it(name, () => assert.deepEqual(decideRetry(judgement, { ...first, ...state }), expected))
})

describe('isExpired', () => {
  it('holds from the first moment beyond a day', () => {
    assert.equal(isExpired(alertLifetimeMs), false)
    assert.equal(isExpired(alertLifetimeMs + 1), true)
  })
})

/** The state of the last attempt, when every attempt is refused. */
function exhaust(state: RetryState): RetryState {
  const decision = decideRetry(refused, state)
  if (decision.type !== 'retry') return state
  return exhaust({ ...state, attempt: state.attempt + 1, ageMs: state.ageMs + decision.delayMs })
}
