import type { Notice } from '#core/contacts/notice.ts'
import { enqueueNotices } from '#store/contacts/notices.ts'
import { type NetworkTurn, takeNetworkTurns } from '#store/installation/location-presence.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

/** Shorter breaks cost a monitor a round at most, and are told to nobody. */
const lostSeconds = 30

/**
 * Tells the operator once that locations have lost their own network, and once that they have it again: in one mail for
 * all that turned together, because the locations of one machine do (docs/decisions/rounds-and-time.md, "The prober's own
 * network"). The marks and the notices are one transaction.
 */
export async function tellNetworkTurns({ database, operatorEmail, log }: JobParts): Promise<void> {
  const turns = await database.transaction(async (tx) => {
    const taken = await takeNetworkTurns(tx, lostSeconds)
    if (operatorEmail !== null) await enqueueNotices(tx, noticesOf(taken))
    return taken
  })
  for (const { code, lostAt, monitors } of turns)
    if (lostAt === null) log.warn('A location has its network back.', { location: code })
    else log.warn('A location has lost its network.', { location: code, since: lostAt.toISOString(), monitors })
}

/** One for those that lost it, and one for those that have it again. */
function noticesOf(turns: readonly NetworkTurn[]): Notice[] {
  const lost = turns.filter(({ lostAt }) => lostAt !== null)
  const back = turns.filter(({ lostAt }) => lostAt === null)
  return [lost, back]
    .filter(({ length }) => length > 0)
    .map((turned) => ({
      notice: 'location_networks' as const,
      locations: turned.map(({ code, name, lostAt, monitors }) => ({
        code,
        name,
        lost_at: lostAt?.toISOString() ?? null,
        monitors,
      })),
    }))
}
