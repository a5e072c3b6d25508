import { nextReached, type ReachedAddresses } from '#core/monitors/reached-addresses.ts'
import type { EngineTransaction } from '#store/engine-store.ts'
import type { ReachedFrom } from '#store/monitors/reached-addresses.ts'
import type { Arrival } from './draft-rounds.ts'

/** Of one monitor and location: what its results tell, in the order of arrival. */
type Told = ReachedFrom & { reached: { address: string; atMs: number }[] }

/**
 * Remembers at which addresses targets were reached. Hardly any result tells one, so most batches cost no more than
 * looking for it, and what is told is mostly known.
 */
export async function keepReached(
  tx: Pick<EngineTransaction, 'readReached' | 'writeReached'>,
  arrivals: readonly Arrival[],
): Promise<void> {
  const told = toldBy(arrivals)
  if (told.length === 0) return
  const known = await tx.readReached(told)
  const changes = told.flatMap(({ reached: checks, ...from }, place) => {
    const reached = after(known[place] ?? null, checks)
    return reached === null ? [] : [{ ...from, reached }]
  })
  await tx.writeReached(changes)
}

/** A check of an older version may have looked at another target. */
function toldBy(arrivals: readonly Arrival[]): Told[] {
  const told = new Map<string, Told>()
  for (const { watched, result } of arrivals) {
    const { address, version, location, round } = result
    if (address === undefined || version !== watched.version) continue
    const key = `${watched.key}/${location}`
    const of = told.get(key) ?? { monitorKey: watched.key, version, location, reached: [] }
    of.reached.push({ address, atMs: round / 1000 })
    told.set(key, of)
  }
  return [...told.values()]
}

/** Null where nothing is to be written. */
function after(known: ReachedAddresses | null, checks: Told['reached']): ReachedAddresses | null {
  let changed: ReachedAddresses | null = null
  for (const check of checks) changed = nextReached(changed ?? known, check) ?? changed
  return changed
}
