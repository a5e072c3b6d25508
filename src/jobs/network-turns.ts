import { enqueueNotices } from '#store/contacts/notices.ts'
import { takeNetworkTurns } from '#store/installation/location-presence.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

/** Shorter breaks cost a monitor a round at most, and are told to nobody. */
const lostSeconds = 30

/**
 * Tells the operator once that a location has lost its own network, and once that it has it again
 * (docs/decisions/rounds-and-time.md, "The prober's own network"). The mark and the notice are one transaction.
 */
export async function tellNetworkTurns({ database, operatorEmail, log }: JobParts): Promise<void> {
  const turns = await database.transaction(async (tx) => {
    const taken = await takeNetworkTurns(tx, lostSeconds)
    if (operatorEmail !== null)
      await enqueueNotices(
        tx,
        taken.map(({ code, name, lostAt, monitors }) => ({
          notice: 'location_network' as const,
          location: { code, name },
          lost_at: lostAt?.toISOString() ?? null,
          monitors,
        })),
      )
    return taken
  })
  for (const { code, lostAt, monitors } of turns)
    if (lostAt === null) log.warn('A location has its own network again.', { location: code })
    else log.warn('A location has lost its own network.', { location: code, since: lostAt.toISOString(), monitors })
}
