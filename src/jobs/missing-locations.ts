import { enqueueNotices } from '#store/contacts/notices.ts'
import { takeMissingLocations } from '#store/installation/location-presence.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

/** Long enough for a restart of a prober's machine to pass unnoticed. */
const silentSeconds = 120

/**
 * Tells the operator once about each location that has no prober any more. Its monitors are checked from elsewhere or
 * not at all, and their contacts get no alert, because nothing is known of the targets
 * (docs/decisions/rounds-and-time.md). The mark and the notice are one transaction.
 */
export async function tellMissingLocations({ database, operatorEmail, log }: JobParts): Promise<void> {
  const missing = await database.transaction(async (tx) => {
    const taken = await takeMissingLocations(tx, silentSeconds)
    if (operatorEmail !== null)
      await enqueueNotices(
        tx,
        taken.map(({ code, name, seenAt, monitors }) => ({
          notice: 'location_missing' as const,
          location: { code, name },
          seen_at: seenAt.toISOString(),
          monitors,
        })),
      )
    return taken
  })
  for (const { code, seenAt, monitors } of missing)
    log.warn('A location has no prober left.', { location: code, since: seenAt.toISOString(), monitors })
}
