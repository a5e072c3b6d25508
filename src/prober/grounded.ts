// A failure is the target's only if this machine had a network meanwhile
// (docs/decisions/rounds-and-time.md, "The prober's own network").
import { maxTextLength, type Verdict } from '#core/results/result.ts'
import type { Ground } from '#net/ground/ground.ts'
import type { Sight } from '#net/ground/sight.ts'
import { type Mark, newTrace, type Trace, type Traffic } from '#net/ground/trace.ts'
import { createUntoldRounds } from './untold-rounds.ts'
import { systemTime, type Time } from '#time/time.ts'

export type GroundedCheck = {
  /** Null for a trial, which has no rounds before it. */
  monitorId: string | null
  mark: Mark
  /** The share key of its workspace, "" where it has none. */
  share: string
  /** What the check sees is written there. Default: nowhere. */
  sight?: Sight | null
  /** Gets the address that the check reached first, as it was dialled. Default: it is told nowhere. */
  reached?: Reached
  /** By `steadyMs`: a check that begins later may end too late for its round, one that ends later does. */
  lastStartMs: number
  lastEndMs: number
  run: () => Promise<Verdict | null>
}

/** `address` stays null where the check reached nothing. */
export type Reached = { address: string | null }

/** Checks that tell a failure only where it is certain that this machine had a network, as far as that can be known. */
export type GroundedChecks = { check: (check: GroundedCheck) => Promise<Verdict | null> }

/** For so long references are asked whether they answer at a check's end, where that is not known yet. */
const answerMs = 1_000

export function createGroundedChecks(
  ground: Ground,
  traffic: Pick<Traffic, 'during'>,
  { steadyMs }: Pick<Time, 'steadyMs'> = systemTime,
): GroundedChecks {
  const untold = createUntoldRounds()

  /** While references answer when a check ends, a network that comes and goes must not hide an outage that lasts. */
  async function withhold(monitorId: string | null, verdict: Verdict, trace: Trace): Promise<Verdict | null> {
    if (monitorId === null) return null
    if (!ground.answersNow(trace) && !(await ground.isBack(trace, steadyMs() + answerMs))) return null
    return untold.mayWithhold(monitorId) ? null : verdict
  }

  async function once(trace: Trace, run: () => Promise<Verdict | null>): Promise<Verdict | null> {
    ground.watch(trace)
    try {
      return await traffic.during(trace, run)
    } finally {
      ground.unwatch(trace)
    }
  }

  async function check(asked: GroundedCheck): Promise<Verdict | null> {
    const { monitorId, mark, share, sight = null, reached, lastStartMs, lastEndMs, run } = asked
    for (let isRepeat = false; ; isRepeat = true) {
      const trace = newTrace(mark, share, sight)
      const verdict = await once(trace, run)
      if (reached !== undefined) reached.address = trace.reachedAt
      const standing = verdict?.status === 'down' ? await ground.standing(trace) : 'held'
      if (verdict !== null && standing === 'lost') {
        const isInTime = !isRepeat && steadyMs() < lastStartMs
        if (isInTime && (await ground.isBack(trace, lastStartMs))) continue
        return withhold(monitorId, verdict, trace)
      }
      const isUntold = verdict === null || (verdict.status === 'down' && steadyMs() > lastEndMs)
      if (monitorId !== null && isUntold && isRepeat) untold.mayWithhold(monitorId)
      if (monitorId !== null && verdict !== null && verdict.status !== 'down') untold.told(monitorId)
      return verdict !== null && standing === 'unverified' ? unverified(verdict) : verdict
    }
  }

  return { check }
}

const word = ' (own network not verified)'

/** Says so in the text, which stands in results, incidents and alerts. */
function unverified(verdict: Verdict): Verdict {
  const { error, details } = verdict
  const text = error ?? 'The target is down'
  const room = maxTextLength - word.length
  const cut = text.length > room ? `${text.slice(0, room - 1)}…` : text
  return { ...verdict, error: `${cut}${word}`, details: { ...details, own_network: 'not verified' } }
}
