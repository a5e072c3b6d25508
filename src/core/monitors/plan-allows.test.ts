import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '#core/language/error.ts'
import { defaultPlans } from '#core/money/plan.ts'
import { testSettings } from '../../../test/support/settings.ts'
import type { MonitorInput } from './monitor.ts'
import { assertPlanAllows } from './plan-allows.ts'

type Case = [what: string, kind: 'http' | 'repository', input: Partial<MonitorInput>, plan: 'free' | 'pro']

const alerts = { vulnerability_alerts: true }
const token = { check_options: { token: 't' } }

/** The field that needs a better plan; null where the plan allows it. */
function refusedBy(...asked: Parameters<typeof assertPlanAllows>): string | null {
  try {
    assertPlanAllows(...asked)
    return null
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'plan_required')
    return error.message.split(':')[0] ?? null
  }
}

describe('a plan', () => {
  const cases: [...Case, billing: 'plan' | 'paid', field: string | null][] = [
    ['has alerts of vulnerabilities', 'http', alerts, 'pro', 'plan', null],
    ['has none', 'http', alerts, 'free', 'plan', 'vulnerability_alerts'],
    ['has none for money', 'http', alerts, 'free', 'paid', 'vulnerability_alerts'],
    ['has them for repositories always', 'repository', alerts, 'free', 'plan', null],
    ['has none that are not asked for', 'http', { vulnerability_alerts: false }, 'free', 'plan', null],
    ['has private repositories', 'repository', token, 'pro', 'plan', null],
    ['has public ones alone', 'repository', token, 'free', 'plan', 'check_options.token'],
    ['has private ones for money', 'repository', token, 'free', 'paid', null],
    ['has public ones', 'repository', { check_options: { url: 'a' } }, 'free', 'plan', null],
    ['has public ones whose token goes away', 'repository', { check_options: { token: null } }, 'free', 'plan', null],
    ['has other kinds with tokens', 'http', token, 'free', 'plan', null],
    ['has what asks for nothing', 'repository', {}, 'free', 'plan', null],
  ]
  for (const [what, kind, input, plan, billing, field] of cases)
    it(`${what}: ${kind} on ${plan}, ${billing}`, () => {
      const given = { name: 'A', ...input }
      assert.equal(refusedBy(testSettings({ kind }), given, { plan: defaultPlans[plan], billing }), field)
    })
})
