import type { ShownState } from './overview.ts'

export type Tone = 'good' | 'warning' | 'bad' | 'plain'

/** How all of a page's monitors are, in words. */
export type Standing = { tone: Tone; words: string }

/** Paused monitors and those without a check yet say nothing about the others. */
export function standingOf(states: readonly ShownState[]): Standing {
  if (states.length === 0) return { tone: 'plain', words: 'Nothing is shown here yet' }
  const known = states.filter((state) => state !== 'paused' && state !== 'pending')
  if (known.length === 0) return unknownStanding(states)
  const down = known.filter((state) => state === 'down').length
  const degraded = known.filter((state) => state === 'degraded').length
  if (down > 1 && down === known.length) return { tone: 'bad', words: 'All systems are down' }
  if (down > 0) return { tone: 'bad', words: countWords(down, known.length, 'down') }
  if (degraded > 0) return { tone: 'warning', words: countWords(degraded, known.length, 'degraded') }
  return { tone: 'good', words: 'All systems operational' }
}

function unknownStanding(states: readonly ShownState[]): Standing {
  if (states.every((state) => state === 'paused')) return { tone: 'plain', words: 'Monitoring is paused' }
  return { tone: 'plain', words: 'Waiting for the first checks' }
}

function countWords(count: number, all: number, what: string): string {
  if (all === 1) return `The system is ${what}`
  return count === 1 ? `1 of ${all} systems is ${what}` : `${count} of ${all} systems are ${what}`
}

export const stateWords: Readonly<Record<ShownState, string>> = {
  up: 'Operational',
  degraded: 'Degraded',
  down: 'Down',
  pending: 'No data yet',
  paused: 'Paused',
}

export const stateTones: Readonly<Record<ShownState, Tone>> = {
  up: 'good',
  degraded: 'warning',
  down: 'bad',
  pending: 'plain',
  paused: 'plain',
}
