import { isMissed } from '#core/monitors/heartbeat.ts'
import type { Arrival } from './draft-rounds.ts'

/** Calls were to be folded of monitors that had been changed meanwhile. */
export class OvertakenError extends Error {
  readonly monitorIds: string[]

  constructor(monitorIds: string[]) {
    super('Monitors were changed while calls to them were being stored.')
    this.monitorIds = monitorIds
  }
}

/**
 * No later round makes up for a call that is stored and not folded: its deadline would pass. A deadline that was missed
 * may be another one by now, and is left to the next look.
 */
export function assertFolded(arrivals: readonly Arrival[], overtaken: ReadonlySet<number>): void {
  if (overtaken.size === 0) return
  const calls = arrivals.filter(
    ({ watched, result: { verdict } }) =>
      overtaken.has(watched.key) && watched.source.type === 'called' && verdict !== null && !isMissed(verdict),
  )
  if (calls.length > 0) throw new OvertakenError(calls.map(({ watched }) => watched.id))
}
