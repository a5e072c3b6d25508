// A failure is the target's only if this machine had a network meanwhile
// (docs/decisions/rounds-and-time.md, "The prober's own network").
import type { Verdict } from '#core/results/result.ts'
import type { Ground } from '#net/ground/ground.ts'
import { type Mark, newTrace, type Trace, type Traffic } from '#net/ground/trace.ts'

export type GroundedCheck = {
  /** Null for a trial, which has no rounds before it. */
  monitorId: string | null
  mark: Mark
  /** By `performance.now()`: a check that would begin later is of no use to its round. */
  lastStartMs: number
  run: () => Promise<Verdict | null>
}

/** While references answer when a check ends, its failures are withheld for so many rounds in a row and no more. */
const maxWithheld = 2
const maxRemembered = 50_000

/** Checks that tell a failure only where it is certain that this machine had a network, as far as that can be known. */
export type GroundedChecks = { check: (check: GroundedCheck) => Promise<Verdict | null> }

export function createGroundedChecks(ground: Ground, traffic: Pick<Traffic, 'during'>): GroundedChecks {
  const withheld = new Map<string, number>()

  /** A network that comes and goes must not hide an outage that lasts. */
  function withhold(monitorId: string, verdict: Verdict, trace: Trace): Verdict | null {
    if (!ground.answersNow(trace)) return null
    const rounds = withheld.get(monitorId) ?? 0
    withheld.delete(monitorId)
    if (rounds >= maxWithheld) return verdict
    if (withheld.size >= maxRemembered) withheld.clear()
    withheld.set(monitorId, rounds + 1)
    return null
  }

  async function check({ monitorId, mark, lastStartMs, run }: GroundedCheck): Promise<Verdict | null> {
    for (;;) {
      const trace = newTrace(mark)
      ground.watch(trace)
      let verdict: Verdict | null
      try {
        verdict = await traffic.during(trace, run)
      } finally {
        ground.unwatch(trace)
      }
      const standing = verdict?.status === 'down' ? await ground.standing(trace) : 'held'
      if (verdict !== null && standing === 'lost') {
        if (performance.now() < lastStartMs && (await ground.isBack(trace, lastStartMs))) continue
        return monitorId === null ? null : withhold(monitorId, verdict, trace)
      }
      if (verdict !== null && monitorId !== null) withheld.delete(monitorId)
      return verdict !== null && standing === 'unverified' ? unverified(verdict) : verdict
    }
  }

  return { check }
}

function unverified(verdict: Verdict): Verdict {
  return { ...verdict, details: { ...verdict.details, own_network: 'not verified' } }
}
