import { z } from 'zod'
import { latencyMembersSchema } from './latency-day.ts'

/** For how many hours the response times of a monitor can be asked. */
export const responseHours = ['1', '24'] as const
export type ResponseHours = (typeof responseHours)[number]

/**
 * Results that are older than two hours are merged into quarter-hours (`core/compaction`): nothing finer is known of
 * them. Minutes are therefore for the last hour alone.
 */
const stepSeconds: Readonly<Record<ResponseHours, number>> = { '1': 60, '24': 900 }

/** Those that were asked last, where a monitor changed its locations meanwhile. */
export const maxResponseLocations = 10

/** The current step is there beside the whole ones of a day. */
const maxSteps = 97

const stepSchema = z.strictObject({
  at: z.iso.datetime().describe('Where the step begins.'),
  checks: z.int().min(1),
  failed: z.int().min(0).describe('Checks that were down.'),
  latency_ms: z.int().nullable().describe('Mean of the successful checks; null without any.'),
  slowest_ms: z.int().nullable().describe('Of the successful checks.'),
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

/** So many hours of whole steps, and the current one. Steps begin with the minutes and quarters of UTC hours. */
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
