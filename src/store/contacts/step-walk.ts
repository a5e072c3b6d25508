import { type EscalationPlace, nextPlace, type PolicyRecord } from '#core/contacts/escalation.ts'

/** Policies that wait no time go on at once, and within one transaction only so far. */
const stepsAtOnce = 100

/**
 * Takes a step of a policy and those that follow it at once; `tell` says whether one told anybody. Returns the step that
 * waits then, and for how long; null after the last one.
 */
export async function walkSteps(
  policy: Pick<PolicyRecord, 'steps' | 'repeats'>,
  from: EscalationPlace,
  tell: (place: EscalationPlace) => Promise<boolean>,
): Promise<(EscalationPlace & { minutes: number }) | null> {
  let place = from
  for (let count = 1; ; count += 1) {
    const next = nextPlace(policy, place, await tell(place))
    if (next === null || next.minutes > 0 || count === stepsAtOnce) return next
    place = next
  }
}
