import { z } from 'zod'
import { latencyMembersSchema } from './latency-day.ts'

/** Numbers of hours for which a monitor's response times can be asked: an hour, days, and years of 365 days at most. */
export const responseHours = ['1', '24', '168', '720', '2160', '8760'] as const
export type ResponseHours = (typeof responseHours)[number]

/**
 * Results older than two hours are merged into quarter-hours (merge-spans.ts), so minutes are known of the last hour
 * alone; those of ended days are merged into hours. Six hours make 30 days as many points as a chart has room for.
 */
const stepSeconds: Readonly<Record<ResponseHours, number>> = {
  '1': 60,
  '24': 900,
  '168': 3600,
  '720': 21_600,
  '2160': 86_400,
  '8760': 86_400,
}

const daySeconds = 86_400

/** Histograms are kept of hours, so percentiles are told of steps that are made of whole ones. */
const shortestHistogramSeconds = 3600

/** Where a monitor has changed its locations, the locations that were asked last. */
export const maxResponseLocations = 10

/** A leap year has 366 whole days; the current step comes on top. */
const maxSteps = 367

const stepSchema = z.strictObject({
  at: z.iso.datetime().describe('The start of the step.'),
  checks: z.int().min(1),
  failed: z.int().min(0).describe('Checks that were down.'),
  degraded: z.int().min(0).describe('Checks that were degraded.'),
  in_maintenance: z.int().min(0).describe('Checks that were made during maintenance.'),
  latency_ms: z
    .int()
    .nullable()
    .describe('Mean of the checks that were not down and have a response time; null without any.'),
  slowest_ms: z.int().nullable().describe('The slowest of the same checks.'),
  phases: latencyMembersSchema.shape.phases,
})

const percentile = z
  .int()
  .nullable()
  .describe('At most 2 % off; null where the histogram of an hour is not known, or lacks some of its checks.')

const sharedStepSchema = z.strictObject({
  at: z.iso.datetime().describe('The start of the step.'),
  checks: z
    .int()
    .min(1)
    .describe('Checks that were not down, have a response time, and were not made during maintenance.'),
  latency_ms: z.int().nullable().describe('Mean of these checks; null once their results are removed.'),
  slowest_ms: z.int().nullable().describe('The slowest of the same checks.'),
  p50_ms: percentile,
  p95_ms: percentile,
  p99_ms: percentile,
  phases: latencyMembersSchema.shape.phases.optional().describe('Means of these checks; of whole days alone.'),
})

export const responseTimesSchema = z.strictObject({
  from: z.iso.datetime().describe('The start of the first step.'),
  step_seconds: z.int(),
  data: z
    .array(
      z.strictObject({
        location_code: z.string(),
        steps: z.array(stepSchema).max(maxSteps).describe('The steps with checks, oldest first.'),
      }),
    )
    .max(maxResponseLocations),
  all_locations: z
    .array(sharedStepSchema)
    .max(maxSteps)
    .describe('Of all locations together, in steps of an hour or longer; empty for shorter ones.'),
})

/** Four of each hour of the week. */
export const keptHours = 28 * 24

export const responseHoursSchema = z.strictObject({
  data: z
    .array(sharedStepSchema)
    .max(keptHours + 1)
    .describe('The steps with checks, oldest first.'),
})
export type HoursOfResponse = z.infer<typeof responseHoursSchema>

export type ResponseTimes = z.infer<typeof responseTimesSchema>
export type ResponseStep = z.infer<typeof stepSchema>
export type SharedStep = z.infer<typeof sharedStepSchema>

export type ResponseSpan = {
  from: Date
  /** The end of the current step. */
  until: Date
  stepSeconds: number
}

/** Whole steps for so many hours, and the current step. Steps begin with the minutes and quarters of UTC hours. */
export function responseSpan(hours: ResponseHours, now: Date): ResponseSpan {
  const seconds = stepSeconds[hours]
  const stepMs = seconds * 1000
  const current = Math.floor(now.getTime() / stepMs) * stepMs
  return {
    from: new Date(current - Number(hours) * hourMs),
    until: new Date(current + stepMs),
    stepSeconds: seconds,
  }
}

/** The whole hours of four weeks, and the current one. */
export function hoursSpan(now: Date): ResponseSpan {
  const current = Math.floor(now.getTime() / hourMs) * hourMs
  return { from: new Date(current - keptHours * hourMs), until: new Date(current + hourMs), stepSeconds: 3600 }
}

const hourMs = 3_600_000
/** The longest time between `since` and `until`, in days. */
export const maxResponseDays = 366

/** How many steps a chart has room for; a time that is longer than so many is told in longer ones. */
const roomySteps = 180
const stepLengths = [60, 900, 3600, 21_600, daySeconds] as const

/**
 * The whole steps that hold a time of the reader's own choice, at most to the end of the current one. Steps are as short
 * as the room of a chart allows, and no shorter than what is still known of the time's beginning. Empty where the time
 * lies ahead.
 */
export function chosenSpan({ since, until, now }: { since: Date; until: Date; now: Date }): ResponseSpan {
  const least = shortestKnown(since, now)
  const lengthSeconds = (until.getTime() - since.getTime()) / 1000
  const seconds = stepLengths.find((length) => length >= least && lengthSeconds / length <= roomySteps) ?? daySeconds
  const stepMs = seconds * 1000
  const end = Math.min(until.getTime(), now.getTime() + 1)
  const from = Math.floor(since.getTime() / stepMs) * stepMs
  return {
    from: new Date(from),
    until: new Date(Math.max(from, Math.ceil(end / stepMs) * stepMs)),
    stepSeconds: seconds,
  }
}

/** The length of what results of a time may be merged into by now (merge-spans.ts), in seconds. */
function shortestKnown(since: Date, now: Date): number {
  const agoMs = now.getTime() - since.getTime()
  if (agoMs <= 2 * hourMs) return 60
  return agoMs <= 24 * hourMs ? 900 : 3600
}

/** Whether the steps are made of hours whose histograms are kept. */
export function hasHistograms({ stepSeconds: seconds }: ResponseSpan): boolean {
  return seconds >= shortestHistogramSeconds
}

/** Whether the steps are UTC days, whose histograms are kept for ever. */
export function isByDay({ stepSeconds: seconds }: ResponseSpan): boolean {
  return seconds === daySeconds
}
