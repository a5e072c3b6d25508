import type { EngineBus } from '#bus/bus.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { kindTraits } from '#core/monitors/kind-traits.ts'
import type { AskedTrial, TrialOutcome } from '#core/monitors/trial.ts'
import { roundGraceMs } from '#core/results/round.ts'
import type { PresenceBook, Work } from './presence.ts'

export type TrialsOptions = {
  bus: Pick<EngineBus, 'tryCheck'>
  presence: Pick<PresenceBook, 'proberFor'>
  now: () => number
}

/** People press a button and wait: more at once are programs, or a location that does not answer. */
const maxAtOnce = 64
const maxOfWorkspace = 4
/** For the way there and back, and for a check that is made again because the prober stood still. */
const wayMs = roundGraceMs + 2_000

/**
 * Has a prober of a location check once a configuration that is no monitor's, or not yet. Nothing is stored or folded.
 */
export function createTrials({ bus, presence, now }: TrialsOptions): (trial: AskedTrial) => Promise<TrialOutcome> {
  const underWay = new Map<string, number>()
  let atOnce = 0
  const count = (workspaceId: string, change: 1 | -1): void => {
    atOnce += change
    const left = (underWay.get(workspaceId) ?? 0) + change
    if (left === 0) underWay.delete(workspaceId)
    else underWay.set(workspaceId, left)
  }
  return async ({ workspaceId, location, configuration, deadlineMs }) => {
    if (atOnce >= maxAtOnce || (underWay.get(workspaceId) ?? 0) >= maxOfWorkspace) return { type: 'busy' }
    const prober = presence.proberFor(location, workOf(configuration), now())
    if (prober === null) return { type: 'offline' }
    count(workspaceId, 1)
    try {
      const verdict = await bus.tryCheck(location, prober, { configuration, withinMs: deadlineMs + wayMs })
      return verdict === null ? { type: 'untold' } : { type: 'checked', verdict }
    } catch {
      return { type: 'silent' }
    } finally {
      count(workspaceId, -1)
    }
  }
}

function workOf({ monitorId: id, kind }: CheckConfiguration): Work {
  return { id, needsBrowser: kindTraits[kind].needsBrowser }
}
