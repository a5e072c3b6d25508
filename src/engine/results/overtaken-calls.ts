import { isMissed } from '#core/monitors/heartbeat.ts'
import type { Arrival } from './draft-rounds.ts'
import type { OpenRound } from '#engine/rounds/watched.ts'

/** Calls were to be folded of monitors that had been changed meanwhile. */
export class OvertakenError extends Error {
  readonly monitorIds: string[]

  constructor(monitorIds: string[]) {
    super('Monitors were changed while calls to them were being stored.')
    this.monitorIds = monitorIds
  }
}

type Folded = {
  arrivals: readonly Arrival[]
  /** Rounds that were found stored: of a monitor that is called each is a call, or what was missed. */
  settling: readonly OpenRound[]
}

/**
 * No later round makes up for a call that is stored and not folded: its deadline would pass. A deadline that was missed
 * may be another one by now, and is left to the next look, unless it is stored already.
 */
export function assertFolded({ arrivals, settling }: Folded, overtaken: ReadonlySet<number>): void {
  if (overtaken.size === 0) return
  const heard = arrivals
    .filter(({ result: { verdict } }) => verdict !== null && !isMissed(verdict))
    .map(({ watched }) => watched)
  const calls = [...heard, ...settling.map(({ watched }) => watched)].filter(
    ({ key, source }) => overtaken.has(key) && source.type === 'called',
  )
  if (calls.length > 0) throw new OvertakenError(calls.map(({ id }) => id))
}
