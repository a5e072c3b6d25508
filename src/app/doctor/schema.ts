import { bad, type Found, good, notLookedAt, warning } from '#core/doctor-report.ts'
import { readSchemaStanding, type SchemaStanding } from '#store/database/migrate.ts'
import type { DoctorCheck } from './doctor-check.ts'

export const schema: DoctorCheck = {
  name: 'schema',
  look: async (context) => {
    const database = await context.database()
    if (!database.isOpen) return [notLookedAt('release', 'The database was not looked at.')]
    return judgeSchema(await readSchemaStanding(database.database))
  },
}

export function judgeSchema({ isUnfinished, applied, ofRelease, needed, missing, changed }: SchemaStanding): Found[] {
  if (isUnfinished)
    return [
      bad(
        'release',
        'A restore into this database did not finish. No process starts.',
        'Run "perigee restore" again: it begins anew.',
      ),
    ]
  if (applied === 0)
    return [
      warning(
        'release',
        'There is no Perigee in this database yet.',
        'Start Perigee, or correct PERIGEE_DATABASE_URL.',
      ),
    ]
  return [
    judgeRelease({ applied, ofRelease, needed, missing }),
    changed.length === 0
      ? good('checksums', 'The database was made with the migrations of this release.')
      : bad(
          'checksums',
          `The database was made with other files than this release has: ${changed.join(', ')}. No process starts.`,
          'Restore the files of the release.',
        ),
  ]
}

function judgeRelease({
  applied,
  ofRelease,
  needed,
  missing,
}: Omit<SchemaStanding, 'changed' | 'isUnfinished'>): Found {
  if (needed > ofRelease)
    return bad(
      'release',
      `The database was upgraded by a newer release: it needs schema ${needed}, but this release only knows ${ofRelease}.`,
      'Start that release or a later one.',
    )
  if (missing.length > 0)
    return warning(
      'release',
      `The database has schema ${applied} and is older than this release: ${missing.length} migrations are missing.`,
      'Update it with "perigee migrate", or by starting a process of this release.',
    )
  if (applied > ofRelease)
    return good(
      'release',
      `The database has schema ${applied} of a newer release, which this one (${ofRelease}) can work with.`,
    )
  return good('release', `The database has schema ${applied}, which is that of this release.`)
}
