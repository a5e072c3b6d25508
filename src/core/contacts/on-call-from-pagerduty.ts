// Schedules of PagerDuty, as GET /schedules/{id} answers (https://developer.pagerduty.com/api-reference). One person is
// on call at a time: of the layers, which the answer lists from the top one down, the top one that has somebody.
import { z } from 'zod'
import type { OnCallLayer } from './on-call-schedule.ts'
import type { OnCallSource, SourceLayer, SourceOverride, SourceSchedule, WeekWindow } from './on-call-import.ts'
import { listOf } from '#core/language/foreign-lists.ts'
import {
  type Findings,
  createFindings,
  formOf,
  hasEnded,
  idSchema,
  instantSchema,
  minuteIn,
  nameSchema,
  noteHours,
  parseExport,
  zoneSchema,
} from './on-call-import-json.ts'
import { joinWindows } from './on-call-import-windows.ts'

const dayMinutes = 1440
const [hourSeconds, daySeconds, weekSeconds] = [3_600, 86_400, 604_800]

const userSchema = z.object({
  id: idSchema,
  summary: nameSchema.nullish(),
  name: nameSchema.nullish(),
  email: nameSchema.nullish(),
})
type User = z.infer<typeof userSchema>

const restrictionTimes = {
  start_time_of_day: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'Must be a time of day, HH:MM:SS.'),
  duration_seconds: z.int().min(1).max(weekSeconds),
}
const restrictionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('daily_restriction'), ...restrictionTimes }),
  z.object({ type: z.literal('weekly_restriction'), start_day_of_week: z.int().min(1).max(7), ...restrictionTimes }),
])
type Restriction = z.infer<typeof restrictionSchema>

const layerSchema = z.object({
  id: idSchema.optional(),
  name: nameSchema.nullish(),
  start: instantSchema,
  end: instantSchema.nullish(),
  rotation_virtual_start: instantSchema,
  rotation_turn_length_seconds: z
    .int()
    .min(1)
    .max(366 * daySeconds),
  users: listOf(z.object({ user: userSchema }), 100),
  restrictions: listOf(restrictionSchema, 28).default([]),
})
type Layer = z.infer<typeof layerSchema>

const overrideSchema = z.object({ start: instantSchema, end: instantSchema, user: userSchema })
type Override = z.infer<typeof overrideSchema>

const overridesSchema = listOf(overrideSchema, 1_000).default([])
const scheduleSchema = z.object({
  name: nameSchema,
  time_zone: zoneSchema,
  schedule_layers: listOf(layerSchema, 30),
  overrides: overridesSchema,
  overrides_subschedule: z.object({ rendered_schedule_entries: overridesSchema }).nullish(),
})
type Schedule = z.infer<typeof scheduleSchema>

const users = listOf(userSchema, 2_000).default([])
const oneSchema = z
  .object({ schedule: scheduleSchema, users })
  .transform(({ schedule, users: known }) => ({ placed: [{ schedule, place: 'schedule' }], known }))
const severalSchema = z.object({ schedules: listOf(scheduleSchema, 100), users }).transform((several) => ({
  placed: several.schedules.map((schedule, index) => ({ schedule, place: `schedules[${index}]` })),
  known: several.users,
}))
const exportSchema = formOf((value) => ('schedules' in value ? severalSchema : oneSchema))

/** Of `GET /schedules/{id}`, or a list `schedules` of such ones; `users` as `GET /users` has them. */
export function readPagerduty(content: string, now: Date): OnCallSource {
  const { placed, known } = parseExport(content, exportSchema)
  const findings = createFindings(now)
  const byId = new Map(known.map((user) => [user.id, user]))
  const meet = (user: User): string => {
    const told = byId.get(user.id)
    return findings.meet({
      id: user.id,
      name: user.name ?? told?.name ?? user.summary ?? told?.summary ?? null,
      mail: user.email ?? told?.email ?? null,
    })
  }
  return findings.source(placed.map(({ schedule, place }) => readSchedule(schedule, place, { findings, meet })))
}

type Reading = { findings: Findings; meet: (user: User) => string }

function readSchedule(schedule: Schedule, place: string, reading: Reading): SourceSchedule {
  const { name, time_zone: timeZone, schedule_layers: layers, overrides_subschedule: subschedule } = schedule
  const read = layers.flatMap((layer, index) => {
    const found = readLayer(layer, { ...reading, place: `${place}.schedule_layers[${index}]`, timeZone })
    return found === null ? [] : [{ ...found, level: layers.length - index }]
  })
  const rendered = subschedule?.rendered_schedule_entries ?? []
  const overrides = [
    ...readOverrides(schedule.overrides, { ...reading, place: `${place}.overrides` }),
    ...readOverrides(rendered, { ...reading, place: `${place}.overrides_subschedule.rendered_schedule_entries` }),
  ]
  return { place, name, timeZone, layers: read, overrides: withoutDoubles(overrides) }
}

type Where = Reading & { place: string; timeZone: string }

function readLayer(layer: Layer, where: Where): Omit<SourceLayer, 'level'> | null {
  const { findings, place, timeZone, meet } = where
  if (hasEnded(layer.end ? new Date(layer.end) : null, where)) return null
  const rotation = rotationOf(layer.rotation_turn_length_seconds)
  if (rotation === null) {
    findings.lost(place, 'In Perigee, turns last whole hours. The turns of this layer do not, so it is left out.')
    return null
  }
  if (rotation.unit === 'hours') noteHours(timeZone, where)
  const first = minuteIn(timeZone, new Date(layer.rotation_virtual_start), where)
  return {
    id: layer.id ?? place,
    place,
    name: layer.name ?? null,
    turns: layer.users.map(({ user }) => [meet(user)]),
    rotation,
    first,
    begins: Math.max(
      first,
      minuteIn(timeZone, new Date(layer.start), { place, findings: { ...findings, changed: () => {} } }),
    ),
    windows:
      layer.restrictions.length === 0 ? null : joinWindows(layer.restrictions.flatMap((one) => windowsOf(one, where))),
  }
}

/** Turns of whole days are handed over at the same time of day, so that they are days and not hours. */
function rotationOf(seconds: number): OnCallLayer['rotation'] | null {
  if (seconds % weekSeconds === 0) return { every: seconds / weekSeconds, unit: 'weeks' }
  if (seconds % daySeconds === 0) return { every: seconds / daySeconds, unit: 'days' }
  return seconds % hourSeconds === 0 ? { every: seconds / hourSeconds, unit: 'hours' } : null
}

function windowsOf(restriction: Restriction, { findings, place }: Where): WeekWindow[] {
  const [hours = 0, minutes = 0, seconds = 0] = restriction.start_time_of_day.split(':').map(Number)
  const lasts = Math.max(1, Math.round(restriction.duration_seconds / 60))
  if (seconds !== 0 || restriction.duration_seconds !== lasts * 60)
    findings.changed(place, 'In Perigee, restrictions are in whole minutes, so the seconds are rounded.')
  const starts = hours * 60 + minutes
  const days = restriction.type === 'weekly_restriction' ? [restriction.start_day_of_week - 1] : [0, 1, 2, 3, 4, 5, 6]
  return days.map((day) => ({ starts: day * dayMinutes + starts, lasts }))
}

function readOverrides(
  overrides: readonly Override[],
  { findings, meet, place }: Omit<Where, 'timeZone'>,
): SourceOverride[] {
  return overrides.flatMap(({ start, end, user }, index) => {
    const [startsAt, endsAt] = [new Date(start), new Date(end)]
    if (endsAt <= findings.now || endsAt <= startsAt) return []
    return [{ place: `${place}[${index}]`, startsAt, endsAt, people: [meet(user)], layers: null }]
  })
}

/** An export can hold an override twice: by itself, and as the answer shows it for the time that was asked about. */
function withoutDoubles(overrides: readonly SourceOverride[]): SourceOverride[] {
  const found = new Map<string, SourceOverride>()
  for (const one of overrides) {
    const key = `${one.startsAt.getTime()} ${one.endsAt.getTime()} ${one.people.join(' ')}`
    if (!found.has(key)) found.set(key, one)
  }
  return [...found.values()]
}
