import type { ResponseTimes } from '../../api/monitors.ts'
import { type PhaseName, phaseNames } from '../monitor/details.ts'

type Step = ResponseTimes['data'][number]['steps'][number]

export type LaneFigures = {
  checks: number
  failed: number
  degraded: number
  /** Of the checks that were not down; null without any. */
  mean: number | null
  slowest: number | null
  phases: Record<PhaseName, number | null>
}

/** The steps of one location as one. */
export function laneFigures(steps: readonly Step[]): LaneFigures {
  const sum = (of: (step: Step) => number): number => steps.reduce((total, step) => total + of(step), 0)
  const mean = (of: (step: Step) => number | null): number | null => meanOf(steps, of)
  const slowest = steps.flatMap((step) => step.slowest_ms ?? [])
  return {
    checks: sum(({ checks }) => checks),
    failed: sum(({ failed }) => failed),
    degraded: sum(({ degraded }) => degraded),
    mean: mean(({ latency_ms: ms }) => ms),
    slowest: slowest.length === 0 ? null : Math.max(...slowest),
    phases: {
      dns_ms: mean(({ phases }) => phases.dns_ms),
      connect_ms: mean(({ phases }) => phases.connect_ms),
      tls_ms: mean(({ phases }) => phases.tls_ms),
      ttfb_ms: mean(({ phases }) => phases.ttfb_ms),
      transfer_ms: mean(({ phases }) => phases.transfer_ms),
    } satisfies Record<(typeof phaseNames)[number], number | null>,
  }
}

/** Steps weigh by their checks that were not down. */
function meanOf(steps: readonly Step[], of: (step: Step) => number | null): number | null {
  let [total, weight] = [0, 0]
  for (const step of steps) {
    const [value, checks] = [of(step), step.checks - step.failed]
    if (value === null) continue
    total += value * checks
    weight += checks
  }
  return weight === 0 ? null : Math.round(total / weight)
}
