// Schedules of Grafana OnCall, as /api/v1/schedules and /api/v1/on_call_shifts answer
// (https://grafana.com/docs/oncall/latest/oncall-api-reference/on_call_shifts/). Of shifts at the same time those of the
// highest level are on call, all of them together.
import { z } from 'zod'
import { createLocalClock } from '#core/language/local-clock.ts'
import type { OnCallSource, SourceLayer, SourceOverride, SourceSchedule } from './on-call-import.ts'
import { listOf } from '#core/language/foreign-lists.ts'
import {
  type Findings,
  createFindings,
  formOf,
  hasEnded,
  idSchema,
  localTimeSchema,
  nameSchema,
  noteHours,
  parseExport,
  wholeMinute,
  zoneSchema,
} from './on-call-import-json.ts'
import { type GrafanaShift, recurrenceOf, weekdays } from './on-call-grafana-recurrence.ts'

const people = listOf(idSchema, 20)
const frequencies = ['hourly', 'daily', 'weekly', 'monthly'] as const
const shiftSchema = z.object({
  id: idSchema,
  name: nameSchema.nullish(),
  type: z.enum(['single_event', 'recurrent_event', 'rolling_users', 'override']),
  time_zone: zoneSchema.nullish(),
  level: z.int().min(0).max(1_000).nullish(),
  start: localTimeSchema,
  duration: z
    .number()
    .min(1)
    .max(366 * 86_400),
  rotation_start: localTimeSchema.nullish(),
  until: localTimeSchema.nullish(),
  frequency: z.enum(frequencies).nullish(),
  interval: z.int().min(1).max(10_000).nullish(),
  week_start: z.enum(weekdays).nullish(),
  by_day: listOf(z.enum(weekdays), 7).nullish(),
  by_month: listOf(z.number(), 12).nullish(),
  by_monthday: listOf(z.number(), 62).nullish(),
  users: people.nullish(),
  rolling_users: listOf(people, 100).nullish(),
  start_rotation_from_user_index: z.int().min(0).max(1_000).nullish(),
})
type Shift = z.infer<typeof shiftSchema>

const scheduleSchema = z.object({
  name: nameSchema,
  type: z.enum(['web', 'calendar', 'ical']),
  time_zone: zoneSchema.nullish(),
  shifts: listOf(idSchema, 200).nullish(),
  ical_url_overrides: z.string().nullish(),
})
type Schedule = z.infer<typeof scheduleSchema>

const userSchema = z.object({ id: idSchema, username: nameSchema.nullish(), email: nameSchema.nullish() })

/** A list, or a page of it as the API answers. */
function pageOf<T>(item: z.ZodType<T>, max: number): z.ZodType<T[]> {
  const list = listOf(item, max)
  const page = z.object({ results: list }).transform(({ results }) => results)
  return formOf((value) => (Array.isArray(value) ? list : page))
}

const exportSchema = z.object({
  schedules: pageOf(scheduleSchema, 100),
  on_call_shifts: pageOf(shiftSchema, 1_000),
  users: pageOf(userSchema, 2_000).default([]),
})

/** An object of the lists of schedules and of shifts, and of users where people shall be found by their addresses. */
export function readGrafana(content: string, now: Date): OnCallSource {
  const { schedules, on_call_shifts: shifts, users } = parseExport(content, exportSchema)
  const findings = createFindings(now)
  const known = new Map(users.map((user) => [user.id, user]))
  const meet = (id: string): string =>
    findings.meet({ id, name: known.get(id)?.username ?? null, mail: known.get(id)?.email ?? null })
  const placed = new Map(shifts.map((shift, index) => [shift.id, { shift, place: `on_call_shifts[${index}]` }]))
  return findings.source(
    schedules.flatMap((schedule, index) => {
      const found = readSchedule(schedule, { findings, meet, placed, place: `schedules[${index}]` })
      return found === null ? [] : [found]
    }),
  )
}

type Placed = { shift: Shift; place: string }
type Reading = {
  findings: Findings
  meet: (id: string) => string
  placed: ReadonlyMap<string, Placed>
  place: string
}

function readSchedule(schedule: Schedule, reading: Reading): SourceSchedule | null {
  const { findings, placed, place } = reading
  const { name, type } = schedule
  if (type === 'ical') {
    findings.lost(place, `${name} is a calendar elsewhere, which has no turns: it is left out.`)
    return null
  }
  if (schedule.ical_url_overrides)
    findings.lost(`${place}.ical_url_overrides`, 'Overrides in a calendar elsewhere are left out.')
  const shifts = [...new Set(schedule.shifts ?? [])].flatMap((id, index) => {
    const found = placed.get(id)
    if (found === undefined) findings.lost(`${place}.shifts[${index}]`, 'The file does not have this shift.')
    return found === undefined ? [] : [found]
  })
  const own = schedule.time_zone ?? 'UTC'
  const timeZone = zoneOf(shifts, own)
  const where = { ...reading, timeZone, own, isWeb: type === 'web' }
  const layers = shifts.flatMap((each) => {
    const layer = readLayer(each, where)
    return layer === null ? [] : [layer]
  })
  return { place, name, timeZone, layers, overrides: shifts.flatMap((each) => readOverride(each, where)) }
}

/** The zone that all rotations share, which may be another than the one of their schedule. */
function zoneOf(shifts: readonly Placed[], own: string): string {
  const zones = new Set(shifts.filter(({ shift }) => isLayer(shift)).map(({ shift }) => shift.time_zone ?? own))
  const [first] = zones
  return zones.size === 1 && first !== undefined ? first : own
}

function isLayer({ type }: Shift): boolean {
  return type === 'rolling_users' || type === 'recurrent_event'
}

type Where = Reading & { timeZone: string; own: string; isWeb: boolean }

function readLayer({ shift, place }: Placed, { findings, meet, timeZone, own, isWeb }: Where): SourceLayer | null {
  if (!isLayer(shift)) return null
  const noted = { place, findings }
  const zone = shift.time_zone ?? own
  if (hasEnded(shift.until ? momentOf(zone, shift.until) : null, noted)) return null
  const groups = groupsOf(shift).map((group) => group.map(meet))
  const recurrence = recurrenceOf({ ...shift, start: wholeMinute(shift.start, noted), isWeb, groups: groups.length })
  if (typeof recurrence === 'string') {
    findings.lost(place, recurrence)
    return null
  }
  const { rotation, first, begins, windows } = recurrence
  if (rotation.unit === 'hours') noteHours(timeZone, noted)
  if (zone !== timeZone)
    findings.changed(
      place,
      `Its times are in ${zone}. In Perigee they are in ${timeZone}, with the difference that applied when it began.`,
    )
  const moved = createLocalClock(timeZone).at(momentOf(zone, first).getTime()) - first
  return {
    id: shift.id,
    place,
    name: shift.name ?? null,
    level: shift.level ?? 0,
    turns: groups,
    rotation,
    first: first + moved,
    begins: begins + moved,
    windows: windows?.map(({ starts, lasts }) => ({ starts: starts + moved / 60_000, lasts })) ?? null,
  }
}

function groupsOf(
  shift: GrafanaShift & Pick<Shift, 'users' | 'rolling_users' | 'start_rotation_from_user_index'>,
): string[][] {
  if (shift.type === 'recurrent_event') return [shift.users ?? []]
  const groups = shift.rolling_users ?? []
  const from = shift.start_rotation_from_user_index ?? 0
  return [...groups.slice(from), ...groups.slice(0, from)]
}

/** A single event is on call beside those of its level there; as an override it is so alone. */
function readOverride({ shift, place }: Placed, { findings, meet, own }: Where): SourceOverride[] {
  if (isLayer(shift)) return []
  const startsAt = momentOf(shift.time_zone ?? own, shift.start)
  const endsAt = new Date(startsAt.getTime() + shift.duration * 1000)
  if (endsAt <= findings.now) return []
  if (shift.type === 'single_event')
    findings.changed(
      place,
      'In Grafana OnCall, it is a shift of its level. In Perigee, it becomes an override, which takes precedence over all layers.',
    )
  return [{ place, startsAt, endsAt, people: (shift.users ?? []).map(meet), layers: null }]
}

function momentOf(zone: string, local: number): Date {
  return new Date(createLocalClock(zone).momentOf(local))
}
