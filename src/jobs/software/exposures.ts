import { closeExposures, mayHaveExposures, openExposures } from '#store/software/exposure-changes.ts'
import { decideVerifications } from '#store/software/exposure-verifications.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import { tellExposures } from './exposure-alerts.ts'

/**
 * Decides what scans from several locations proved, ends the exposures whose finding is gone, and begins one for each
 * finding that is known to be exploited. Tells what ended, and what goes on for weeks. Every step may run twice, in any number of processes.
 */
export async function followExposures({
  database,
  log,
  now,
}: Pick<JobParts, 'database' | 'log' | 'now'>): Promise<void> {
  if (!(await mayHaveExposures(database))) return
  const decided = await decideVerifications(database, now())
  const closed = await closeExposures(database, now())
  const opened = await openExposures(database)
  const told = await tellExposures({ database, now })
  if (decided + closed + opened + told > 0) log.info('Exposures were followed.', { decided, closed, opened, told })
}
