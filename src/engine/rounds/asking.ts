import type { Assignment } from '#core/monitors/check.ts'
import type { Heap } from '#core/language/heap.ts'
import { roundGraceMs } from '#core/results/round.ts'
import type { PresenceBook } from '#engine/locations/presence.ts'
import type { OpenRound } from './watched.ts'

/** Assignments that are gathered before they are sent, by location and prober. */
export type Outgoing = Map<string, { location: string; prober: string; assignments: Assignment[] }>
export type Asking = { nowMs: number; presence: PresenceBook; outgoing: Outgoing }
type Reviewing = { presence: PresenceBook; assign: Assign; isHeld: (partition: number) => boolean }
export type Assign = (location: string, prober: string, assignments: Assignment[]) => void

/** Assignments in one message: an id and two numbers each, far below the bus's limit. */
const maxAssignmentsPerMessage = 2_000

export function send(outgoing: Outgoing, assign: Assign): void {
  for (const { location, prober, assignments } of outgoing.values())
    for (let from = 0; from < assignments.length; from += maxAssignmentsPerMessage)
      assign(location, prober, assignments.slice(from, from + maxAssignmentsPerMessage))
}

/** False when no prober of the location is online. */
export function ask(open: OpenRound, location: string, { nowMs, presence, outgoing }: Asking): boolean {
  const { watched, time, wantsViews } = open
  const prober = presence.proberFor(location, watched, nowMs)
  if (prober === null) return false
  const address = `${location}/${prober}`
  const message = outgoing.get(address) ?? { location, prober, assignments: [] }
  message.assignments.push({
    monitorId: watched.id,
    version: watched.version,
    round: time,
    ...(wantsViews ? { wantsView: true } : {}),
  })
  outgoing.set(address, message)
  open.asked = [...open.asked.filter((asked) => asked.location !== location), { location, prober, askedMs: nowMs }]
  return true
}

/**
 * Asks again where no prober is known to have received the assignment, also for rounds that another engine opened. A
 * round that no prober can answer any more is due now. A check that begins after the round's grace would tell of a later
 * time than the round is named after.
 */
export function reviewAll(
  deadlines: Heap<OpenRound>,
  { nowMs, presence, assign, isHeld }: Reviewing & { nowMs: number },
): void {
  const asking: Asking = { nowMs, presence, outgoing: new Map() }
  const ours = [...deadlines.values()].filter(({ watched }) => isHeld(watched.partition))
  const lost = ours.filter((open) => !isWaitedFor(open, asking))
  for (const open of lost) {
    open.dueMs = Math.min(open.dueMs, nowMs)
    deadlines.place(open)
  }
  send(asking.outgoing, assign)
}

/** Whether a prober may still answer, after asking again where that is needed. */
function isWaitedFor(open: OpenRound, asking: Asking): boolean {
  const { nowMs, presence } = asking
  const isTooLate = nowMs > open.time / 1000 + roundGraceMs
  const answering = open.round.waiting.filter((location) => {
    const asked = open.asked.find((each) => each.location === location)
    if (asked !== undefined && presence.hasHeard(asked, nowMs)) return true
    // Another engine may have asked, or this one before it read the round anew.
    return isTooLate ? asked === undefined : ask(open, location, asking)
  })
  return answering.length > 0
}
