import { plural } from '@lingui/core/macro'
import type { LocationRecord } from '../../api/monitors.ts'

/** Of several locations, on how many machines they stand; null where there is nothing to tell. */
export function witnessesText(locations: readonly LocationRecord[]): string | null {
  const witnesses = new Set(locations.flatMap(({ witness }) => (witness === null ? [] : [witness])))
  if (locations.length < 2 || witnesses.size === 0) return null
  return plural(
    { machines: witnesses.size },
    {
      one: 'They run on one machine and count as one witness: a problem of that machine can look like a failure to all of them.',
      other: 'They run on # machines and count as that many witnesses.',
    },
  )
}
