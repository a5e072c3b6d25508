// What alerts tell. Apart from the schemas, because the console runs these lists and must not load the validator.

export const alertEvents = ['down', 'up', 'degraded', 'slow', 'expiry', 'findings', 'slo', 'maintenance'] as const
/** What an alert tells, as people choose it; one may be the occasion of several types of alerts. */
export type AlertEvent = (typeof alertEvents)[number]

/** Those that a monitor may be the occasion of. */
export const monitorEvents = [
  'down',
  'up',
  'degraded',
  'slow',
  'expiry',
  'findings',
  'maintenance',
] as const satisfies AlertEvent[]

/** Events of which a contact is told only if it names them, so that contacts without rules hear of nothing new. */
export const namedEvents: readonly AlertEvent[] = ['maintenance']
