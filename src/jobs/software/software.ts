import { forgetComponents } from '#store/software/components.ts'
import { followExposures } from './exposures.ts'
import { tellFindings } from './finding-alerts.ts'
import { matchSoftware } from './matching.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import { scanSoftware } from './software-scans.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const second = 1000
const hour = 3_600_000

/** Software is looked for, compared with advisories, and what comes of it told. Every process does it side by side. */
export function softwareChores(parts: JobParts): Chore[] {
  const { database, log } = parts
  return [
    { name: 'scan_software', everyMs: second, run: (signal) => scanSoftware(parts, signal) },
    {
      name: 'match_software',
      everyMs: second / 4,
      run: async (signal) => {
        const changed = await matchSoftware(parts, signal)
        if (changed > 0) log.info('Software was compared with advisories.', { changed })
      },
    },
    {
      name: 'tell_findings',
      everyMs: second / 4,
      run: async (signal) => {
        const number = await tellFindings(parts, signal)
        if (number > 0) log.info('Alerts of findings were queued.', { number })
      },
    },
    { name: 'follow_exposures', everyMs: 5 * second, run: () => followExposures(parts) },
    {
      name: 'forget_components',
      everyMs: hour,
      run: async (signal) => {
        let forgotten = 0
        do forgotten = await forgetComponents(database)
        while (forgotten > 0 && !signal.aborted)
      },
    },
  ]
}
