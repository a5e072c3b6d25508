// Who is on call. A later layer wins over an earlier one where it has somebody, and an override over all layers.
import { type LocalClock, createLocalClock } from '#core/language/local-clock.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { isOnDuty, participantAt, turnsOf } from './on-call-turns.ts'
import type { OnCallLayer } from './on-call-schedule.ts'

/** From `startsAt` on, until before `endsAt`. With `contactId` null it is left to no one. */
export type OnCallOverride = { id: string; startsAt: Date; endsAt: Date; contactId: string | null }

/** What decides who is on call. `overrides`: the oldest first; one that was added later wins. */
export type OnCallSchedule = {
  timeZone: string
  layers: readonly OnCallLayer[]
  overrides: readonly OnCallOverride[]
}

/** Includes `startsAt`, excludes `endsAt`. It is of a layer, by its number from 0, or of an override. */
export type OnCallShift = {
  startsAt: Date
  endsAt: Date
  contactId: string | null
  layer: number | null
  overrideId: string | null
}

/** A time without anybody; `overrideId` names the override that means it so. */
export type OnCallGap = { startsAt: Date; endsAt: Date; overrideId: string | null }

export type Span = { from: Date; until: Date }

/** Ids of the contacts that are on call at a moment: one, or none in a gap. */
export function onCallAt({ timeZone, layers, overrides }: OnCallSchedule, at: Date): string[] {
  const override = overrides.findLast(({ startsAt, endsAt }) => startsAt <= at && at < endsAt)
  if (override !== undefined) return override.contactId === null ? [] : [override.contactId]
  const local = createLocalClock(timeZone).at(at.getTime())
  const layer = layers.findLast((each) => isOnDuty(each, local))
  return layer === undefined ? [] : [participantAt(layer, local)].filter((id) => id !== null)
}

/** Who is on call between two moments, the earliest first, cut at both ends. A turn of somebody is one shift. */
export function shiftsOf(schedule: OnCallSchedule, span: Span): OnCallShift[] {
  return joinLayers(layerShiftsOf(schedule, span), schedule, span)
}

/** What each layer would give by itself, in the order of the layers. */
export function layerShiftsOf({ timeZone, layers }: OnCallSchedule, span: Span): OnCallShift[][] {
  const clock = createLocalClock(timeZone)
  return layers.map((layer, index) => shiftsOfLayer({ layer, index }, clock, span))
}

/** Who is on call, from what `layerShiftsOf` found for the same span. */
export function joinLayers(
  layers: readonly OnCallShift[][],
  { overrides }: Pick<OnCallSchedule, 'overrides'>,
  { from, until }: Span,
): OnCallShift[] {
  const cut = overrides
    .filter(({ startsAt, endsAt }) => endsAt > from && startsAt < until)
    .map(({ id, startsAt, endsAt, contactId }) => ({
      startsAt: startsAt < from ? from : startsAt,
      endsAt: endsAt > until ? until : endsAt,
      contactId,
      layer: null,
      overrideId: id,
    }))
  const nothing: OnCallShift[] = []
  const overriding = cut.reduce((lower, one) => lay([one], lower), nothing)
  return lay(
    overriding,
    layers.reduce((lower, upper) => lay(upper, lower), nothing),
  )
}

/** When nobody is on call, from all shifts of the same span. */
export function gapsOf(shifts: readonly OnCallShift[], { from, until }: Span): OnCallGap[] {
  const gaps: OnCallGap[] = []
  let reached = from
  for (const { startsAt, endsAt, contactId, overrideId } of shifts) {
    if (startsAt > reached) gaps.push({ startsAt: reached, endsAt: startsAt, overrideId: null })
    if (contactId === null) gaps.push({ startsAt, endsAt, overrideId })
    reached = endsAt
  }
  if (reached < until) gaps.push({ startsAt: reached, endsAt: until, overrideId: null })
  return gaps
}

/** Who is on call now and when that ends; `until` is null where it stays so for so many days. */
export function standingAt(
  schedule: OnCallSchedule,
  { at, days }: { at: Date; days: number },
): { contactIds: string[]; until: Date | null } {
  const contactIds = onCallAt(schedule, at)
  const [contactId = null] = contactIds
  // Most hand-overs are within a day, which is quickly seen.
  for (const ahead of [1, days]) {
    const span = { from: at, until: new Date(at.getTime() + ahead * dayMs) }
    const until = endOf(contactId, shiftsOf(schedule, span), span)
    if (until < span.until) return { contactIds, until }
  }
  return { contactIds, until: null }
}

function endOf(contactId: string | null, shifts: readonly OnCallShift[], { from }: Span): Date {
  let reached = from
  for (const shift of shifts) {
    if (contactId === null && shift.contactId !== null) return shift.startsAt
    if (contactId !== null && (shift.startsAt > reached || shift.contactId !== contactId)) return reached
    reached = shift.endsAt
  }
  // After the last shift there is nobody to the end of the span.
  return contactId === null ? new Date(8.64e15) : reached
}

function shiftsOfLayer(
  { layer, index }: { layer: OnCallLayer; index: number },
  clock: LocalClock,
  { from, until }: Span,
): OnCallShift[] {
  const shifts: OnCallShift[] = []
  const [first, last] = [clock.at(from.getTime()), clock.at(until.getTime())]
  for (const { starts, ends, contactId } of turnsOf(layer, first, last)) {
    const startsAt = Math.max(clock.momentOf(starts), from.getTime())
    const endsAt = Math.min(clock.momentOf(ends), until.getTime())
    // A turn that a change of clocks left out is empty.
    if (startsAt >= endsAt) continue
    const times = { startsAt: new Date(startsAt), endsAt: new Date(endsAt) }
    shifts.push({ ...times, contactId, layer: index, overrideId: null })
  }
  return shifts
}

/** The upper shifts, and of the lower ones what lies between them. Both are in order and free of overlap. */
function lay(upper: readonly OnCallShift[], lower: readonly OnCallShift[]): OnCallShift[] {
  if (upper.length === 0) return [...lower]
  const laid: OnCallShift[] = []
  let next = 0
  for (const shift of lower) {
    let { startsAt } = shift
    for (let above = upper[next]; above !== undefined && above.startsAt < shift.endsAt; above = upper[next]) {
      if (above.startsAt > startsAt) laid.push({ ...shift, startsAt, endsAt: above.startsAt })
      if (above.endsAt > startsAt) startsAt = above.endsAt
      // One that reaches beyond this shift covers some of the next one too.
      if (above.endsAt > shift.endsAt) break
      laid.push(above)
      next += 1
    }
    if (startsAt < shift.endsAt) laid.push({ ...shift, startsAt })
  }
  laid.push(...upper.slice(next))
  return laid
}
