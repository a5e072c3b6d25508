// On-call schedules: who is reached when, as people describe it and as the API shows it.
import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { timeOfDaySchema } from '#core/language/time-of-day.ts'
import { timeZoneSchema } from '#core/language/time-zone.ts'

export const maxSchedules = 50
export const maxOverrides = 200
/** An override is forgotten so many days after its end. */
export const overrideDays = 90
/** How far ahead gaps are told. */
export const gapDays = 14
export const maxLayers = 10
export const maxParticipants = 50
export const maxRestrictions = 10

const contactId = z.uuid().toLowerCase()
const weekday = z.int().min(1).max(7)
/** The longest turn of each unit is about a year. */
const longest = { hours: 8760, days: 366, weeks: 52 } as const

const rotationSchema = z
  .strictObject({
    every: z.int().min(1),
    unit: z.enum(['hours', 'days', 'weeks']),
  })
  .superRefine(({ every, unit }, context) => {
    if (every > longest[unit])
      context.addIssue({ code: 'custom', path: ['every'], message: `Must be at most ${longest[unit]} ${unit}.` })
  })

const restrictionSchema = z.strictObject({
  weekdays: z.array(weekday).min(1).max(7).describe('On which it begins.'),
  starts: timeOfDaySchema,
  ends: timeOfDaySchema.describe('On the next day if not after `starts`.'),
})

const layerSchema = z
  .strictObject({
    name: text({ min: 1, max: 160 }).nullable().default(null),
    participants: z.array(contactId).max(maxParticipants).describe('Contacts in the order of their turns.'),
    rotation: rotationSchema,
    hand_over: timeOfDaySchema.describe('When turns change, HH:MM in the time zone of the schedule.'),
    weekday: weekday
      .nullable()
      .default(null)
      .describe('Of the hand-over, in rotations of weeks; 1 is Monday. Null: that of `start_date`.'),
    start_date: z.iso
      .date()
      .refine((date) => date >= '2000-01-01' && date < '2100-01-01', 'Must be a day from 2000 to 2099.')
      .describe('When the first turn begins.'),
    restrictions: z
      .array(restrictionSchema)
      .max(maxRestrictions)
      .default([])
      .describe('When it has somebody; without any, always.'),
  })
  .superRefine(({ rotation, weekday: day }, context) => {
    if (day !== null && rotation.unit !== 'weeks')
      context.addIssue({ code: 'custom', path: ['weekday'], message: 'Only a rotation in weeks has one.' })
  })
export type OnCallLayer = z.infer<typeof layerSchema>

const layersSchema = z
  .array(layerSchema)
  .max(maxLayers)
  .describe('A later layer wins over an earlier one where it has somebody.')

export const onCallInputSchema = z.strictObject({
  name: text({ min: 1, max: 160 }),
  time_zone: timeZoneSchema,
  layers: layersSchema.default([]),
})
export type OnCallInput = z.infer<typeof onCallInputSchema>

/** The body of PATCH. */
export const onCallChangeSchema = z
  .strictObject({ name: onCallInputSchema.shape.name, time_zone: timeZoneSchema, layers: layersSchema })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Must change something.')
export type OnCallChange = z.infer<typeof onCallChangeSchema>

/** The layers as a row of the database holds them, whose participants are rows of their own. */
export const storedLayersSchema = z.array(layerSchema)

const time = z.iso.datetime()

export const onCallScheduleSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  time_zone: z.string(),
  layers: z.array(layerSchema),
  has_calendar: z.boolean().describe('Whether its calendar has a secret address.'),
  created_at: time,
})
export type OnCallScheduleRecord = z.infer<typeof onCallScheduleSchema>

export const onCallGapSchema = z.strictObject({
  starts_at: time,
  ends_at: time,
  override_id: z.uuid().nullable().describe('The override that leaves it to no one; null for a gap in the layers.'),
})
export type OnCallGapRecord = z.infer<typeof onCallGapSchema>

export const onCallDetailSchema = z.strictObject({
  ...onCallScheduleSchema.shape,
  gaps: z.array(onCallGapSchema).describe(`When nobody is on call within the next ${gapDays} days.`),
})
export type OnCallDetailRecord = z.infer<typeof onCallDetailSchema>

export const onCallNowSchema = z.strictObject({
  schedule_id: z.uuid(),
  name: z.string(),
  contact_ids: z.array(z.uuid()).describe('Empty where nobody is on call.'),
  until: time.nullable().describe(`When that ends; null where it stays so for ${gapDays} days.`),
})
export type OnCallNowRecord = z.infer<typeof onCallNowSchema>

export const onCallShiftSchema = z.strictObject({
  starts_at: time,
  ends_at: time,
  contact_id: z.uuid().nullable().describe('Null where an override leaves it to no one.'),
  layer: z.int().nullable().describe('Number of the layer that it is of, from 0; null for an override.'),
  override_id: z.uuid().nullable(),
})
export type OnCallShiftRecord = z.infer<typeof onCallShiftSchema>

export const onCallShiftsSchema = z.strictObject({
  shifts: z.array(onCallShiftSchema).describe('Who is on call, the earliest first. Cut where the asked time ends.'),
  gaps: z.array(onCallGapSchema),
  layers: z.array(z.array(onCallShiftSchema)).describe('What each layer would give by itself; only with `layers=1`.'),
})
export type OnCallShiftsRecord = z.infer<typeof onCallShiftsSchema>

export const maxOverrideMs = 366 * 86_400_000
const givenTime = z.iso.datetime({ offset: true })

export const onCallOverrideInputSchema = z
  .strictObject({
    starts_at: givenTime,
    ends_at: givenTime.describe('At most 366 days after `starts_at`.'),
    contact_id: contactId.nullable().describe('Who is on call instead; null for deliberately no one.'),
  })
  .superRefine(({ starts_at: starts, ends_at: ends }, context) => {
    const lastsMs = Date.parse(ends) - Date.parse(starts)
    const refuse = (message: string): void => context.addIssue({ code: 'custom', path: ['ends_at'], message })
    if (lastsMs <= 0) refuse('Must be later than starts_at.')
    if (lastsMs > maxOverrideMs) refuse('Must be at most 366 days after starts_at.')
  })
export type OnCallOverrideInput = z.infer<typeof onCallOverrideInputSchema>

export const onCallOverrideSchema = z.strictObject({
  id: z.uuid(),
  starts_at: time,
  ends_at: time,
  contact_id: z.uuid().nullable(),
})
export type OnCallOverrideRecord = z.infer<typeof onCallOverrideSchema>
