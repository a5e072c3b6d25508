import type { Running } from '#app/app.ts'
import type { Log } from '#app/log.ts'
import { StartError } from '#store/database/start-error.ts'
import { collectAfterStart } from './after-start.ts'
import type { Stopping } from './stop-signals.ts'
import type { Terminal } from './terminal.ts'

export type UntilStopped = {
  running: Pick<Running, 'failed' | 'stop'>
  stopping: Stopping
  terminal: Terminal
  log: Log
  /** Ends by itself once `stopping` has begun. */
  beside?: Promise<void>
}

const stopMs = 20_000
const notStopped = `Perigee did not stop within ${stopMs / 1000} s, so it was ended.`

/** Waits for a start. One that cannot be given up in time ends with the process. */
export async function untilStarted<T>(starting: Promise<T>, stopping: Stopping): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const giveUp = (): void => {
    timer = setTimeout(() => reject(new StartError(notStopped)), stopMs)
  }
  stopping.signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([starting, late])
  } finally {
    stopping.signal.removeEventListener('abort', giveUp)
    clearTimeout(timer)
  }
}

/** Waits for a signal or a failure, then stops what runs. Resolves to the exit code. */
export async function runUntilStopped(options: UntilStopped): Promise<number> {
  const { running, stopping, terminal } = options
  const callOff = collectAfterStart()
  const failure = await Promise.race([running.failed, stopping.asked])
  callOff()
  if (failure !== null) terminal.err.write(`${failure.message}\n`)
  stopping.begin()
  const isStopped = await within(stopMs, end(options, failure))
  if (!isStopped) terminal.err.write(`${notStopped}\n`)
  return failure === null && isStopped ? 0 : 1
}

/** Without its database a service cannot put everything away, which the failure has told already. */
async function end({ running, beside, log }: UntilStopped, failure: Error | null): Promise<void> {
  await beside
  try {
    await running.stop()
  } catch (error) {
    if (failure === null) throw error
    log.warn('Not everything could be shut down cleanly.', { error })
  }
}

async function within(limitMs: number, work: Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), limitMs)
  try {
    return await Promise.race([work.then(() => true as const), late])
  } finally {
    clearTimeout(timer)
  }
}
