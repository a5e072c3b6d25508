// What the readers of exported schedules share: JSON of bounded size, with the place of what is wrong in it.
import { z } from 'zod'
import { createLocalClock } from '#core/language/local-clock.ts'
import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { placeOf } from '#core/language/foreign-lists.ts'
import { timeZoneSchema } from '#core/language/time-zone.ts'
import {
  type ImportNote,
  OnCallImportError,
  type OnCallSource,
  type SourcePerson,
  type SourceSchedule,
} from './on-call-import.ts'

/** In microseconds, as parseBoundedJson counts: some 20,000 objects and lists. */
const maxCost = 2_000
const minuteMs = 60_000

/** Refuses with an OnCallImportError that names the first place which is not as the schema says. */
export function parseExport<T>(content: string, schema: z.ZodType<T>): T {
  const reading = parseBoundedJson(content, maxCost)
  if (reading.type === 'invalid') throw new OnCallImportError('It is not JSON.')
  if (reading.type === 'too intricate') throw new OnCallImportError('It is too large to be read at once.')
  const parsed = schema.safeParse(reading.value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = placeOf(issue?.path ?? [])
  throw new OnCallImportError(
    `${place === '' ? '' : `${place}: `}${issue?.message ?? 'It does not have the expected form.'}`,
  )
}

/** The form that a value shall have, which is told by a look at it, so that a refusal names the place in that form. */
export function formOf<T>(choose: (value: object) => z.ZodType<T>): z.ZodType<T> {
  return z.unknown().transform((value, context) => {
    const parsed = choose(typeof value === 'object' && value !== null ? value : {}).safeParse(value)
    if (parsed.success) return parsed.data
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message })
    return z.NEVER
  })
}

const tooFar = 'Must be within the years 1970 to 2099.'
const isNear = (time: string): boolean => time >= '1970' && time < '2100'

export const instantSchema = z.iso
  .datetime({ offset: true, error: 'Must be a time such as 2026-11-02T09:00:00Z.' })
  .refine(isNear, tooFar)

/** A time without a zone, in milliseconds since 1970 as though the zone were UTC. */
export const localTimeSchema = z.iso
  .datetime({ local: true, offset: true, error: 'Must be a time such as 2026-11-02T09:00:00.' })
  .refine(isNear, tooFar)
  .transform((time) => Date.parse(`${time.slice(0, 19)}Z`))

export const zoneSchema = timeZoneSchema
export const nameSchema = z.string().max(1_000)
export const idSchema = z.string().min(1).max(200)

/** What readers collect while they go through a file. */
export type Findings = {
  now: Date
  changed: (place: string, message: string) => void
  lost: (place: string, message: string) => void
  /** Remembers somebody, with what other places of the file told of them. Returns the id. */
  meet: (person: SourcePerson) => string
  source: (schedules: readonly SourceSchedule[]) => OnCallSource
}

export function createFindings(now: Date): Findings {
  const notes: ImportNote[] = []
  const people = new Map<string, SourcePerson>()
  return {
    now,
    changed: (place, message) => notes.push({ place, effect: 'changed', message }),
    lost: (place, message) => notes.push({ place, effect: 'lost', message }),
    meet: ({ id, name, mail }) => {
      const known = people.get(id)
      people.set(id, { id, name: name ?? known?.name ?? null, mail: mail ?? known?.mail ?? null })
      return id
    },
    source: (schedules) => ({ schedules, people, notes }),
  }
}

/** Local time of a moment, in whole minutes; notes where that leaves seconds out. */
export function minuteIn(timeZone: string, at: Date, noted: { place: string; findings: Findings }): number {
  return wholeMinute(createLocalClock(timeZone).at(at.getTime()), noted)
}

export function wholeMinute(local: number, { place, findings }: { place: string; findings: Findings }): number {
  const whole = Math.floor(local / minuteMs) * minuteMs
  if (whole !== local)
    findings.changed(place, 'In Perigee, turns begin at a whole minute, so the seconds are left out.')
  return whole
}

/** Whether a layer that ends is left out. One that ends later goes on here, which is noted. */
export function hasEnded(endsAt: Date | null, { place, findings }: { place: string; findings: Findings }): boolean {
  if (endsAt === null) return false
  const day = endsAt.toISOString().slice(0, 10)
  if (endsAt > findings.now) {
    findings.changed(place, `It ends on ${day}. In Perigee, layers do not end, so remove it from the schedule then.`)
    return false
  }
  findings.lost(place, `It ended on ${day} and is left out.`)
  return true
}

/** Turns in hours follow the clock on the wall here, and the source does not say what it does. */
export function noteHours(timeZone: string, { place, findings }: { place: string; findings: Findings }): void {
  const clock = createLocalClock(timeZone)
  const year = findings.now.getUTCFullYear()
  const aheadIn = (month: number): number => clock.at(Date.UTC(year, month, 1)) - Date.UTC(year, month, 1)
  if (aheadIn(0) !== aheadIn(6))
    findings.changed(
      place,
      'When clocks change, its turns keep their times of day in Perigee. Compare the shifts of that day.',
    )
}
