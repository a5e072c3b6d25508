// Planned maintenance: its schedule, and how people describe it.
import { Cron } from 'croner'
import { z } from 'zod'
import { timeOfDaySchema } from './language/time-of-day.ts'
import { tagsSchema } from './tags.ts'
import { isTimeZone, timeZoneSchema } from './language/time-zone.ts'

/** How far ahead the occurrences of a window are known. */
export const planAheadMs = 35 * 86_400_000
/** Limit of one window's occurrences in that time: maintenance more often than hourly is no plan. */
export const maxOccurrences = 24 * 35
export const maxWindows = 100
const maxMaintenanceMonitors = 1000
const maxOnceMs = 31 * 86_400_000
const maxMinutes = 7 * 24 * 60

const durationMinutes = z.int().min(1).max(maxMinutes).describe('Minutes that each lasts, as the clock counts them.')
const time = z.iso.datetime({ offset: true })

export const maintenanceScheduleSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('once'), starts_at: time, ends_at: time }),
  z.strictObject({
    type: z.literal('weekly'),
    weekdays: z.array(z.int().min(1).max(7)).min(1).max(7).describe('1 is Monday, 7 is Sunday (ISO 8601).'),
    starts: timeOfDaySchema.describe('In the time zone of the window.'),
    duration_minutes: durationMinutes,
  }),
  z.strictObject({
    type: z.literal('cron'),
    expression: z.string().max(100).describe('Minute, hour, day, month and weekday, in the time zone of the window.'),
    duration_minutes: durationMinutes,
  }),
])
export type MaintenanceSchedule = z.infer<typeof maintenanceScheduleSchema>

/** Includes `startsAt`, excludes `endsAt`. */
export type Occurrence = { startsAt: Date; endsAt: Date }

const planShape = {
  schedule: maintenanceScheduleSchema,
  time_zone: timeZoneSchema.default('UTC'),
}

export const maintenanceInputSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(160).describe('Shown on status pages.'),
    description: z.string().trim().max(2000).nullable().default(null).describe('Shown on status pages.'),
    ...planShape,
    monitor_ids: z
      .array(z.uuid().toLowerCase())
      .max(maxMaintenanceMonitors)
      .nullable()
      .default(null)
      .describe(
        'Null for all monitors of the workspace, also those to come; with `monitor_tags`, for those with the tags alone.',
      ),
    monitor_tags: tagsSchema
      .default([])
      .describe('Monitors with one of these tags are covered too, while they have it.'),
    excludes_uptime: z.boolean().default(false).describe('Whether its checks count in no uptime.'),
    tags: tagsSchema.default([]).describe('Words by which windows are found.'),
  })
  .superRefine(refuseFaults)
  .refine(({ monitor_ids: ids, monitor_tags: tags }) => ids === null || ids.length + tags.length > 0, {
    path: ['monitor_ids'],
    message: 'Must have one, unless monitor_tags has one.',
  })
export type MaintenanceInput = z.infer<typeof maintenanceInputSchema>

/** A schedule without its window, for asking when the occurrences would be. */
export const maintenancePlanSchema = z.strictObject(planShape).superRefine(refuseFaults)
export type MaintenancePlan = { schedule: MaintenanceSchedule; time_zone: string }

export const occurrenceSchema = z.strictObject({ starts_at: z.iso.datetime(), ends_at: z.iso.datetime() })
export type OccurrenceRecord = z.infer<typeof occurrenceSchema>

export const maintenanceSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  schedule: maintenanceScheduleSchema,
  time_zone: z.string(),
  monitor_ids: z.array(z.uuid()).nullable().describe('Null where it covers all.'),
  monitor_tags: z.array(z.string()),
  excludes_uptime: z.boolean(),
  tags: z.array(z.string()),
  current: occurrenceSchema.nullable().describe('The one that is under way.'),
  next: z.array(occurrenceSchema).describe('The three after it within five weeks.'),
  created_at: z.iso.datetime(),
})
export type MaintenanceRecord = z.infer<typeof maintenanceSchema>

/**
 * The occurrences of a schedule that end after `from` and begin before `until`, earliest first, at most
 * `maxOccurrences`. A time of day that a change of clocks leaves out becomes the first one after it; one that comes
 * twice counts once.
 */
export function occurrencesOf(
  schedule: MaintenanceSchedule,
  { timeZone, from, until }: { timeZone: string; from: Date; until: Date },
): Occurrence[] {
  if (schedule.type === 'once') {
    const once = { startsAt: new Date(schedule.starts_at), endsAt: new Date(schedule.ends_at) }
    return once.endsAt > from && once.startsAt < until ? [once] : []
  }
  const lastsMs = schedule.duration_minutes * 60_000
  const cron = cronOf(schedule, timeZone)
  const found: Occurrence[] = []
  let after = new Date(from.getTime() - lastsMs)
  while (found.length < maxOccurrences) {
    const startsAt = cron.nextRun(after)
    if (startsAt === null || startsAt >= until) break
    found.push({ startsAt, endsAt: new Date(startsAt.getTime() + lastsMs) })
    after = startsAt
  }
  return found
}

type Repeated = Exclude<MaintenanceSchedule, { type: 'once' }>

/** Throws for an invalid expression. */
function cronOf(schedule: Repeated, timezone: string): Cron {
  return new Cron(expressionOf(schedule), { timezone, mode: '5-part' })
}

function expressionOf(schedule: Repeated): string {
  if (schedule.type === 'cron') return schedule.expression
  const [hours = '', minutes = ''] = schedule.starts.split(':')
  return `${Number(minutes)} ${Number(hours)} * * ${schedule.weekdays.map((day) => day % 7).join(',')}`
}

function refuseFaults({ schedule, time_zone: timeZone }: MaintenancePlan, context: z.RefinementCtx): void {
  for (const [member, message] of faultsOf(schedule, timeZone))
    context.addIssue({ code: 'custom', path: ['schedule', member], message })
}

function faultsOf(schedule: MaintenanceSchedule, timeZone: string): [member: string, message: string][] {
  if (schedule.type === 'once') {
    const lastsMs = Date.parse(schedule.ends_at) - Date.parse(schedule.starts_at)
    if (lastsMs <= 0) return [['ends_at', 'Must be later than starts_at.']]
    return lastsMs > maxOnceMs ? [['ends_at', 'Must be at most 31 days after starts_at.']] : []
  }
  // What is wrong with a duration is told by itself, and dates do not go as far as one may say.
  const isJudged = isTimeZone(timeZone) && schedule.duration_minutes >= 1 && schedule.duration_minutes <= maxMinutes
  if (schedule.type !== 'cron' || !isJudged) return []
  return expressionFaults(schedule, timeZone).map((message) => ['expression', message])
}

/** Judges an expression by the five weeks after a fixed moment, so that the answer does not depend on the clock. */
function expressionFaults(schedule: Repeated, timeZone: string): string[] {
  let cron: Cron
  try {
    cron = cronOf(schedule, timeZone)
  } catch {
    return ['Must be a cron expression of five fields.']
  }
  const someday = new Date('2026-01-01T00:00:00Z')
  if (cron.nextRun(someday) === null) return ['Must occur at least once.']
  const until = new Date(someday.getTime() + planAheadMs)
  const often = occurrencesOf(schedule, { timeZone, from: someday, until }).length
  return often >= maxOccurrences ? [`Must begin less than ${maxOccurrences} times in five weeks.`] : []
}
