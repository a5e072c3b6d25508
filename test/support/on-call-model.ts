import type { OnCallSchedule } from '#core/contacts/on-call-shifts.ts'
import type { OnCallLayer } from '#core/contacts/on-call-schedule.ts'

export const quarterMs = 900_000
const dayMs = 86_400_000

/**
 * Who is on call in each quarter of an hour, as somebody finds out who looks at a clock on the wall every quarter and
 * hands over whenever it has reached the time for that. Of a clock that is put back, that person waits until it shows
 * later times again.
 */
export function walk(schedule: OnCallSchedule, { from, until }: { from: Date; until: Date }): (string | null)[] {
  const watches = schedule.layers.map(createWatch)
  const read = createWallClock(schedule.timeZone)
  const starts = schedule.layers.map(({ start_date: day }) => Date.parse(`${day}T00:00:00Z`) - 2 * dayMs)
  const found: (string | null)[] = []
  let latest = -Infinity
  for (let at = Math.min(from.getTime(), ...starts); at < until.getTime(); at += quarterMs) {
    latest = Math.max(latest, read(at))
    const onDuty = watches.map((watch) => watch(latest))
    if (at >= from.getTime()) found.push(overridden(schedule, at, onDuty.findLast((id) => id !== null) ?? null))
  }
  return found
}

function overridden({ overrides }: OnCallSchedule, at: number, contactId: string | null): string | null {
  let result = contactId
  for (const override of overrides)
    if (override.startsAt.getTime() <= at && at < override.endsAt.getTime()) result = override.contactId
  return result
}

function createWatch(layer: OnCallLayer): (wall: number) => string | null {
  const [hours = 0, minutes = 0] = layer.hand_over.split(':').map(Number)
  const begins = new Date(`${layer.start_date}T00:00:00Z`)
  begins.setUTCHours(hours, minutes)
  const next = new Date(begins)
  if (layer.rotation.unit === 'weeks' && layer.weekday !== null)
    while (isoWeekday(next.getTime()) !== layer.weekday) next.setUTCDate(next.getUTCDate() - 1)
  let turn = -1
  return (wall) => {
    while (next.getTime() <= wall) {
      turn += 1
      if (layer.rotation.unit === 'hours') next.setUTCHours(next.getUTCHours() + layer.rotation.every)
      else next.setUTCDate(next.getUTCDate() + layer.rotation.every * (layer.rotation.unit === 'weeks' ? 7 : 1))
    }
    if (wall < begins.getTime() || layer.participants.length === 0 || !isAllowed(layer, wall)) return null
    return layer.participants[turn % layer.participants.length] ?? null
  }
}

function isAllowed({ restrictions }: OnCallLayer, wall: number): boolean {
  const time = new Date(wall).toISOString().slice(11, 16)
  const [today, yesterday] = [isoWeekday(wall), isoWeekday(wall - dayMs)]
  return (
    restrictions.length === 0 ||
    restrictions.some(({ weekdays, starts, ends }) => {
      if (starts < ends) return weekdays.includes(today) && starts <= time && time < ends
      return (weekdays.includes(today) && starts <= time) || (weekdays.includes(yesterday) && time < ends)
    })
  )
}

function isoWeekday(wall: number): number {
  return new Date(wall).getUTCDay() || 7
}

function createWallClock(timeZone: string): (at: number) => number {
  const digits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const format = new Intl.DateTimeFormat('sv', { timeZone, year: 'numeric', hourCycle: 'h23', ...digits })
  return (at) => Date.parse(`${format.format(at).replace(' ', 'T')}:00Z`)
}
