import { fail } from '#core/language/error.ts'
import type { Plan } from '#core/money/plan.ts'
import { kindTraits } from './kind-traits.ts'
import type { MonitorInput, MonitorSettings } from './monitor.ts'

/** Throws `plan_required`. Asked of what the caller gives: what a monitor already has outlives a change of the plan. */
export function assertPlanAllows(
  settings: MonitorSettings,
  input: MonitorInput,
  { plan, billing }: { plan: Plan; billing: 'plan' | 'paid' },
): void {
  if (
    input.vulnerability_alerts === true &&
    kindTraits[settings.kind].software !== 'always' &&
    !plan.hasVulnerabilityAlerts
  )
    throw planRequired('vulnerability_alerts', 'Needs a plan that includes vulnerability alerts.')
  const isPrivate = settings.kind === 'repository' && typeof input.check_options?.['token'] === 'string'
  if (isPrivate && billing === 'plan' && !plan.hasPrivateRepositories)
    throw planRequired('check_options.token', 'Private repositories need the Pro plan or a paid monitor.')
}

function planRequired(field: string, problem: string): Error {
  return fail('plan_required', `${field}: ${problem}`, { fields: { [field]: [problem] } })
}
