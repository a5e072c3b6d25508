// When locations are asked for what they see (docs/evidence.md, "Why locations disagree"): after a round in which some
// of them failed, once for each set of them, and then every few minutes. A monitor that is up is asked for nothing.
import type { RoundOutcome } from '#core/results/round.ts'

/** What failed in the last round; `askedMs` is when the locations were asked since then, -Infinity before. */
export type ViewAsk = { failed: string; askedMs: number }

export const askAgainMs = 300_000

type Failures = readonly { location: string }[]

/** After a round of a monitor of so many locations; null where nothing is to be asked. */
export function askAfter(
  ask: ViewAsk | null,
  { outcome, failures, locations }: { outcome: RoundOutcome; failures: Failures; locations: number },
): ViewAsk | null {
  if (locations < 2) return null
  // Nothing was learned.
  if (outcome.type === 'no_data') return ask
  const failed = failedIn(outcome, failures)
  if (failed === null) return null
  return ask?.failed === failed ? ask : { failed, askedMs: -Infinity }
}

/** A round that failed ends before all have answered, so that it does not matter which did. */
function failedIn({ type }: RoundOutcome, failures: Failures): string | null {
  if (type === 'failed') return type
  if (failures.length === 0) return null
  return failures
    .map(({ location }) => location)
    .toSorted()
    .join(',')
}

/** Whether a round that begins now asks for views. */
export function isAskDue(ask: ViewAsk | null, nowMs: number): boolean {
  // After the clock went back it is due as well.
  return ask !== null && Math.abs(nowMs - ask.askedMs) >= askAgainMs
}
