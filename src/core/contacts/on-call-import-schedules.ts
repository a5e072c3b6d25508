// The schedules that an import makes of what its reader found.
import { createLocalClock } from '#core/language/local-clock.ts'
import { dayMs } from '#core/language/utc-day.ts'
import {
  type ImportNote,
  type ImportedScheduleRecord,
  OnCallImportError,
  type OnCallSource,
  type OnCallSourceName,
  type SourceLayer,
  type SourceOverride,
  type SourceSchedule,
  maxAtOnce,
  maxImportLayers,
} from './on-call-import.ts'
import { readGrafana } from './on-call-from-grafana.ts'
import { readOpsgenie } from './on-call-from-opsgenie.ts'
import { readPagerduty } from './on-call-from-pagerduty.ts'
import { type Lane, type LaneLayer, lanesOf } from './on-call-import-lanes.ts'
import { restrictionsOf } from './on-call-import-windows.ts'
import {
  type OnCallLayer,
  maxLayers,
  maxOverrideMs,
  maxOverrides,
  maxParticipants,
  maxRestrictions,
  maxSchedules,
  onCallInputSchema,
} from './on-call-schedule.ts'

const readers = { opsgenie: readOpsgenie, grafana_oncall: readGrafana, pagerduty: readPagerduty }
const unitMs = { hours: 3_600_000, days: dayMs, weeks: 7 * dayMs }
/** The longest turn of each unit, as a layer has it. */
const longest = { hours: 8760, days: 366, weeks: 52 }
const maxName = 160

/** Refuses with an OnCallImportError. */
export function readOnCall(source: OnCallSourceName, content: string, now: Date): OnCallSource {
  const found = readers[source](content, now)
  if (found.schedules.length > maxSchedules)
    throw new OnCallImportError(
      `The file has ${found.schedules.length} schedules. At most ${maxSchedules} can be imported at once.`,
    )
  const layers = found.schedules.reduce((sum, schedule) => sum + schedule.layers.length, 0)
  if (layers > maxImportLayers)
    throw new OnCallImportError(`The file has ${layers} rotations. At most ${maxImportLayers} can be imported at once.`)
  return found
}

type Making = {
  /** By the ids of people. */
  contacts: ReadonlyMap<string, string>
  /** Ids of people who have no contact on purpose, which is noted. */
  leftOut: ReadonlySet<string>
  /** From then on the schedules are right. */
  now: Date
}
type Made = { schedules: ImportedScheduleRecord[]; notes: ImportNote[] }

export function makeSchedules(source: OnCallSource, making: Making): Made {
  const notes = [...source.notes]
  const schedules = source.schedules.flatMap((schedule) => makeOne(schedule, { ...making, notes }))
  return { schedules, notes }
}

type Work = Making & { notes: ImportNote[] }

function makeOne(schedule: SourceSchedule, work: Work): ImportedScheduleRecord[] {
  const { place, timeZone } = schedule
  const { notes } = work
  const now = createLocalClock(timeZone).at(work.now.getTime())
  const layers = schedule.layers.flatMap((layer) => withContacts(layer, work))
  const lanes = lanesOf(layers, { most: maxAtOnce, hasBegun: ({ begins }) => begins <= now })
  if (lanes === null) {
    const message = `More than ${maxAtOnce} people are on call at once, so it is left out.`
    notes.push({ place, effect: 'lost', message })
    return []
  }
  if (lanes.length > 1)
    notes.push({
      place,
      effect: 'changed',
      message: `Up to ${lanes.length} people are on call at once. In Perigee, that takes ${lanes.length} schedules. Name all of them in a step of the escalation policy.`,
    })
  return (lanes.length === 0 ? [emptyLane] : lanes).flatMap((lane, index) => {
    if (lane.layers.length > maxLayers) {
      notes.push({ place, effect: 'lost', message: `It would take more than ${maxLayers} layers, so it is left out.` })
      return []
    }
    return [bodyOf(schedule, { lane, index, now }, work)]
  })
}

const emptyLane: Lane = { layers: [], own: new Set() }

/** The layer with contacts in place of people; none where no schedule can hold it. */
function withContacts(layer: SourceLayer, { contacts, leftOut, notes }: Work): SourceLayer[] {
  const { place, rotation, windows } = layer
  const lost = (message: string): [] => {
    notes.push({ place, effect: 'lost', message })
    return []
  }
  if (rotation.every > longest[rotation.unit])
    return lost(`Its turns are longer than ${longest[rotation.unit]} ${rotation.unit}, so it is left out.`)
  if (layer.turns.length > maxParticipants) return lost(`It has more than ${maxParticipants} turns, so it is left out.`)
  if (windows !== null && restrictionsOf(windows).length > maxRestrictions)
    return lost(`It would take more than ${maxRestrictions} restrictions, so it is left out.`)
  if (windows?.length === 0) return lost('Its restrictions leave no time at all, so it is left out.')
  const changed = (message: string): number => notes.push({ place, effect: 'changed', message })
  if (layer.turns.some((group) => group.length === 0))
    changed('In some of its turns, no one is on call. These are left out, and the other turns follow one another.')
  const turns = layer.turns.map((group) => group.flatMap((id) => contacts.get(id) ?? []))
  if (layer.turns.some((group, index) => group.some((id) => leftOut.has(id)) && turns[index]?.length === 0))
    changed('People without a contact are left out, and the other turns follow one another.')
  return [{ ...layer, turns }]
}

type Placed = { lane: Lane; index: number; now: number }

function bodyOf(schedule: SourceSchedule, { lane, index, now }: Placed, work: Work): ImportedScheduleRecord {
  const name = cut(schedule.name.trim(), { place: schedule.place, notes: work.notes })
  const title =
    index === 0
      ? name
      : `${Array.from(name)
          .slice(0, maxName - 5)
          .join('')} (${index + 1})`
  const layers = lane.layers.map((layer) => layerOf(layer, { now, notes: work.notes }))
  return {
    id: null,
    place: schedule.place,
    schedule: onCallInputSchema.parse({ name: title, time_zone: schedule.timeZone, layers }),
    overrides: overridesOf(schedule, { lane, index }, work),
  }
}

function layerOf(layer: LaneLayer, { now, notes }: { now: number; notes: ImportNote[] }): OnCallLayer {
  const { rotation, turns, windows, name, place } = layer
  const { starts, turn, isEarly } = beginningOf(layer, now)
  if (isEarly)
    once(notes, {
      place,
      effect: 'changed',
      message: 'In Perigee, it begins with a whole turn, which is earlier than in the file.',
    })
  const time = new Date(starts).toISOString()
  return {
    name: name === null || name.trim() === '' ? null : cut(name.trim(), { place, notes }),
    // Of no turns nothing is cut, wherever the cut is.
    participants: [...turns.slice(turn), ...turns.slice(0, turn)],
    rotation,
    hand_over: time.slice(11, 16),
    weekday: null,
    start_date: time.slice(0, 10),
    restrictions: windows === null ? [] : restrictionsOf(windows),
  }
}

const earliest = Date.UTC(2000, 0, 2)

/**
 * When it begins here, at a hand-over, and whose turn that is: of two rotations, both count the turns alike. Where it has
 * no turns, that is not a number.
 */
function beginningOf({ first, begins, rotation, turns }: LaneLayer, now: number) {
  const lasts = rotation.every * unitMs[rotation.unit]
  // What has begun needs no other beginning than that of its first turn.
  const wanted = begins > now ? begins : Math.max(first, earliest)
  const number = begins > now ? Math.floor((begins - first) / lasts) : Math.ceil((wanted - first) / lasts)
  const starts = first + number * lasts
  return { starts, turn: number % turns.length, isEarly: begins > now && starts < begins }
}

type Overriding = Pick<Placed, 'lane' | 'index'>

function overridesOf({ overrides, layers }: SourceSchedule, { lane, index }: Overriding, work: Work) {
  const { notes } = work
  const counting = overrides
    .filter((one) => one.layers === null || isOf(one.layers, { lane, layers }))
    .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
  const found = counting.flatMap((one) => {
    const override = overrideOf(one, { ...work, index })
    if (override !== null && one.layers !== null && [...lane.own].some((id) => one.layers?.includes(id) === false))
      once(notes, {
        place: one.place,
        effect: 'changed',
        message: 'In the file, it replaces some of the rotations. In Perigee, it replaces everyone whose turn it is.',
      })
    return override === null ? [] : [override]
  })
  const [last] = counting.slice(maxOverrides)
  if (found.length > maxOverrides && last !== undefined)
    once(notes, {
      place: last.place,
      effect: 'lost',
      message: `A schedule has at most ${maxOverrides} overrides. This one and later ones are left out.`,
    })
  return found.slice(0, maxOverrides)
}

/** Whether an override of some layers is one of this lane. Where it is of no layer that is read, it is of all. */
function isOf(ids: readonly string[], { lane, layers }: { lane: Lane; layers: readonly SourceLayer[] }): boolean {
  return ids.some((id) => lane.own.has(id)) || !layers.some(({ id }) => ids.includes(id))
}

type Replacing = Work & { index: number }

function overrideOf(
  { place, startsAt, endsAt, people }: SourceOverride,
  { contacts, leftOut, notes, index }: Replacing,
) {
  const found = people.flatMap((id) => contacts.get(id) ?? [])
  const contactId = found[index % found.length]
  const lost = (message: string): null => {
    once(notes, { place, effect: 'lost', message })
    return null
  }
  if (contactId === undefined)
    return people.length > 0 && !people.some((id) => leftOut.has(id))
      ? null
      : lost('It has no one left, so it is left out.')
  if (endsAt.getTime() - startsAt.getTime() > maxOverrideMs)
    return lost('It is longer than 366 days, so it is left out.')
  return { starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString(), contact_id: contactId }
}

function cut(name: string, { place, notes }: { place: string; notes: ImportNote[] }): string {
  const characters = Array.from(name)
  if (characters.length <= maxName) return name === '' ? place : name
  once(notes, { place, effect: 'changed', message: `Its name is cut to ${maxName} characters.` })
  return characters.slice(0, maxName).join('')
}

/** A layer can be part of several schedules. */
function once(notes: ImportNote[], note: ImportNote): void {
  if (!notes.some(({ place, message }) => place === note.place && message === note.message)) notes.push(note)
}
