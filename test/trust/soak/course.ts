// The course of a soak: what is read of the service every few seconds, a line for each minute, and what must not be.
import type { Database } from '#store/database/database.ts'
import { pause } from '../../support/pause.ts'
import { growthAnHour, type Sample } from './judge.ts'
import {
  type Extent,
  extentOf,
  lagOfShare,
  lagsBetween,
  othersShare,
  type Reading,
  readNow,
  type Watched,
} from './readings.ts'

export type Course = { findings: string[]; table: string[] }

type Minute = { from: Reading; to: Reading; extent: Extent; others: number }

export type Followed = {
  watched: Watched
  database: Database
  durationMs: number
  report: (line: string) => void
}

const readEveryMs = 10_000
const minuteMs = 60_000
const latestMs = 250
const share = 0.99
/** Where other programs take more than this share of the machine, times of that minute say nothing of the service. */
const muchOfTheMachine = 0.25
/**
 * 64 MiB an hour. The smallest object that is left over of each check, 32 bytes and its place in a list, would be twice
 * as much at a thousand checks a second; a heap that breathes by 30 MiB makes an error of a fourth of it.
 */
const mostMbAnHour = 64
/** Of handles, one left over of each outage or every fortieth second would be more. */
const mostHandlesAnHour = 100
const heads = [
  'minute',
  'service MiB',
  'heap MiB',
  'PostgreSQL MiB',
  'stand-ins MiB',
  'checks/s',
  'lag p99 ms',
  'rows',
  'folder MiB',
  'handles',
  'others %',
]

export async function followCourse({ watched, database, durationMs, report }: Followed): Promise<Course> {
  const beganMs = performance.now()
  const readings: Reading[] = [await readNow(watched)]
  const minutes: Minute[] = []
  report(heads.join(' | '))
  for (let next = beganMs + readEveryMs; next <= beganMs + durationMs; next += readEveryMs) {
    await pause(Math.max(0, next - performance.now()))
    if (!watched.service.isAlive()) return { findings: ['The service has ended.'], table: [] }
    const reading = await readNow(watched)
    readings.push(reading)
    const from = minutes.at(-1)?.to ?? readings[0] ?? reading
    if (reading.atMs - from.atMs < minuteMs - readEveryMs / 2) continue
    minutes.push({
      from,
      to: reading,
      extent: await extentOf(watched.service, database),
      others: othersShare(from, reading),
    })
    report(cellsOf(minutes.length, minutes.at(-1)).join(' | '))
  }
  return { findings: findingsOf(readings, minutes), table: tableOf(readings, minutes) }
}

function findingsOf(readings: readonly Reading[], minutes: readonly Minute[]): string[] {
  const late = minutes.flatMap((minute, index) => {
    if (!isLate(minute) || minute.others > muchOfTheMachine) return []
    const lagMs = Math.round(lagOf(minute))
    return [`In minute ${index + 1}, the lag of the schedule was ${lagMs} ms at the 99th percentile.`]
  })
  const grown = growthsOf(readings).flatMap(({ name, anHour, most }) =>
    anHour !== null && anHour > most
      ? [`${name} grew by ${Math.round(anHour)} an hour in the second half; ${most} are allowed.`]
      : [],
  )
  return [...late, ...grown]
}

function lagOf({ from, to }: Minute): number {
  return lagOfShare(lagsBetween(from.lags, to.lags), share)
}

function isLate(minute: Minute): boolean {
  return lagOf(minute) > latestMs
}

type Growth = { name: string; anHour: number | null; most: number }

function growthsOf(readings: readonly Reading[]): Growth[] {
  const growth = (name: string, valueOf: (reading: Reading) => number, most = mostMbAnHour): Growth => ({
    name,
    anHour: growthAnHour(readings.map((reading): Sample => ({ atMs: reading.atMs, value: valueOf(reading) }))),
    most,
  })
  return [
    growth('The memory of the service (MiB)', ({ memory }) => memory.service),
    growth('The heap of its main thread (MiB)', ({ memory }) => memory.heap),
    growth('The memory outside of that heap (MiB)', ({ memory }) => memory.external),
    growth('The own memory of the processes of PostgreSQL (MiB)', ({ memory }) => memory.database),
    growth('The number of open handles', ({ handles }) => handles, mostHandlesAnHour),
  ]
}

function cellsOf(number: number, minute: Minute | undefined): string[] {
  if (minute === undefined) return []
  const { from, to, extent, others } = minute
  const seconds = (to.atMs - from.atMs) / 1000
  return [
    number,
    to.memory.service,
    to.memory.heap,
    to.memory.database,
    to.memory.standIns,
    (to.stored - from.stored) / seconds,
    lagOf(minute),
    extent.rows,
    extent.folderMb,
    to.handles,
    others * 100,
  ].map((value) => Math.round(value).toLocaleString('en-US'))
}

function tableOf(readings: readonly Reading[], minutes: readonly Minute[]): string[] {
  const rows = minutes.map((minute, index) => cellsOf(index + 1, minute))
  const [first, last] = [readings[0], readings.at(-1)]
  const lags = first === undefined || last === undefined ? [] : lagsBetween(first.lags, last.lags)
  const growths = growthsOf(readings).map(
    ({ name, anHour, most }) =>
      `${name}: ${anHour === null ? 'too short to say' : `${anHour.toFixed(1)} an hour in the second half`}, ${most} allowed`,
  )
  const unjudged = minutes.filter((minute) => isLate(minute) && minute.others > muchOfTheMachine).length
  return [
    ...[heads, heads.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`),
    ...growths,
    `lag of the schedule over all: p50 ${lagOfShare(lags, 0.5).toFixed(0)} ms, p99 ${lagOfShare(lags, share).toFixed(0)} ms`,
    `minutes whose lag was over ${latestMs} ms and is not judged, because others kept the machine busy: ${unjudged}`,
  ]
}
