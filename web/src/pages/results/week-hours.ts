import type { HoursOfResponse } from '../../api/monitors.ts'

/** A weekday, from 1 for Monday, and an hour of it, from 0. */
export type HourOfWeek = { weekday: number; hour: number }

/** Its mean response time over some weeks, null where nothing was measured. */
export type WeekHour = HourOfWeek & { ms: number | null; checks: number }

const days = [1, 2, 3, 4, 5, 6, 7]
const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** The hours of the week as clocks of a zone show them, Monday (1) first. An hour that begins in another counts to it. */
export function weekHours(data: HoursOfResponse['data'], zone: string): WeekHour[] {
  const placeOf = placesIn(zone)
  const sums = new Map<number, { total: number; checks: number }>()
  for (const { at, checks, latency_ms: mean, p50_ms: median } of data) {
    const ms = mean ?? median
    if (ms === null) continue
    const place = placeOf(new Date(at))
    const sum = sums.get(place) ?? { total: 0, checks: 0 }
    sums.set(place, { total: sum.total + ms * checks, checks: sum.checks + checks })
  }
  return days.flatMap((weekday) =>
    hours.map((hour) => {
      const { total, checks } = sums.get(weekday * 24 + hour) ?? { total: 0, checks: 0 }
      return { weekday, hour, ms: checks === 0 ? null : Math.round(total / checks), checks }
    }),
  )
}

/** The hours, one a week, of which one of the week is made, the newest first. */
export function timesOf(
  data: HoursOfResponse['data'],
  zone: string,
  { weekday, hour }: HourOfWeek,
): { at: string; ms: number; checks: number }[] {
  const placeOf = placesIn(zone)
  const found = data.flatMap(({ at, checks, latency_ms: mean, p50_ms: median }) => {
    const ms = mean ?? median
    return ms !== null && placeOf(new Date(at)) === weekday * 24 + hour ? [{ at, ms, checks }] : []
  })
  return found.toReversed()
}

/** One format for all of them: each takes longer to make than to use. */
function placesIn(zone: string): (at: Date) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    hourCycle: 'h23',
  })
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const read = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
    const date = new Date(Date.UTC(read('year'), read('month') - 1, read('day')))
    return (date.getUTCDay() === 0 ? 7 : date.getUTCDay()) * 24 + read('hour')
  }
}

export const levels = 5

/** From 0, the fastest, to the highest level: by where it stands between the fastest and the slowest hour. */
export function levelOf(ms: number, [least, most]: readonly [number, number]): number {
  if (most <= least) return 0
  return Math.min(levels - 1, Math.floor(((ms - least) / (most - least)) * levels))
}
