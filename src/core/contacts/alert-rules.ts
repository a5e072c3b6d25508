// When people want to be told: rules that a contact has for all monitors, and a monitor for all contacts.
import { z } from 'zod'
import { timeOfDaySchema } from '#core/language/time-of-day.ts'
import { timeZoneSchema } from '#core/language/time-zone.ts'
import { flappingSchema } from '#core/incidents/flapping.ts'
import { type AlertEvent, alertEvents, monitorEvents } from './alert-events.ts'

const maxAfterMinutes = 720
const leastRemindMinutes = 5
const mostRemindMinutes = 1440

export const quietHoursSchema = z
  .strictObject({
    time_zone: timeZoneSchema,
    from: timeOfDaySchema,
    to: timeOfDaySchema.describe('On the next day unless later than `from`.'),
    weekdays: z
      .array(z.int().min(1).max(7))
      .min(1)
      .max(7)
      .optional()
      .describe('When it begins: 1 is Monday, 7 is Sunday. Left out: every day.'),
  })
  .refine(({ from, to, weekdays }) => from !== to || (weekdays !== undefined && new Set(weekdays).size < 7), {
    path: ['to'],
    message: 'Must leave some time in which alerts can be sent.',
  })
export type QuietHours = z.infer<typeof quietHoursSchema>

function eventsOf<Event extends AlertEvent>(events: readonly Event[], leftOut: string) {
  return z.array(z.enum(events)).min(1).max(events.length).optional().describe(`What is alerted. Default: ${leftOut}.`)
}

const rulesShape = {
  after_minutes: z
    .int()
    .min(0)
    .max(maxAfterMinutes)
    .optional()
    .describe('An outage is alerted once it has lasted this long; shorter ones are not. Default 0.'),
  quiet_hours: quietHoursSchema
    .optional()
    .describe('Alerts wait until these hours end. An outage that ends before is not alerted.'),
  remind_every_minutes: z
    .int()
    .min(leastRemindMinutes)
    .max(mostRemindMinutes)
    .optional()
    .describe('The alert repeats until the outage ends or is acknowledged, for seven days at most.'),
}

/** The rules of a contact. What is left out is as if there were no rules. */
export const contactRulesSchema = z.strictObject({
  events: eventsOf(alertEvents, 'everything but `maintenance`'),
  ...rulesShape,
  acknowledge_link: z
    .boolean()
    .optional()
    .describe('Alerts of an outage have a link to acknowledge it without signing in. Default false.'),
  bundle: z
    .boolean()
    .optional()
    .describe(
      'The first alert leaves at once; others of the next minute (two, where a phone rings) leave together as one message. Not of kinds whose receivers sort alerts themselves. Default false.',
    ),
})
export type ContactRules = z.infer<typeof contactRulesSchema>

/** Rules that choose nothing are none. */
export function chosenRules<Rules extends object>(given: Rules | null | undefined): Rules | null {
  return given === undefined || given === null || Object.keys(given).length === 0 ? null : given
}

/** The rules of a monitor. Those of a contact hold as well: it is told what both choose, after the longer of the times. */
export const monitorRulesSchema = z.strictObject({
  events: eventsOf(monitorEvents, 'everything'),
  ...rulesShape,
  critical: z
    .boolean()
    .optional()
    .describe('Quiet hours do not delay its alerts, and no contact bundles them. Default false.'),
  flapping: flappingSchema.optional(),
})
export type MonitorRules = z.infer<typeof monitorRulesSchema>
