import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '#core/language/error.ts'
import { defaultPlans } from '#core/money/plan.ts'
import { freeSurroundings } from '../../../test/support/settings.ts'
import { decideSettings, type InputSurroundings } from './monitor-input.ts'

function decide(seconds: number | null, around: Partial<InputSurroundings> = {}): number | null | string[] {
  const input = { name: 'Shop', url: 'https://example.com', interval_seconds: 3600, retry_interval_seconds: seconds }
  try {
    return decideSettings(input, null, { ...freeSurroundings, ...around }).retry_interval_seconds
  } catch (error) {
    assert.ok(error instanceof AppError)
    return Object.keys(error.fields ?? {})
  }
}

describe('an interval for retries', () => {
  const refused = ['retry_interval_seconds']
  const cases: [what: string, seconds: number | null, around: Partial<InputSurroundings>, decided: unknown][] = [
    ['is as short as an interval of the plan may be', 300, {}, 300],
    ['is refused where it is shorter', 299, {}, refused],
    ['is shorter on another plan', 10, { plan: defaultPlans.pro }, 10],
    ['is shorter where the monitor is paid', 10, { billing: 'paid' }, 10],
    [
      'is refused without an account where it is shorter than a stranger may check',
      59,
      { billing: 'paid', isStranger: true },
      refused,
    ],
    ['may be longer than the interval, which then comes first', 7200, {}, 7200],
    ['may be none', null, {}, null],
  ]
  for (const [what, seconds, around, decided] of cases)
    it(what, () => assert.deepEqual(decide(seconds, around), decided))
})
