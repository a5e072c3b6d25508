// When and of what the endpoints of Gatus tell whom. There each alert has thresholds; here a monitor has them.
import { durationOf } from '#core/imports/durations.ts'
import type { Where } from '#core/imports/findings.ts'
import type { GatusProvider } from './gatus-contacts.ts'
import type { GatusAlert } from './gatus-rows.ts'
import type { ImportedMonitorInput } from '#core/imports/imported.ts'
import { failuresOf, shown } from '#core/imports/monitor-parts.ts'

type Alerting = Pick<ImportedMonitorInput, 'contacts'> & Partial<ImportedMonitorInput>

const usualFailures = 3
const usualSuccesses = 2

export function gatusAlerting(
  given: readonly GatusAlert[],
  providers: ReadonlyMap<string, GatusProvider>,
  { place, findings }: Where,
): Alerting {
  const alerts = given.flatMap((alert, index) => {
    const type = alert.type ?? ''
    const provider = providers.get(type)
    const at = `${place}.alerts[${index}]`
    if (provider === undefined) findings.lost(at, `The file has no settings for alerts of type "${shown(type)}".`)
    const whole = { ...withoutNulls(provider?.defaults ?? {}), ...withoutNulls(alert) }
    if (provider === undefined || whole.enabled === 'false') return []
    if (alert['provider-override'] !== null && alert['provider-override'] !== undefined)
      findings.lost(`${at}.provider-override`, 'The contact gets its general settings, without this override.')
    return [{ ...whole, keys: provider.keys }]
  })
  if (alerts.length === 0) return { contacts: [] }
  const failures = alerts.map((alert) => countOf(alert['failure-threshold'], usualFailures))
  const successes = alerts.map((alert) => countOf(alert['success-threshold'], usualSuccesses))
  if (new Set(failures).size > 1 || new Set(successes).size > 1)
    findings.changed(
      `${place}.alerts`,
      'Its alerts have different thresholds. In Perigee, a monitor has one of each, so the lowest is used. Rules of a contact can delay its alerts.',
    )
  return {
    contacts: [...new Set(alerts.flatMap(({ keys }) => keys))],
    failure_threshold: failuresOf(Math.min(...failures), { place: `${place}.alerts`, findings }),
    recovery_threshold: Math.min(10, Math.max(1, Math.min(...successes))),
    ...rulesOf(alerts, { place, findings }),
  }
}

function countOf(text: string | null | undefined, usual: number): number {
  return /^[1-9]\d{0,4}$/.test(text ?? '') ? Number(text) : usual
}

function withoutNulls(alert: Partial<GatusAlert>): Partial<GatusAlert> {
  return Object.fromEntries(Object.entries(alert).filter(([, value]) => value !== null && value !== undefined))
}

/** Recoveries are told there only where that is asked for. */
function rulesOf(alerts: readonly Partial<GatusAlert>[], { place, findings }: Where): Partial<ImportedMonitorInput> {
  const told = alerts.filter((alert) => alert['send-on-resolved'] === 'true').length
  if (told > 0 && told < alerts.length)
    findings.changed(
      `${place}.alerts`,
      'In Gatus, only some of its alerts announce recoveries. In Perigee, all of its contacts are told.',
    )
  const [every = null] = alerts.flatMap((alert) => durationOf(alert['minimum-reminder-interval'] ?? null) ?? [])
  const minutes = every === null || every === 0 ? null : Math.min(1440, Math.max(5, Math.round(every / 60_000)))
  if (every !== null && minutes !== null && minutes * 60_000 !== every)
    findings.changed(`${place}.alerts`, `In Perigee, the alert is repeated every ${minutes} minutes.`)
  const rules = {
    ...(told > 0 ? {} : { events: ['down' as const, 'degraded' as const, 'expiry' as const] }),
    ...(minutes === null ? {} : { remind_every_minutes: minutes }),
  }
  return Object.keys(rules).length === 0 ? {} : { alert_rules: rules }
}
