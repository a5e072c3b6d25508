// Schedules of Opsgenie, as its Schedule API answers (https://docs.opsgenie.com/docs/schedule-api). All rotations of a
// schedule are on call together; a rotation changes hands at the time of day of its start, in the schedule's zone.
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

const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
const units = { hourly: 'hours', daily: 'days', weekly: 'weeks' } as const
const dayMinutes = 1440
const weekMinutes = 7 * dayMinutes

const participantSchema = z.object({
  type: z.enum(['user', 'team', 'escalation', 'none']),
  id: idSchema.optional(),
  username: nameSchema.optional(),
  name: nameSchema.optional(),
})
type Participant = z.infer<typeof participantSchema>

const timeParts = {
  startHour: z.int().min(0).max(23),
  startMin: z.int().min(0).max(59).default(0),
  endHour: z.int().min(0).max(24),
  endMin: z.int().min(0).max(59).default(0),
}
const daySchema = z
  .string()
  .transform((day) => day.toUpperCase())
  .pipe(z.enum(days))
const timeRestrictionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('time-of-day'), restriction: z.object(timeParts) }),
  z.object({
    type: z.literal('weekday-and-time-of-day'),
    restrictions: listOf(z.object({ startDay: daySchema, endDay: daySchema, ...timeParts }), 28),
  }),
])
type TimeRestriction = z.infer<typeof timeRestrictionSchema>

const rotationSchema = z.object({
  id: idSchema.optional(),
  name: nameSchema.nullish(),
  enabled: z.boolean().default(true),
  startDate: instantSchema,
  endDate: instantSchema.nullish(),
  type: z.enum(['hourly', 'daily', 'weekly']),
  length: z.int().min(1).max(10_000).default(1),
  participants: listOf(participantSchema, 100),
  timeRestriction: timeRestrictionSchema.nullish(),
})
type Rotation = z.infer<typeof rotationSchema>

const overrideSchema = z
  .object({
    _parent: z.object({ id: idSchema }).optional(),
    user: participantSchema,
    startDate: instantSchema,
    endDate: instantSchema,
    rotations: listOf(z.object({ id: idSchema }), 100).optional(),
  })
  .transform(({ _parent: parent, ...override }) => ({ ...override, scheduleId: parent?.id ?? null }))
type Override = z.infer<typeof overrideSchema>

const overridesSchema = listOf(overrideSchema, 1_000).default([])
const scheduleSchema = z.object({
  id: idSchema.optional(),
  name: nameSchema,
  timezone: zoneSchema,
  enabled: z.boolean().default(true),
  rotations: listOf(rotationSchema, 30),
  overrides: overridesSchema,
})
type Schedule = z.infer<typeof scheduleSchema>

const alone = scheduleSchema.transform((one) => [one])
const exportSchema = z.object({
  data: formOf((value) => (Array.isArray(value) ? listOf(scheduleSchema, 100) : alone)),
  overrides: overridesSchema,
  users: listOf(z.object({ id: idSchema, username: nameSchema, fullName: nameSchema.nullish() }), 2_000).default([]),
})

/** Of `GET /v2/schedules?expand=rotation`; `overrides` and `users` as docs/on-call.md says. */
export function readOpsgenie(content: string, now: Date): OnCallSource {
  const { data, overrides, users } = parseExport(content, exportSchema)
  const findings = createFindings(now)
  const named = new Map(users.map(({ id, fullName }) => [id, fullName ?? null]))
  const placed = overrides.map((override, index) => ({ override, place: `overrides[${index}]` }))
  const schedules = data.flatMap((schedule, index): SourceSchedule[] => {
    const place = `data[${index}]`
    if (!schedule.enabled) {
      findings.lost(place, `${schedule.name} is switched off there and is left out.`)
      return []
    }
    const own = schedule.overrides.map((override, at) => ({ override, place: `${place}.overrides[${at}]` }))
    const others = placed.filter(({ override }) => override.scheduleId !== null && override.scheduleId === schedule.id)
    return [readSchedule({ schedule, place, overrides: [...own, ...others] }, { findings, named })]
  })
  for (const { override, place } of placed)
    if (!data.some(({ id }) => id !== undefined && id === override.scheduleId))
      findings.lost(place, 'The file does not have the schedule of this override.')
  return findings.source(schedules)
}

type Names = ReadonlyMap<string, string | null>
type Reading = { findings: Findings; named: Names }
type Placed = { schedule: Schedule; place: string; overrides: readonly { override: Override; place: string }[] }

function readSchedule({ schedule, place, overrides }: Placed, reading: Reading): SourceSchedule {
  const { name, timezone: timeZone } = schedule
  const layers = schedule.rotations.flatMap((rotation, index) => {
    const layer = readRotation(rotation, { ...reading, timeZone, place: `${place}.rotations[${index}]` })
    return layer === null ? [] : [layer]
  })
  const read = overrides.flatMap(({ override, place: at }) => {
    const found = readOverride(override, { ...reading, place: at })
    return found === null ? [] : [found]
  })
  return { place, name, timeZone, layers, overrides: read }
}

type Where = Reading & { place: string }

function readRotation(rotation: Rotation, where: Where & { timeZone: string }): SourceLayer | null {
  const { findings, place, timeZone } = where
  if (!rotation.enabled) {
    findings.lost(place, 'It is switched off, so it is left out.')
    return null
  }
  if (hasEnded(rotation.endDate ? new Date(rotation.endDate) : null, where)) return null
  const unit: OnCallLayer['rotation']['unit'] = units[rotation.type]
  if (unit === 'hours') noteHours(timeZone, where)
  const first = minuteIn(timeZone, new Date(rotation.startDate), where)
  return {
    id: rotation.id ?? place,
    place,
    name: rotation.name ?? null,
    level: 0,
    turns: rotation.participants.map((each, index) =>
      groupOf(each, { ...where, place: `${place}.participants[${index}]` }),
    ),
    rotation: { every: rotation.length, unit },
    first,
    begins: first,
    windows: rotation.timeRestriction ? windowsOf(rotation.timeRestriction) : null,
  }
}

/** A team or an escalation policy is reached as one, by the contact that is named for it. */
function groupOf({ type, id, username, name }: Participant, { findings, named, place }: Where): string[] {
  const known = id ?? username ?? name
  if (type === 'none' || known === undefined) return []
  if (type !== 'user')
    findings.changed(place, `It is ${type === 'team' ? 'a team' : 'an escalation policy'} there, and one contact here.`)
  const mail = username?.includes('@') === true ? username : null
  return [
    findings.meet({ id: known, name: named.get(known) ?? name ?? (mail === null ? (username ?? null) : null), mail }),
  ]
}

function readOverride(override: Override, where: Where): SourceOverride | null {
  const [startsAt, endsAt] = [new Date(override.startDate), new Date(override.endDate)]
  if (endsAt <= where.findings.now || endsAt <= startsAt) return null
  const { rotations } = override
  return {
    place: where.place,
    startsAt,
    endsAt,
    people: groupOf(override.user, { ...where, place: `${where.place}.user` }),
    layers: rotations === undefined || rotations.length === 0 ? null : rotations.map(({ id }) => id),
  }
}

/** A restriction by weekdays goes on from its start to its end, over all days between them. */
function windowsOf(restriction: TimeRestriction): WeekWindow[] | null {
  if (restriction.type === 'time-of-day') {
    const [starts, ends] = minutesOf(restriction.restriction)
    const lasts = ends > starts ? ends - starts : ends - starts + dayMinutes
    return joinWindows(days.map((_day, index) => ({ starts: index * dayMinutes + starts, lasts })))
  }
  return joinWindows(
    restriction.restrictions.map(({ startDay, endDay, ...times }) => {
      const [from, until] = minutesOf(times)
      const starts = days.indexOf(startDay) * dayMinutes + from
      const ends = days.indexOf(endDay) * dayMinutes + until
      return { starts, lasts: ends > starts ? ends - starts : ends - starts + weekMinutes }
    }),
  )
}

function minutesOf(times: { startHour: number; startMin: number; endHour: number; endMin: number }): [number, number] {
  return [times.startHour * 60 + times.startMin, times.endHour * 60 + times.endMin]
}
