import type { Watched } from './watched.ts'

/**
 * Monitors without data for max(5 minutes, 3 intervals). Their customers are not alerted, because nothing is known of
 * the targets; the operator is (docs/decisions/rounds-and-time.md, "When nothing is known").
 */
export type Unchecked = {
  count: () => number
  /** Gives one notice when the first monitor becomes unchecked, not one a monitor. */
  look: () => void
}

export type UncheckedOptions = {
  monitors: () => Iterable<Watched>
  now: () => number
  onBegun: (monitors: number) => void
}

const uncheckedMs = 300_000

export function createUnchecked({ monitors, now, onBegun }: UncheckedOptions): Unchecked {
  let areSome = false
  const count = (): number => {
    const nowMs = now()
    let unchecked = 0
    for (const watched of monitors()) if (isUnchecked(watched, nowMs)) unchecked += 1
    return unchecked
  }
  return {
    count,
    look: () => {
      const unchecked = count()
      if (unchecked > 0 && !areSome) onBegun(unchecked)
      areSome = unchecked > 0
    },
  }
}

function isUnchecked({ dataMs, intervalMs, source }: Watched, nowMs: number): boolean {
  return source.type === 'probed' && nowMs - dataMs > Math.max(uncheckedMs, 3 * intervalMs)
}
