import { bad, type Found, good, notLookedAt, warning } from '#core/doctor-report.ts'
import { spanInWords } from '#core/language/in-words.ts'
import { sizeInWords } from '#core/language/size-in-words.ts'
import { type ClusterStatus, clusterTroublesByPart } from '#core/operator-status.ts'
import type { DoctorCheck } from './doctor-check.ts'

export const backups: DoctorCheck = {
  name: 'backups',
  look: async ({ cluster, examined }) => {
    const status = await cluster()
    return status === null
      ? [notLookedAt('schedule', 'No process answers, and the database cannot be read.')]
      : judgeBackups(status, examined.config.backups.everyMs)
  },
}

/** Another process may have the schedule, so that this configuration may know of none. */
export function judgeBackups(status: ClusterStatus, everyMs: number | null): Found[] {
  const [trouble] = clusterTroublesByPart(status).backups
  if (trouble !== undefined)
    return [
      bad('schedule', trouble, 'Make room in the folder of the backups, and see that the service may write there.'),
    ]
  const { backup } = status
  if (backup?.age_seconds == null)
    return everyMs === null
      ? [
          notLookedAt(
            'schedule',
            'The service makes no backups by itself (PERIGEE_BACKUP_EVERY). Whether somebody else does is not known.',
          ),
        ]
      : [
          good(
            'schedule',
            'No backup was made yet. A process with the role jobs makes the first one shortly after its start.',
          ),
        ]
  const made = `The last backup was made ${spanInWords(backup.age_seconds)} ago and has ${sizeInWords(backup.size_bytes)}.`
  const isLate = everyMs !== null && backup.age_seconds * 1000 > 2 * everyMs
  return isLate
    ? [warning('schedule', made, 'See whether a process with the role jobs runs, and what its log says of backups.')]
    : [good('schedule', made)]
}
