import type { Assignment } from '#core/check.ts'
import { Heap } from '#core/heap.ts'
import { openRound } from '#core/round.ts'
import { dueFrom } from '#core/schedule.ts'
import type { PresenceBook } from './presence.ts'
import { type OpenRound, openRoundOf, type Watched } from './watched.ts'

export type Scheduler = {
  /** Begins or goes on to schedule a monitor: at once, or at its next time. */
  schedule: (watched: Watched, options: { isAtOnce: boolean; nowMs: number }) => void
  remove: (watched: Watched) => void
  /** Opens the rounds that are due and hands out their assignments. Returns how late each was, for the metrics. */
  tick: (nowMs: number) => void
  hasExpired: (nowMs: number) => boolean
  /** Rounds whose deadline has passed; they stay open until `close`. */
  expired: (nowMs: number) => OpenRound[]
  /** Puts a round on the books that was not opened by a tick: one that a takeover found half answered. */
  adopt: (round: OpenRound) => void
  close: (round: OpenRound, nowMs: number) => void
  readonly scheduled: number
}

export type SchedulerOptions = {
  presence: PresenceBook
  assign: (location: string, prober: string, assignments: Assignment[]) => void
  /** Told of each round that begins: milliseconds late. And of ticks skipped because a round was still open. */
  onRound: (lagMs: number) => void
  onSkipped: () => void
  /** Told of a deadline that passed, or of a group that is due: their results are made here, not at a location. */
  onOwn: (watched: Watched, scheduledMs: number) => void
}

/** Assignments of one message: ids and numbers only, well below the bus's limit. */
const maxAssignmentsPerMessage = 2_000

export function createScheduler(options: SchedulerOptions): Scheduler {
  const due = new Heap<Watched>()
  const deadlines = new Heap<OpenRound>()
  return {
    get scheduled() {
      return due.size
    },
    schedule: (watched, { isAtOnce, nowMs }) => {
      if (watched.source.type === 'called') return placeDeadline(due, watched, watched.source.deadline)
      watched.dueMs = isAtOnce ? nowMs : dueFrom(nowMs, watched)
      due.place(watched)
    },
    remove: (watched) => {
      due.remove(watched)
      if (watched.open !== null) deadlines.remove(watched.open)
    },
    tick: (nowMs) => {
      const outgoing = new Map<string, Outgoing>()
      for (let next = due.peek(); next !== undefined && next.dueMs <= nowMs; next = due.peek()) {
        const scheduledMs = next.dueMs
        if (next.source.type === 'called') {
          due.remove(next)
          options.onOwn(next, scheduledMs)
          continue
        }
        // Ticks that were missed are not made up: the next one lies after now.
        next.dueMs = dueFrom(Math.max(nowMs, scheduledMs) + 1, next)
        due.place(next)
        if (next.source.type === 'group') options.onOwn(next, scheduledMs)
        else if (next.open === null) begin(next, scheduledMs, { nowMs, outgoing, options, deadlines })
        else options.onSkipped()
      }
      for (const { location, prober, assignments } of outgoing.values())
        for (let from = 0; from < assignments.length; from += maxAssignmentsPerMessage)
          options.assign(location, prober, assignments.slice(from, from + maxAssignmentsPerMessage))
    },
    hasExpired: (nowMs) => (deadlines.peek()?.dueMs ?? Infinity) <= nowMs,
    expired: (nowMs) => expiredOf(deadlines, nowMs),
    adopt: (round) => {
      round.watched.open = round
      deadlines.place(round)
    },
    close: (round, nowMs) => {
      deadlines.remove(round)
      const { watched } = round
      if (watched.open !== round) return
      watched.open = null
      if (round.round.waiting.length > 0 && round.dueMs > nowMs) {
        watched.busy ??= new Map()
        for (const location of round.round.waiting) watched.busy.set(location, round.dueMs)
      }
    },
  }
}

function expiredOf(deadlines: Heap<OpenRound>, nowMs: number): OpenRound[] {
  const passed: OpenRound[] = []
  for (let next = deadlines.peek(); next !== undefined && next.dueMs <= nowMs; next = deadlines.peek()) {
    deadlines.remove(next)
    passed.push(next)
  }
  for (const round of passed) deadlines.place(round)
  return passed
}

/** Nothing is missed before the first call. */
function placeDeadline(due: Heap<Watched>, watched: Watched, deadline: number | null): void {
  if (deadline === null) return due.remove(watched)
  watched.dueMs = deadline / 1000
  due.place(watched)
}

type Outgoing = { location: string; prober: string; assignments: Assignment[] }
type Beginning = {
  nowMs: number
  outgoing: Map<string, Outgoing>
  options: SchedulerOptions
  deadlines: Heap<OpenRound>
}

/** Every chosen location that is online and not busy takes part; with none of them there is no round. */
function begin(watched: Watched, scheduledMs: number, { nowMs, outgoing, options, deadlines }: Beginning): void {
  const time = scheduledMs * 1000
  const taking: string[] = []
  for (const location of watched.locations) {
    if (isBusy(watched, location, nowMs)) continue
    const prober = options.presence.proberFor(location, watched.id, nowMs)
    if (prober === null) continue
    taking.push(location)
    const address = `${location}/${prober}`
    const message = outgoing.get(address) ?? { location, prober, assignments: [] }
    message.assignments.push({ monitorId: watched.id, version: watched.version, round: time })
    outgoing.set(address, message)
  }
  if (taking.length === 0) return
  options.onRound(nowMs - scheduledMs)
  const round = openRoundOf(watched, time, openRound(taking))
  watched.open = round
  deadlines.place(round)
}

function isBusy({ busy }: Watched, location: string, nowMs: number): boolean {
  const until = busy?.get(location)
  return until !== undefined && until > nowMs
}
