import { z } from 'zod'
import { latencyMembersSchema } from './latency-day.ts'

/** Numbers of hours for which a monitor's response times can be asked. */
export const responseHours = ['1', '24'] as const
export type ResponseHours = (typeof responseHours)[number]

/**
 * Results older than two hours are merged into quarter-hours (merge-spans.ts), so minutes are known of the last hour
 * alone.
 */
const stepSeconds: Readonly<Record<ResponseHours, number>> = { '1': 60, '24': 900 }

/** Where a monitor has changed its locations, the locations that were asked last. */
export const maxResponseLocations = 10

/** A day has 96 whole steps; the current one comes on top. */
const maxSteps = 97

const stepSchema = z.strictObject({
  at: z.iso.datetime().describe('Where the step begins.'),
  checks: z.int().min(1),
  failed: z.int().min(0).describe('Checks that were down.'),
  latency_ms: z
    .int()
    .nullable()
    .describe('Mean of the checks that were not down and have a response time; null without any.'),
  slowest_ms: z.int().nullable().describe('Of the same checks.'),
  phases: latencyMembersSchema.shape.phases,
})

export const responseTimesSchema = z.strictObject({
  from: z.iso.datetime().describe('Where the first step begins.'),
  step_seconds: z.int(),
  data: z
    .array(
      z.strictObject({
        location_code: z.string(),
        steps: z.array(stepSchema).max(maxSteps).describe('Those with checks, oldest first.'),
      }),
    )
    .max(maxResponseLocations),
})
export type ResponseTimes = z.infer<typeof responseTimesSchema>
export type ResponseStep = z.infer<typeof stepSchema>

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
    from: new Date(current - Number(hours) * 3_600_000),
    until: new Date(current + stepMs),
    stepSeconds: seconds,
  }
}
