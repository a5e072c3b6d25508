import type { Assignment } from '#core/monitors/check.ts'
import { Heap } from '#core/language/heap.ts'
import { openRound } from '#core/results/round.ts'
import { dueFrom } from '#core/monitors/schedule.ts'
import { ask, type Asking, reviewAll, send } from './asking.ts'
import type { PresenceBook } from '#engine/locations/presence.ts'
import { isAskDue } from './view-asks.ts'
import { type OpenRound, openRoundOf, type Watched } from './watched.ts'

export type Scheduler = {
  /** Begins or goes on to schedule a monitor: at once, or at its next time. */
  schedule: (watched: Watched, options: { isAtOnce: boolean; nowMs: number }) => void
  /** Begins to schedule a monitor that may have missed a time of its own while no engine watched it. */
  resume: (watched: Watched, nowMs: number) => void
  remove: (watched: Watched) => void
  /** Opens the rounds that are due and sends their assignments. */
  tick: (nowMs: number) => void
  hasExpired: (nowMs: number) => boolean
  /** Rounds whose deadline has passed; they stay open until `close`. */
  expired: (nowMs: number) => OpenRound[]
  /** Takes in a round that no tick of this engine opened: one that a takeover found half answered. */
  adopt: (round: OpenRound) => void
  /**
   * Asks again where the prober that was asked is gone or may not have received the assignment. A round that waits only
   * for locations without a prober has nothing to wait for: its deadline is now.
   */
  review: (nowMs: number) => void
  /** Whether rounds were adopted since the last review: this engine has sent no assignments for them. */
  readonly hasUnasked: boolean
  close: (round: OpenRound, nowMs: number) => void
  /** The next round is due at this time at the latest, and those after it as ever. */
  soon: (watched: Watched, atMs: number) => void
  /** A round came to nothing: the next one is due in a minute at the latest. */
  again: (watched: Watched, nowMs: number) => void
  readonly scheduled: number
  /** When the next monitor is due; Infinity where none is. */
  readonly nextDueMs: number
  readonly openRounds: number
  /** How late the most overdue round is, in milliseconds; 0 when none is due. */
  lagMs: (nowMs: number) => number
}

/** When monitors are due, by their ids; milliseconds since 1970. */
export type Planned = Map<string, number>

export type SchedulerOptions = {
  /** What an engine before this one in the same process had planned; each is taken out when it is resumed. */
  planned?: Planned
  presence: PresenceBook
  /**
   * Monitors of a partition that another engine took stay in memory for a while: no round of theirs begins or is asked
   * for.
   */
  isHeld: (partition: number) => boolean
  assign: (location: string, prober: string, assignments: Assignment[]) => void
  /**
   * From 1 to 999 and hardly ever that of another engine, nor of this one before its clock jumped. Rounds of a time that
   * the clock comes through again are named so many microseconds later.
   */
  againUs: number
  /** Called with how late each round began, in milliseconds. */
  onRound: (lagMs: number) => void
  /** Called for each tick that was skipped because the monitor's round was still open. */
  onSkipped: () => void
  /** Called when a deadline passed or a group is due: the engine makes their results, no location does. */
  onSelfMadeDue: (watched: Watched, scheduledMs: number) => void
  /** Called when another monitor became the first that is due. Default: nothing depends on it. */
  onNextDue?: () => void
}

/** A round that could only begin later than this is left out, for it would show a time at which nothing was checked. */
const maxLateMs = 10_000
/** Monitors of this interval or a shorter one are due again soon: a missed time is not made up for. */
const oftenMs = 60_000
/** How soon a monitor is checked again whose round told nothing (docs/decisions/rounds-and-time.md). */
const againMs = 60_000
/**
 * Missed times are made up for once, spread over this share of the interval, so that an outage ends without a flood.
 */
const spreadShare = 0.1
const leastSpreadMs = 30_000

export function createScheduler(options: SchedulerOptions): Scheduler {
  const due = new Heap<Watched>(options.onNextDue)
  const deadlines = new Heap<OpenRound>()
  let hasUnasked = false
  return {
    get scheduled() {
      return due.size
    },
    get nextDueMs() {
      return due.peek()?.dueMs ?? Infinity
    },
    get openRounds() {
      return deadlines.size
    },
    schedule: (watched, { isAtOnce, nowMs }) => {
      if (watched.source.type === 'called') return placeDeadline(due, watched, watched.source.deadline)
      watched.dueMs = isAtOnce ? nowMs : dueFrom(nowMs, watched)
      due.place(watched)
    },
    resume: (watched, nowMs) => {
      if (watched.source.type === 'called') return placeDeadline(due, watched, watched.source.deadline)
      watched.dueMs = options.planned?.get(watched.id) ?? resumedFrom(nowMs, watched)
      options.planned?.delete(watched.id)
      due.place(watched)
    },
    remove: (watched) => {
      due.remove(watched)
      if (watched.open !== null) deadlines.remove(watched.open)
    },
    tick: (nowMs) => openDue({ due, deadlines, options }, nowMs),
    lagMs: (nowMs) => Math.max(0, nowMs - (due.peek()?.dueMs ?? nowMs)),
    hasExpired: (nowMs) => (deadlines.peek()?.dueMs ?? Infinity) <= nowMs,
    expired: (nowMs) => expiredOf(deadlines, nowMs),
    adopt: (round) => {
      hasUnasked = true
      round.watched.open = round
      deadlines.place(round)
    },
    get hasUnasked() {
      return hasUnasked
    },
    review: (nowMs) => {
      hasUnasked = false
      reviewAll(deadlines, { nowMs, ...options })
    },
    close: (round, nowMs) => {
      deadlines.remove(round)
      if (round.watched.open === round) end(round, nowMs)
      passOver(due, round, nowMs)
    },
    soon: (watched, atMs) => placeSoon(due, watched, atMs),
    again: (watched, nowMs) => placeSoon(due, watched, nowMs + againMs),
  }
}

type Books = { due: Heap<Watched>; deadlines: Heap<OpenRound>; options: SchedulerOptions }

function openDue({ due, deadlines, options }: Books, nowMs: number): void {
  const asking: Asking = { nowMs, presence: options.presence, outgoing: new Map() }
  for (let next = due.peek(); next !== undefined && next.dueMs <= nowMs; next = due.peek()) {
    const scheduledMs = next.dueMs
    if (next.source.type === 'called') {
      due.remove(next)
      options.onSelfMadeDue(next, scheduledMs)
      continue
    }
    placeNext(due, next, nowMs)
    if (nowMs - scheduledMs > maxLateMs || !options.isHeld(next.partition)) continue
    if (next.source.type === 'group') options.onSelfMadeDue(next, scheduledMs)
    else if (next.open !== null) options.onSkipped()
    else if (!begin(next, scheduledMs, { asking, options, deadlines })) placeSoon(due, next, nowMs + againMs)
  }
  send(asking.outgoing, options.assign)
}

/** A monitor that is removed or waits for calls is left alone. */
function placeSoon(due: Heap<Watched>, watched: Watched, atMs: number): void {
  if (watched.heapIndex === -1 || watched.source.type !== 'probed' || watched.dueMs <= atMs) return
  watched.dueMs = atMs
  due.place(watched)
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

function placeNext(due: Heap<Watched>, watched: Watched, nowMs: number): void {
  const isMissed = nowMs - watched.dueMs > maxLateMs && !isOften(watched)
  watched.dueMs = isMissed ? madeUpFrom(nowMs + 1, watched) : dueFrom(Math.max(nowMs, watched.dueMs) + 1, watched)
  due.place(watched)
}

/**
 * For monitors that are due often, only a time that a handover has just cost is made up for, because there are many.
 */
function resumedFrom(nowMs: number, watched: Watched): number {
  const nextMs = dueFrom(nowMs, watched)
  const missedMs = nextMs - watched.intervalMs
  const hasMissed = watched.standing.status === 'pending' || missedMs > watched.foldedUntil / 1000
  const isJustMissed = watched.standing.status !== 'pending' && nowMs - missedMs <= maxLateMs
  return hasMissed && (isJustMissed || !isOften(watched)) ? madeUpFrom(nowMs, watched) : nextMs
}

/** Soon, unless the next regular time is near: two failures in a row shall lie about an interval apart. */
function madeUpFrom(nowMs: number, watched: Watched): number {
  const { intervalMs, phaseMs } = watched
  const nextMs = dueFrom(nowMs, watched)
  if (nextMs - nowMs <= intervalMs / 2) return nextMs
  const shareMs = intervalMs * spreadShare
  return nowMs + (phaseMs % (isOften(watched) ? shareMs : Math.max(leastSpreadMs, shareMs)))
}

function isOften({ intervalMs }: Watched): boolean {
  return intervalMs <= oftenMs
}

/** Locations that have not answered may still be checking. */
function end({ watched, round, dueMs }: OpenRound, nowMs: number): void {
  watched.open = null
  if (round.waiting.length === 0 || dueMs <= nowMs) return
  watched.busy ??= new Map()
  for (const location of round.waiting) watched.busy.set(location, dueMs)
}

/** Where another engine began the round, a time before that may still be due here. It has been found by the round. */
function passOver(due: Heap<Watched>, { watched, time }: OpenRound, nowMs: number): void {
  if (watched.heapIndex === -1 || watched.source.type !== 'probed' || watched.dueMs * 1000 > time) return
  watched.dueMs = dueFrom(Math.max(nowMs, watched.dueMs) + 1, watched)
  due.place(watched)
}

/** No deadline can be missed before the first call. */
function placeDeadline(due: Heap<Watched>, watched: Watched, deadline: number | null): void {
  if (deadline === null) return due.remove(watched)
  watched.dueMs = deadline / 1000
  due.place(watched)
}

type Beginning = {
  asking: Asking
  options: Pick<SchedulerOptions, 'onRound' | 'againUs'>
  deadlines: Heap<OpenRound>
}

/** Every chosen location that is online and not busy takes part; with none of them there is no round: false. */
function begin(watched: Watched, scheduledMs: number, { asking, options, deadlines }: Beginning): boolean {
  const { nowMs } = asking
  const open = openRoundOf(watched, nameOf(watched, scheduledMs, options), openRound([]))
  open.wantsViews = isAskDue(watched.viewAsk, nowMs)
  const free = watched.locations.filter((location) => !isBusy(watched, location, nowMs))
  const taking = free.filter((location) => ask(open, location, asking))
  if (taking.length === 0) return false
  if (open.wantsViews && watched.viewAsk !== null) watched.viewAsk.askedMs = nowMs
  options.onRound(nowMs - scheduledMs)
  open.round = openRound(taking, asking.presence.witnesses(taking, watched, nowMs))
  watched.open = open
  deadlines.place(open)
  return true
}

/**
 * A result is identified by its round: where the clock went back, results of the same name may be there already, and what
 * is found now would count as sent twice.
 */
function nameOf({ foldedUntil }: Watched, scheduledMs: number, { againUs }: Pick<SchedulerOptions, 'againUs'>): number {
  const time = scheduledMs * 1000
  return time > foldedUntil ? time : time + againUs
}

function isBusy({ busy }: Watched, location: string, nowMs: number): boolean {
  const until = busy?.get(location)
  return until !== undefined && until > nowMs
}
