// What is true of the targets, whatever the installation believes of them.
import type { Random } from './random.ts'

/** An outage that all locations see, in milliseconds of virtual time. */
export type Outage = { fromMs: number; toMs: number; isSilent: boolean }

export type Targets = {
  outageAt: (monitorId: string, nowMs: number) => Outage | null
  outages: (monitorId: string) => readonly Outage[]
}

export type TargetsOptions = { monitorIds: readonly string[]; endMs: number; intervalMs: number; random: Random }

/** Some outages are over before anything is sure of them, and so are times between them. The last one may not end. */
export function createTargets({ monitorIds, endMs, intervalMs, random }: TargetsOptions): Targets {
  const plans = new Map(monitorIds.map((id) => [id, planOf({ endMs, intervalMs, random })]))
  return {
    outageAt: (id, nowMs) => plans.get(id)?.find(({ fromMs, toMs }) => nowMs >= fromMs && nowMs < toMs) ?? null,
    outages: (id) => plans.get(id) ?? [],
  }
}

function planOf({ endMs, intervalMs, random }: Omit<TargetsOptions, 'monitorIds'>): Outage[] {
  const plan: Outage[] = []
  for (let fromMs = random.within(1, 15) * intervalMs; fromMs < endMs;) {
    const lastingMs = random.within(1, 15) * intervalMs
    const toMs = fromMs + lastingMs < endMs ? fromMs + lastingMs : Infinity
    plan.push({ fromMs, toMs, isSilent: random.happens(0.3) })
    fromMs = toMs + random.within(1, 15) * intervalMs
  }
  return plan
}
