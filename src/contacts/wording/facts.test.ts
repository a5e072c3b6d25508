import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { durationText } from './facts.ts'

describe('durationText', () => {
  const second = 1000
  const cases = [
    [0, '0 s'],
    [-5, '0 s'],
    [59_999, '59 s'],
    [60 * second, '1 min'],
    [3599 * second, '59 min'],
    [3600 * second, '1 h'],
    [7500 * second, '2 h 5 min'],
    [86_400 * second, '1 d'],
    [(3 * 24 + 4) * 3600 * second, '3 d 4 h'],
  ] as const
  for (const [ms, text] of cases) it(`calls ${ms} ms "${text}"`, () => assert.equal(durationText(ms), text))
})
