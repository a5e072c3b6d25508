import { type ClusterStatus, clusterTroubles, topicOf } from '#core/operator-status.ts'
import { enqueueNotices } from '#store/contacts/notices.ts'
import { readClusterStatus } from '#store/installation/cluster-status.ts'
import { turnTroubles } from '#store/installation/own-troubles.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

/** What is over by then is told to nobody: a restart, or a hand-over of partitions. */
const lastingSeconds = 120

/**
 * Tells the operator what `perigee status` would say: each trouble once, when it has lasted, and once that all of them
 * are over. The mark and the notice are one transaction.
 */
export async function tellTroubles({ database, operatorEmail, log }: JobParts): Promise<void> {
  const troubles = clusterTroubles(withoutLocations(await readClusterStatus(database)))
  const texts = new Map(troubles.map((text) => [topicOf(text), text]))
  const told = await database.transaction(async (tx) => {
    const { begun, areOver } = await turnTroubles(tx, { topics: [...texts.keys()], lastingSeconds })
    const notices = begun.flatMap((topic) => texts.get(topic) ?? [])
    if (operatorEmail !== null && (notices.length > 0 || areOver))
      await enqueueNotices(tx, [{ notice: 'operator_troubles', troubles: notices }])
    return { notices, areOver }
  })
  for (const trouble of told.notices) log.warn('The installation has a problem.', { trouble })
  if (told.areOver) log.warn('The problems of the installation are over.')
}

/** Locations have notices of their own, which say as well why their monitors are unchecked. */
function withoutLocations(status: ClusterStatus): ClusterStatus {
  const { locations, monitors } = status
  const isTold = locations.some(
    ({ online, lost_network_seconds: lost, monitors: choosing }) => choosing > 0 && (!online || lost !== null),
  )
  return { ...status, locations: [], monitors: isTold ? { ...monitors, unchecked: 0 } : monitors }
}
