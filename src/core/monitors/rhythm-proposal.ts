// When a job is expected, as far as the calls that were seen say (docs/kinds/heartbeat.md, "A proposal").
import { z } from 'zod'
import type { ResultRecord } from '#core/results/result.ts'
import { type CallSchedule, dueAfter } from './call-schedule.ts'

/** The newest results that are looked at. */
export const lookedAtResults = 200
/** Fewer calls may come at such times by chance. */
export const leastCalls = 8
/** So many of the calls have to fit, and of the times that are proposed. */
const leastShare = 0.95

const minuteMs = 60_000
const dayMinutes = 1440
/** People choose round minutes, and a job calls a while after its time. */
const roundMinutes = 5
const leastGraceSeconds = 300
const mostSeconds = 86_400

export const rhythmProposalSchema = z.strictObject({
  calls: z.int().describe('How many calls were looked at.'),
  interval_seconds: z.int().nullable().describe('Null where a schedule fits.'),
  schedule: z.string().nullable().describe('For `check_options`, with the zone; null where an interval fits.'),
  time_zone: z.string().nullable(),
  heartbeat_grace_seconds: z.int().describe('Half as much again as the latest call that fits was late, at least 300.'),
})
export type RhythmProposal = z.infer<typeof rhythmProposalSchema>

type Told = Pick<ResultRecord, 'checked_at' | 'latency_ms' | 'repeats' | 'details'>

/**
 * When runs began that called, of results from the newest to the oldest: milliseconds since 1970, oldest first. Results
 * that were merged tell no times of their own, and what is older lies before a gap.
 */
export function callTimesOf(results: readonly Told[]): number[] {
  const merged = results.findIndex(({ repeats }) => repeats > 1)
  return results
    .slice(0, merged === -1 ? results.length : merged)
    .filter(({ details }) => details['source'] === 'ping' || details['source'] === 'fail')
    .map(({ checked_at: at, latency_ms: tookMs }) => Date.parse(at) - (tookMs ?? 0))
    .toSorted((a, b) => a - b)
}

/** Null where there are too few calls, or no rhythm fits nearly all of them. */
export function proposeRhythm(calls: readonly number[], timeZone: string): RhythmProposal | null {
  if (calls.length < leastCalls) return null
  const found = candidatesFor(calls, timeZone).find((candidate) => fits(candidate, calls))
  if (found === undefined) return proposeInterval(calls)
  const { schedule, lateMinutes } = found
  return {
    calls: calls.length,
    interval_seconds: null,
    schedule: schedule.expression,
    time_zone: timeZone,
    heartbeat_grace_seconds: graceOf(lateMinutes * 60),
  }
}

/** A schedule, and by how many minutes calls come later than its times. */
type Candidate = { schedule: CallSchedule; lateMinutes: number }

/** From the rarest on: a job that runs once a day runs within the hours of a day as well. */
function candidatesFor(calls: readonly number[], timeZone: string): Candidate[] {
  const wall = calls.map(wallOf(timeZone))
  const minutes = wall.map(({ minute }) => minute)
  const { start, width } = windowOf(minutes, dayMinutes)
  const inTime = wall.filter(({ minute }) => (minute - start + dayMinutes) % dayMinutes <= width)
  const at = `${start % 60} ${Math.floor(start / 60)}`
  const days = [...new Set(inTime.map(({ day }) => day))]
  const weekdays = [...new Set(inTime.map(({ weekday }) => weekday))].toSorted((a, b) => a - b)
  const ofDays = [
    days.length === 1 ? `${at} ${days.join()} * *` : [],
    weekdays.length < 7 ? `${at} * * ${weekdays.join(',')}` : [],
    `${at} * * *`,
  ].flat()
  const withTime = ofDays.map((expression) => ({ schedule: { expression, timeZone }, lateMinutes: width }))
  return [...withTime, ...[60, 30, 20, 15, 10, 5].map((period) => ofHours(minutes, { period, timeZone }))]
}

function ofHours(minutes: readonly number[], { period, timeZone }: { period: number; timeZone: string }): Candidate {
  const { start, width } = windowOf(
    minutes.map((minute) => minute % period),
    period,
  )
  const every = Array.from({ length: 60 / period }, (_, place) => start + place * period).join(',')
  const expression = `${start === 0 && period < 60 ? `*/${period}` : every} * * * *`
  return { schedule: { expression, timeZone }, lateMinutes: width }
}

/** On a circle of so many minutes: the shortest way that has nearly all of these, from a round minute on. */
function windowOf(minutes: readonly number[], period: number): { start: number; width: number } {
  const sorted = minutes.toSorted((a, b) => a - b)
  const needed = Math.ceil(sorted.length * leastShare)
  const ways = sorted.map((from, place) => {
    const end = place + needed - 1
    const to = (sorted[end % sorted.length] ?? from) + (end < sorted.length ? 0 : period)
    return { from, width: to - from }
  })
  const { from, width } = ways.reduce((best, way) => (way.width < best.width ? way : best))
  const start = from - (from % roundMinutes)
  return { start, width: width + from - start }
}

/** Whether nearly each time of a schedule has a call, and nearly each call is of such a time. */
function fits({ schedule, lateMinutes }: Candidate, calls: readonly number[]): boolean {
  const [first = 0, last = 0] = [calls[0], calls.at(-1)]
  // Times are of a minute, and calls come within it.
  const lateMs = (lateMinutes + 1) * minuteMs
  const most = calls.length / leastShare + 2
  let [times, met, explained] = [0, 0, 0]
  for (let at = dueAfter(schedule, (first - lateMs) * 1000); at !== null && at / 1000 <= last;) {
    const dueMs = at / 1000
    const next = dueAfter(schedule, at)
    const of = calls.filter((call) => call >= dueMs && call < Math.min(dueMs + lateMs, (next ?? Infinity) / 1000))
    times += 1
    met += of.length > 0 ? 1 : 0
    explained += of.length
    if (times > most) return false
    at = next
  }
  const needed = calls.length * leastShare
  // One call each: what runs more often has a rarer schedule only by a wide grace.
  return times >= needed && met >= times * leastShare && explained >= needed
}

function proposeInterval(calls: readonly number[]): RhythmProposal | null {
  const gaps = calls.slice(1).map((call, place) => (call - (calls[place] ?? call)) / 1000)
  const sorted = gaps.toSorted((a, b) => a - b)
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 0
  const longest = sorted[Math.ceil(sorted.length * leastShare) - 1] ?? 0
  const interval = Math.ceil(usual / 60) * 60
  const even = gaps.filter((gap) => gap >= usual / 2 && gap <= usual * 1.5)
  if (even.length < gaps.length * leastShare || interval === 0 || interval > mostSeconds) return null
  return {
    calls: calls.length,
    interval_seconds: interval,
    schedule: null,
    time_zone: null,
    heartbeat_grace_seconds: graceOf(longest - interval),
  }
}

function graceOf(lateSeconds: number): number {
  return Math.min(mostSeconds, Math.max(leastGraceSeconds, Math.ceil((lateSeconds * 1.5) / 60) * 60))
}

type Wall = { minute: number; day: number; weekday: number }

/** What the clock on the wall shows: the minute of the day, the day of the month, and the weekday, Sunday as 0. */
function wallOf(timeZone: string): (ms: number) => Wall {
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return (ms) => {
    const shown = new Date(`${format.format(ms).replace(' ', 'T')}Z`)
    return {
      minute: shown.getUTCHours() * 60 + shown.getUTCMinutes(),
      day: shown.getUTCDate(),
      weekday: shown.getUTCDay(),
    }
  }
}
