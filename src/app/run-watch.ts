import { evidenceOfCall } from '#core/incidents/evidence.ts'
import { overrunVerdict } from '#core/monitors/heartbeat.ts'
import type { Services } from '#operations/pipeline/services.ts'
import type { CallStore } from '#store/call-store.ts'
import { systemTime, type Time } from '#time/time.ts'
import type { Log } from './log.ts'

const lookMs = 5_000

export type RunWatchOptions = Pick<Services, 'publishResults'> & {
  store: Pick<CallStore, 'readOverruns' | 'forgetOverrun' | 'readRunLog'>
  log: Pick<Log, 'warn'>
  time?: Pick<Time, 'every'>
}

/**
 * Tells again and again of runs that began and did not end in time, in the place of their jobs, which say nothing. A
 * process that ends half-way, or another one that looks as well, tells the same once more, and that counts once. Returns
 * its end.
 */
export function watchRuns({ store, publishResults, log, time = systemTime }: RunWatchOptions): () => Promise<void> {
  let looking: Promise<void> | null = null
  let hasFailed = false
  const look = async (): Promise<void> => {
    for (const run of await store.readOverruns()) {
      const { monitorId, monitorKey, version, round, location, maxRunSeconds } = run
      const verdict = overrunVerdict(maxRunSeconds)
      // A failure may be told without its log.
      const printed = run.hasLog ? await store.readRunLog(monitorKey).catch(() => null) : null
      const evidence = printed === null ? {} : { evidence: evidenceOfCall(verdict, printed) }
      await publishResults(location, [{ monitorId, version, round, location, verdict, ...evidence }])
      await store.forgetOverrun(run)
    }
  }
  const tryToLook = async (): Promise<void> => {
    try {
      await look()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn('Runs that did not end could not be told.', { error: String(error) })
      hasFailed = true
    }
  }
  const endLooks = time.every(lookMs, () => {
    looking ??= tryToLook().finally(() => {
      looking = null
    })
  })
  return async () => {
    endLooks()
    await looking
  }
}
