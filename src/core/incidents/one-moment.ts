import type { View } from './view.ts'

export type TimedView = { location: string; at: Date; view: View }

/** Locations are asked every five minutes, and no sooner than in the next round. */
const spareMs = 600_000

/**
 * Of each location what it saw nearest to the last failure, in the order of the list; what was seen too long before or
 * after it is nothing to compare with. With no failure: what each saw last.
 */
export function viewsOfOneMoment<Seen extends TimedView>(list: readonly Seen[], intervalMs: number): Seen[] {
  const failures = list.filter(({ view }) => view.status === 'down')
  const momentMs = lastOf(failures.length === 0 ? list : failures)
  const distance = ({ at }: Seen): number => Math.abs(at.getTime() - momentMs)
  const nearest = new Map<string, Seen>()
  for (const seen of list) {
    if (distance(seen) > 2 * intervalMs + spareMs) continue
    const known = nearest.get(seen.location)
    if (known === undefined || isNearer(seen, known, distance)) nearest.set(seen.location, seen)
  }
  return [...nearest.values()]
}

function isNearer<Seen extends TimedView>(one: Seen, other: Seen, distance: (seen: Seen) => number): boolean {
  const [here, there] = [distance(one), distance(other)]
  return here < there || (here === there && one.view.status === 'down')
}

function lastOf(list: readonly TimedView[]): number {
  return Math.max(...list.map(({ at }) => at.getTime()))
}
