import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOnce } from '../../test/support/check.ts'
import { pushMetric } from './push-metric.ts'

it('a number by call needs no options, has no target, and no location checks it', async () => {
  assert.equal(pushMetric.options.safeParse({}).success, true)
  assert.equal(
    pushMetric.targetProblem('anything', () => true),
    null,
  )
  assert.equal(pushMetric.isPassive, true)
  await assert.rejects(checkOnce(pushMetric, { url: '' }), TypeError)
})

describe('options of a number by call', () => {
  const all = { down_below: -10, degraded_below: 0, degraded_above: 80, down_above: 90 }
  for (const [what, options, problems] of [
    ['all bounds', { ...all, unit: '%' }, []],
    ['two bounds', { degraded_above: 1e15, down_below: -1e15 }, []],
    ['a degraded bound beyond the other', { degraded_above: 90, down_above: 90 }, [['down_above', 'degraded_above']]],
    ['a degraded bound below the other', { degraded_below: -11, down_below: -10 }, [['degraded_below', 'down_below']]],
    ['bounds that leave nothing', { down_below: 5, down_above: 5 }, [['down_above', 'down_below']]],
    ['every number degraded', { ...all, degraded_below: 85 }, [['degraded_above', 'degraded_below']]],
  ] as const)
    it(`with ${what} are ${problems.length === 0 ? 'right' : 'refused'}`, () => {
      const issues = pushMetric.options.safeParse(options).error?.issues ?? []
      assert.deepEqual(
        issues.map(({ path, message }) => [path, message]),
        problems.map(([option, other]) => [[option], `Must be more than ${other}.`]),
      )
    })

  for (const [option, value] of [
    ['down_above', 1.1e15],
    ['down_below', '5'],
    ['unit', 'a'.repeat(21)],
    ['unit', ''],
    ['unit', 'a\nb'],
    ['max_value', 1],
  ] as const)
    it(`${option} may not be ${JSON.stringify(value)}`, () =>
      assert.equal(pushMetric.options.safeParse({ [option]: value }).success, false))
})
