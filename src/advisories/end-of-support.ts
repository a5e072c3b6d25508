import type { ReleaseCycle } from '#core/software/advisory.ts'
import { compareVersions, versionOrder } from './version-order.ts'

type Cycle = Pick<ReleaseCycle, 'cycle' | 'endsOn' | 'isEnded' | 'latest'>

/** `fixVersion` is the newest version of the next supported line; null where there is none. */
export type EndedSupport = { cycle: string; fixVersion: string | null }

/**
 * The release line of a version if its support has ended by `today`; null for a supported line, and for a version of no
 * known line. Of several lines that the version begins with, the longest is its own.
 */
export function endedSupport(version: string | null, cycles: readonly Cycle[], today: string): EndedSupport | null {
  const { parse } = versionOrder('generic')
  const text = version === null ? undefined : parse(version)?.text.replace(/^v/i, '')
  if (text === undefined) return null
  const own = cycles
    .filter(({ cycle }) => text === cycle || text.startsWith(`${cycle}.`))
    .toSorted((one, other) => other.cycle.length - one.cycle.length)[0]
  if (own === undefined || !isOver(own, today)) return null
  const place = parse(own.cycle)
  const supported = cycles
    .flatMap((cycle) => {
      const read = parse(cycle.cycle)
      const isLater = read !== null && place !== null && compareVersions(read, place) > 0
      return isLater && cycle.latest !== null && !isOver(cycle, today) ? [{ read, latest: cycle.latest }] : []
    })
    .toSorted((one, other) => compareVersions(one.read, other.read))
  return { cycle: own.cycle, fixVersion: supported[0]?.latest ?? null }
}

function isOver({ endsOn, isEnded }: Cycle, today: string): boolean {
  return endsOn === null ? isEnded : endsOn <= today
}
