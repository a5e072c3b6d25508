import type { Services } from '#operations/pipeline/services.ts'
import type { CallStore } from '#store/call-store.ts'
import { callIntakeGapMs } from '#store/monitors/calls.ts'
import { systemTime, type Time } from '#time/time.ts'
import type { Log } from './log.ts'
import { processName } from './process-name.ts'

const callIntakeMs = 1_000
/** While no monitor waits for calls, it is said at every fifth look, so that a start later finds no long silence. */
const restedLooks = 4

export type CallIntakeOptions = {
  store: Pick<CallStore, 'noteCallIntake' | 'withdrawCallIntake'>
  /** False while calls are refused because there is no broker to keep them. */
  areCallsKept: () => boolean
  /** Whether a call was turned away since this was asked last. */
  wasCallLost: () => boolean
  /**
   * Whether any monitor waits for calls, which may change within some seconds without being known here. Default: as
   * where other processes take calls too, this one says each second that it does.
   */
  areCallsAwaited?: () => Promise<boolean>
  log: Pick<Log, 'info' | 'warn'>
  /** Unique in the installation. */
  name?: string
  time?: Pick<Time, 'steadyMs' | 'every'>
}

/**
 * Notes again and again that this process takes calls, as long as it can keep them: while no process does, the engine
 * counts no deadline as missed. Returns its end, after which the last note counts no more.
 */
export async function keepCallIntake(options: CallIntakeOptions): Promise<() => Promise<void>> {
  const { store, log, areCallsAwaited = async () => true, ...calls } = options
  const { name = processName(), time = systemTime } = calls
  let noting: Promise<void> | null = null
  let hasFailed = false
  let lastMs: number | null = null
  let looksToRest = 0
  const note = async (isStart: boolean): Promise<void> => {
    let wordMs = lastMs
    // After a failure no call can have been kept since the last note, however recent that was.
    let mayLack = isStart || hasFailed
    // The transaction may run several times, and a call that was lost is told once.
    const isFirst = (): boolean => (mayLack = calls.wasCallLost() || mayLack)
    const sinceLastSeconds = (): number | null => {
      wordMs = time.steadyMs()
      return lastMs === null ? null : (wordMs - lastMs) / 1000
    }
    const gapSeconds = await store.noteCallIntake({ name, isFirst, sinceLastSeconds })
    lastMs = wordMs
    if (gapSeconds !== null)
      log.info('Deadlines were postponed, because no calls could be taken.', { seconds: gapSeconds })
    hasFailed = false
    looksToRest = (await areCallsAwaited().catch(() => true)) ? 0 : restedLooks
  }
  const tryToNote = async (isStart: boolean): Promise<void> => {
    try {
      await note(isStart)
    } catch (error) {
      if (!hasFailed) log.warn('The state of the call intake could not be stored.', { error: String(error) })
      hasFailed = true
    }
  }
  /** A process that stood still meanwhile has a gap to tell. */
  const rests = (): boolean => {
    const nowMs = time.steadyMs()
    if (looksToRest === 0 || lastMs === null || nowMs - lastMs > callIntakeGapMs) return false
    looksToRest -= 1
    lastMs = nowMs
    return true
  }
  const look = (): void => {
    if (noting !== null || !calls.areCallsKept() || rests()) return
    noting = tryToNote(false).finally(() => {
      noting = null
    })
  }
  // A start without room on the disk succeeds, and takes calls once there is some.
  await tryToNote(true)
  const endLooks = time.every(callIntakeMs, look)
  return async () => {
    endLooks()
    await noting
    // Without the database the engine counts no deadline as missed either.
    await store
      .withdrawCallIntake(name)
      .catch((error: unknown) => log.warn('The end of the call intake could not be stored.', { error: String(error) }))
  }
}

export type LostCalls = Pick<Services, 'noteLostCall'> & Pick<CallIntakeOptions, 'wasCallLost'>

/** Remembers when a call was turned away. */
export function rememberLostCalls(): LostCalls {
  let isLost = false
  return {
    noteLostCall: () => {
      isLost = true
    },
    wasCallLost: () => {
      const wasLost = isLost
      isLost = false
      return wasLost
    },
  }
}
