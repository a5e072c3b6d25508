import type { Log } from './log.ts'

/** With no failure for so long the outage is over: the next failure is of another one. */
const calmMs = 60_000

/** Logs the first failure of each outage of the database: every request of it would say the same. */
export function createOutageNotice({
  log,
  now,
}: {
  log: Pick<Log, 'warn'>
  now: () => Date
}): (error: unknown) => void {
  let lastMs = -Infinity
  return (error) => {
    const nowMs = now().getTime()
    if (nowMs - lastMs > calmMs)
      log.warn('Requests get 503, because the database cannot serve them.', { error: String(error) })
    lastMs = nowMs
  }
}
