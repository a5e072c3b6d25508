import { z } from 'zod'
import { maxScheduleLength, scheduleProblem } from '#core/monitors/call-schedule.ts'
import { maxRunSeconds } from '#core/monitors/heartbeat.ts'
import { timeZoneSchema } from '#core/language/time-zone.ts'
import { text } from '#core/language/text.ts'
import { definePassiveKind } from './kind.ts'

const runSeconds = z.int().min(1).max(maxRunSeconds)

/** A job that calls after each run; core/monitors/heartbeat.ts says what a call means. */
export const heartbeat = definePassiveKind({
  name: 'heartbeat',
  options: z
    .strictObject({
      schedule: text({ min: 1, max: maxScheduleLength })
        .optional()
        .describe(
          'When runs are due, in place of the interval: minute, hour, day, month and weekday, as cron reads them, at least once a year.',
        )
        .meta({ examples: ['30 2 * * *'] }),
      time_zone: timeZoneSchema
        .optional()
        .describe('The zone of the clock that the schedule goes by, as the IANA names it. Default UTC.')
        .meta({ examples: ['Europe/Vienna'] }),
      max_run_seconds: runSeconds
        .optional()
        .describe('Down when a run that began with `/start` has not ended after so long; degraded when it ends later.'),
      min_run_seconds: runSeconds.optional().describe('Degraded when a run that began with `/start` succeeds sooner.'),
    })
    .refine(({ max_run_seconds: max, min_run_seconds: min }) => max === undefined || min === undefined || min < max, {
      path: ['min_run_seconds'],
      error: 'Must be less than max_run_seconds.',
    })
    .superRefine(({ schedule, time_zone: timeZone }, context) => {
      if (schedule === undefined) {
        if (timeZone !== undefined)
          context.addIssue({ code: 'custom', path: ['time_zone'], message: 'Needs a schedule.' })
        return
      }
      const problem = scheduleProblem({ expression: schedule, timeZone: timeZone ?? 'UTC' })
      if (problem !== null) context.addIssue({ code: 'custom', path: ['schedule'], message: problem })
    })
    .meta({ description: 'A job that calls after each run.', dependentRequired: { time_zone: ['schedule'] } }),
})
