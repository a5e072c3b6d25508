import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayText, durationText, factsOf, listedNames, timeText } from './facts.ts'

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
    [48 * 3600 * second, '2 d'],
    [(20 * 24 + 4) * 3600 * second, '20 d 4 h'],
    [(3 * 24 + 4) * 3600 * second, '3 d 4 h'],
  ] as const
  for (const [ms, text] of cases) it(`calls ${ms} ms "${text}"`, () => assert.equal(durationText(ms), text))
})

describe('facts', () => {
  it('leave out labels without a value', () => {
    const pairs = [['Cause', 'It broke.'], ['Address', null], ['Runbook', '']] as const // prettier-ignore
    assert.deepEqual(factsOf(pairs), [{ label: 'Cause', value: 'It broke.' }])
  })

  it('have times to the second, and days', () => {
    assert.equal(timeText('2026-11-21T10:04:05.678Z'), '2026-11-21 10:04:05 UTC')
    assert.equal(dayText('2026-11-21T23:59:59.999Z'), '2026-11-21')
  })

  const lists: [total: number, names: string[], expected: string][] = [
    [1, ['Blog'], 'Blog'],
    [3, ['Blog', 'Shop', 'Wiki'], 'Blog, Shop and Wiki'],
    [4, ['Blog', 'Shop', 'Wiki', 'Mail'], 'Blog, Shop, Wiki and 1 more'],
    [12, ['Blog', 'Shop', 'Wiki', 'Mail'], 'Blog, Shop, Wiki and 9 more'],
    [5, ['Blog', 'Shop'], 'Blog, Shop and 3 more'],
  ]
  for (const [total, names, expected] of lists)
    it(`name ${names.length} of ${total} monitors: ${expected}`, () =>
      assert.equal(listedNames({ total, names }), expected))
})
