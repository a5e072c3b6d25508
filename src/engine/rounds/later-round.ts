import { type RoundAnswer, addReport, openRound, outcomeOf, type Witnesses } from '#core/results/round.ts'
import type { Scheduler } from './scheduler.ts'
import { openRoundOf, type Watched } from './watched.ts'

type Ended = { scheduler: Scheduler; witnessesOf: (watched: Watched) => Witnesses; nowMs: number }

/** A location that could not tell may say so any number of times. */
export function setAside(watched: Watched, time: number, answer: RoundAnswer): void {
  const later = (watched.later ??= { time, answers: [] })
  if (later.time === time && later.answers.every(({ location }) => location !== answer.location))
    later.answers.push(answer)
}

/** To be called when a round of the monitor may have ended: what was set aside counts as if it came now. */
export function takeUpLater(watched: Watched, { scheduler, witnessesOf, nowMs }: Ended): void {
  const { later, settings } = watched
  if (later === null || (watched.open !== null && watched.open.time < later.time)) return
  watched.later = null
  if (later.time <= watched.foldedUntil) return
  const open = watched.open ?? openRoundOf(watched, later.time, openRound(watched.locations, witnessesOf(watched)))
  if (open.time !== later.time) return
  for (const { location, verdict } of later.answers) addReport(open.round, location, verdict)
  const { confirmationThreshold } = settings
  if (outcomeOf(open.round, { confirmationThreshold, isPastDeadline: false }) !== null) open.dueMs = nowMs
  scheduler.adopt(open)
}
