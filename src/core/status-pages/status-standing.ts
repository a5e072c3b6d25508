import type { ShownState } from '#core/overview.ts'

export type Tone = 'good' | 'warning' | 'bad' | 'maintenance' | 'plain'

/** During maintenance a page shows nothing else of its monitors, whatever their checks find. */
export type PageState = ShownState | 'maintenance'

/** The state of all monitors of a page together: `count` of `all` are in it, and `resting` more are in maintenance. */
export type PageStanding = { tone: Tone } & (
  | { is: 'empty' | 'paused' | 'pending' | 'operational' }
  | { is: 'down' | 'degraded'; count: number; all: number; resting: number }
  | { is: 'maintenance'; count: number; all: number }
)

/** Paused monitors, and monitors without a check yet, say nothing about the page as a whole. */
export function standingOf(states: readonly PageState[]): PageStanding {
  if (states.length === 0) return { tone: 'plain', is: 'empty' }
  const known = states.filter((state) => state !== 'paused' && state !== 'pending')
  if (known.length === 0)
    return { tone: 'plain', is: states.every((state) => state === 'paused') ? 'paused' : 'pending' }
  const all = known.length
  const count = (which: PageState): number => known.filter((state) => state === which).length
  const [down, degraded, resting] = [count('down'), count('degraded'), count('maintenance')]
  if (down > 0) return { tone: 'bad', is: 'down', count: down, all, resting }
  if (degraded > 0) return { tone: 'warning', is: 'degraded', count: degraded, all, resting }
  if (resting > 0) return { tone: 'maintenance', is: 'maintenance', count: resting, all }
  return { tone: 'good', is: 'operational' }
}

export const stateTones: Readonly<Record<PageState, Tone>> = {
  up: 'good',
  degraded: 'warning',
  down: 'bad',
  maintenance: 'maintenance',
  pending: 'plain',
  paused: 'plain',
}
