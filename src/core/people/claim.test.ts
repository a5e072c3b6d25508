import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type ClaimProgress,
  attemptState,
  claimRules,
  isSameEmail,
  pollOutcome,
  readUserCode,
  slowedDown,
} from './claim.ts'

const start = Date.parse('2026-05-04T10:00:00Z')
const at = (seconds: number): Date => new Date(start + seconds * 1000)

const waiting: ClaimProgress = {
  claimExpiresAt: at(7 * 86_400),
  claimedAt: null,
  spentAt: null,
  attempt: { expiresAt: at(600), wrongCodes: 0 },
  polledAt: null,
  pollSeconds: 5,
}

describe('a poll', () => {
  const cases: [string, Partial<ClaimProgress>, number, ReturnType<typeof pollOutcome>][] = [
    ['the first', {}, 0, 'pending'],
    ['on time', { polledAt: at(0) }, 5, 'pending'],
    ['early by what a network adds', { polledAt: at(0) }, 4.5, 'pending'],
    ['early', { polledAt: at(0) }, 4.499, 'slow_down'],
    ['early after others were', { polledAt: at(0), pollSeconds: 15 }, 14, 'slow_down'],
    ['before the code ends', {}, 599.999, 'pending'],
    ['when the code has ended', {}, 600, 'expired'],
    ['before there is a code', { attempt: null }, 0, 'expired'],
    ['after four wrong codes', { attempt: { expiresAt: at(600), wrongCodes: 4 } }, 0, 'pending'],
    ['after five', { attempt: { expiresAt: at(600), wrongCodes: 5 } }, 0, 'expired'],
    ['after the claim', { claimedAt: at(1) }, 2, 'success'],
    ['after the claim, early', { claimedAt: at(1), polledAt: at(1) }, 1, 'success'],
    ['after the claim, when the code has ended', { claimedAt: at(1) }, 5000, 'success'],
    ['after the success', { claimedAt: at(1), spentAt: at(2) }, 3, 'spent'],
    ['when the claim token has ended', { claimedAt: at(1) }, 7 * 86_400, 'expired'],
  ]
  for (const [what, changes, seconds, expected] of cases)
    it(`${what} is ${expected}`, () => assert.equal(pollOutcome({ ...waiting, ...changes }, at(seconds)), expected))

  it('that comes too early adds five seconds, up to an hour', () => {
    assert.equal(slowedDown(5), 10)
    assert.equal(slowedDown(3598), 3600)
    assert.equal(slowedDown(3600), 3600)
  })
})

describe('a link', () => {
  it('is locked before it is expired', () => {
    const { maxWrongCodes: wrongCodes } = claimRules
    assert.equal(attemptState({ expiresAt: at(0), wrongCodes }, at(1)), 'locked')
    assert.equal(attemptState({ expiresAt: at(0), wrongCodes: 0 }, at(0)), 'expired')
  })
})

describe('a code', () => {
  const cases: [string, string | null][] = [
    ['012345', '012345'],
    [' 012 345\t', '012345'],
    ['012-345', '012345'],
    ['01234', null],
    ['0123456', null],
    ['01234a', null],
    ['', null],
    ['０１２３４５', null],
  ]
  for (const [typed, code] of cases)
    it(`${JSON.stringify(typed)} is ${code ?? 'none'}`, () => assert.equal(readUserCode(typed), code))
})

describe('an address', () => {
  it('is the same in any letter case', () => {
    assert.ok(isSameEmail('Alice@Example.com', 'alice@example.COM '))
    assert.ok(!isSameEmail('alice@example.com', 'alice+x@example.com'))
  })
})
