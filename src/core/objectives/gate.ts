// Whether an objective lets a deploy pass.
import type { SloState } from './slo.ts'

/** What of an answer of the API decides. */
export type GateState = Pick<SloState, 'is_met'> & { burn_rates: Pick<SloState['burn_rates'], '1h' | '6h'> }

export type Verdict = 'within' | 'exceeded' | 'burning' | 'unknown'

/** Both rates have to be above `maxBurn`: a short outage that is over holds nothing back. */
export function verdictOf(state: GateState, maxBurn: number | null): Verdict {
  if (state.is_met === null) return 'unknown'
  if (!state.is_met) return 'exceeded'
  const { '1h': hour, '6h': hours } = state.burn_rates
  return maxBurn !== null && (hour ?? 0) > maxBurn && (hours ?? 0) > maxBurn ? 'burning' : 'within'
}

/** 0 all within, 1 one is not, 2 it is not known. */
export function exitCodeOf(verdicts: readonly Verdict[], allowsUnknown: boolean): 0 | 1 | 2 {
  if (verdicts.some((verdict) => verdict === 'exceeded' || verdict === 'burning')) return 1
  return verdicts.includes('unknown') && !allowsUnknown ? 2 : 0
}
