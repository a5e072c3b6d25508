// Service level objectives: how much of a rolling window monitors are to be up.
import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { tagsSchema } from '#core/tags.ts'

export const maxSlos = 100
const maxIds = 100
/** Of an objective that chooses by tags: the oldest so many count. */
export const maxSloMonitors = 1000
/** In the answer of one: those that took the most of the budget. */
export const maxShownMonitors = 100
export const maxWindowDays = 90
const defaultWindowDays = 30

const id = z.uuid().toLowerCase()
const time = z.iso.datetime()

const sloShape = {
  name: text({ min: 1, max: 160 }),
  monitor_ids: z.array(id).min(1).max(maxIds).nullable().describe('The monitors that count. Null where `tags` choose.'),
  tags: tagsSchema.describe(
    'Monitors that have one of these tags, now or later; the oldest 1,000. Give these or `monitor_ids`. Default [].',
  ),
  objective: z
    .number()
    .min(50)
    .max(99.999)
    .refine(
      (percent) => Math.abs(percent * 1000 - Math.round(percent * 1000)) < 1e-6,
      'Must have at most three decimals.',
    )
    .describe('Percent of the measured time the monitors should be up, such as 99.9.'),
  window_days: z
    .int()
    .min(1)
    .max(maxWindowDays)
    .describe(`The window: this many days until now. Default ${defaultWindowDays}.`),
  alerts: z.boolean().describe('Whether to alert when the budget burns too fast or is used up. Default false.'),
  alert_channel_ids: z
    .array(id)
    .max(100)
    .nullable()
    .describe('The contacts to alert; null for all of the workspace. Default null.'),
  escalation_policy_id: id.nullable().describe('Its steps alert, and at once only named contacts. Default null.'),
}

const choiceProblem = { path: ['monitor_ids'], message: 'Give either monitor_ids or tags.' }

export const sloInputSchema = z
  .strictObject({
    ...sloShape,
    monitor_ids: sloShape.monitor_ids.default(null),
    tags: sloShape.tags.default([]),
    window_days: sloShape.window_days.default(defaultWindowDays),
    alerts: sloShape.alerts.default(false),
    alert_channel_ids: sloShape.alert_channel_ids.default(null),
    escalation_policy_id: sloShape.escalation_policy_id.default(null),
  })
  .refine((slo) => (slo.monitor_ids === null) !== (slo.tags.length === 0), choiceProblem)
export type SloInput = z.infer<typeof sloInputSchema>

/** The body of PATCH: members that are left out stay; monitors take the place of tags, and tags that of monitors. */
export const sloChangeSchema = z
  .strictObject(sloShape)
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Must change something.')
  .refine(({ monitor_ids: ids = null, tags = [] }) => ids === null || tags.length === 0, choiceProblem)
export type SloChange = z.infer<typeof sloChangeSchema>

export type SloChoice = Pick<SloInput, 'monitor_ids' | 'tags'>

/** What chooses the monitors after a change; null where nothing would. */
export function choiceAfter(held: SloChoice, { monitor_ids: ids, tags }: SloChange): SloChoice | null {
  if (ids) return { monitor_ids: ids, tags: [] }
  if (tags !== undefined && tags.length > 0) return { monitor_ids: null, tags }
  const left = { monitor_ids: ids === null ? null : held.monitor_ids, tags: tags === undefined ? held.tags : [] }
  return left.monitor_ids === null && left.tags.length === 0 ? null : left
}

const seconds = z.number().describe('Seconds, summed over the monitors.')
const burn = z.number().nullable()

const stateSchema = z.strictObject({
  measured_from: time
    .nullable()
    .describe(
      'Since when the window is measured: later than its start if monitors are younger. Null if nothing is measured.',
    ),
  measured_seconds: seconds,
  down_seconds: seconds,
  attained: z
    .number()
    .nullable()
    .describe(
      'Percent of the measured time in which the monitors were up, rounded down. Null where nothing is measured.',
    ),
  is_met: z.boolean().nullable().describe('Whether that is the objective or more.'),
  budget: z
    .strictObject({
      total_seconds: seconds,
      used_seconds: seconds,
      left_seconds: z.number().describe('Negative if more than the budget is used.'),
      left_percent: z.number(),
      ends_at: time
        .nullable()
        .describe('When it is used up at the rate of the last 24 hours. Null if it is used up, or lasts.'),
    })
    .nullable()
    .describe('The error budget: the time for which the monitors may be down. Null where nothing is measured.'),
  burn_rates: z
    .strictObject({ '1h': burn, '6h': burn, '24h': burn, '3d': burn })
    .describe('1 uses exactly the budget in a window. Null where nothing is measured.'),
})
export type SloState = z.infer<typeof stateSchema>

const monitorPartSchema = z.strictObject({
  monitor_id: z.uuid(),
  name: z.string(),
  measured_seconds: z.number(),
  down_seconds: z.number(),
  budget_percent: z.number().describe('How much of the budget it used.'),
})
export type MonitorPart = z.infer<typeof monitorPartSchema>

const alarmSchema = z
  .strictObject({
    reason: z.enum(['burning', 'used_up']),
    since: time,
    acknowledged_at: time.nullable(),
    acknowledged_by: z.string().nullable(),
  })
  .nullable()
  .describe('The ongoing alarm that contacts were alerted about.')

export const sloSchema = z.strictObject({
  id: z.uuid(),
  ...sloShape,
  monitor_count: z.int(),
  alarm: alarmSchema,
  state: stateSchema,
  created_at: time,
})
export type SloRecord = z.infer<typeof sloSchema>

export const sloDetailSchema = z.strictObject({
  ...sloSchema.shape,
  monitors: z
    .array(monitorPartSchema)
    .describe(`How much of the budget each monitor used, most first; at most ${maxShownMonitors}.`),
})
export type SloDetail = z.infer<typeof sloDetailSchema>
