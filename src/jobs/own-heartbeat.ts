import { isWatching } from '#core/operator-status.ts'
import { assertStoring } from '#store/database/assert-storing.ts'
import { readClusterStatus } from '#store/installation/cluster-status.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'
import { unanswered } from '#otlp/unanswered.ts'

const everyMs = 60_000
const answerMs = 10_000

type HeartbeatParts = Pick<JobParts, 'database' | 'log'> & { heartbeatUrl: string }

/**
 * Calls an address of the operator's own each minute, for as long as checks are made and stored and alerts leave. Who
 * is not called any more, there, tells the operator: what is broken here cannot. Every process with jobs calls, because
 * none of them knows of the others. The address may hold a key, so no error names it.
 */
export function heartbeatChore({ database, log, heartbeatUrl }: HeartbeatParts): Chore {
  let isWithheld = false

  async function run(signal: AbortSignal): Promise<void> {
    await assertStoring(database)
    const isWell = isWatching(await readClusterStatus(database))
    if (isWell) await call(heartbeatUrl, signal)
    else if (!isWithheld)
      log.warn('The heartbeat of this installation is withheld, because checks are not made or alerts are not sent.')
    isWithheld = !isWell
  }

  return { name: 'send_own_heartbeat', everyMs, run }
}

async function call(url: string, stopping: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([AbortSignal.timeout(answerMs), stopping])
  const status = await fetch(url, { redirect: 'manual', signal }).then(
    async (response) => {
      await response.body?.cancel()
      return response.status
    },
    (error: unknown) => {
      // Without the error itself, which may name the address and its key.
      throw new Error(`The address of PERIGEE_HEARTBEAT_URL ${unanswered(error)}`)
    },
  )
  if (status < 200 || status > 299) throw new Error(`The address of PERIGEE_HEARTBEAT_URL answered ${status}.`)
}
