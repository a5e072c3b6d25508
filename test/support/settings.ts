import { defaultPlans } from '#core/money/plan.ts'
import { type InputSurroundings, decideSettings } from '#core/monitors/monitor-input.ts'
import type { MonitorSettings } from '#core/monitors/monitor.ts'

/** Of a workspace on the free plan, with one location and kinds that take any options and targets. */
export const freeSurroundings: InputSurroundings = {
  rulesOf: () => ({
    targetProblem: () => null,
    parseOptions: (options) => ({ ok: true, value: options }),
    secretOptions: [],
  }),
  locationCodes: ['a'],
  hasPolicy: false,
  contactIds: [],
  plan: defaultPlans.free,
  billing: 'plan',
  billingPeriod: null,
}

/** A monitor's settings as a create with defaults makes them, with two headers. */
export function testSettings(changes: Partial<MonitorSettings> = {}): MonitorSettings {
  const input = { name: 'Shop', url: 'https://example.com/', request_headers: { a: '1', b: '2' } }
  return { ...decideSettings(input, null, freeSurroundings), ...changes }
}
