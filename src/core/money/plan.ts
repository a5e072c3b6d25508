/**
 * What a workspace has without paying for single monitors. A monitor in a slot follows its plan; a paid one may check
 * as often as any (docs/decisions/plans-and-periods.md).
 */
export type Plan = {
  slots: number
  /** Floor of `interval_seconds` for monitors in a plan slot. */
  minIntervalSeconds: number
  hasVulnerabilityAlerts: boolean
  /**
   * Whether a monitor in a plan slot may hold the access token of a private repository, which costs the service a
   * stored secret and a fetch of its own. A paid monitor may on any plan.
   */
  hasPrivateRepositories: boolean
  /** How long the failures of the daily bars are kept. */
  problemDays: number
  /** Contact kinds that may be added; null for all. */
  contactKinds: readonly string[] | null
}

export type Plans = Readonly<Record<string, Plan>>

export const defaultPlans = {
  free: {
    slots: 10,
    minIntervalSeconds: 300,
    hasVulnerabilityAlerts: false,
    hasPrivateRepositories: false,
    problemDays: 30,
    contactKinds: null,
  },
  pro: {
    slots: 100,
    minIntervalSeconds: 10,
    hasVulnerabilityAlerts: true,
    hasPrivateRepositories: true,
    problemDays: 90,
    contactKinds: null,
  },
  pay_as_you_go: {
    slots: 0,
    minIntervalSeconds: 300,
    hasVulnerabilityAlerts: false,
    hasPrivateRepositories: false,
    problemDays: 90,
    contactKinds: ['email', 'webhook'],
  },
} satisfies Plans
