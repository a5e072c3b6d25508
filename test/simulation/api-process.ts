// The process that takes calls, made of the product's own parts.
import { keepCallIntake, rememberLostCalls } from '../../src/app/call-intake.ts'
import { watchRuns } from '../../src/app/run-watch.ts'
import { AppError } from '#core/language/error.ts'
import { readingsOfPing } from '#core/monitors/imported-calls.ts'
import type { ResultStatus } from '#core/results/result.ts'
import { createCallClock } from '#http/call-routes.ts'
import { type CallLimits, takeCall } from '#operations/monitors/heartbeat-call.ts'
import type { Context } from './context.ts'
import type { ModelBus } from './model-bus.ts'
import type { Parts, Stoppable } from './processes.ts'
import type { Process } from './virtual-time.ts'
import { wireCallStore } from './wire-store.ts'

/** What a caller sends to the address of a monitor, and how long its body takes to come. */
export type Call = {
  monitorId: string
  suffix: string | null
  body: string
  bodyMs: number
  /** How the run went; null where it has only begun. */
  says: ResultStatus | null
}

export type Api = Stoppable & {
  readonly process: Process
  /** Whether the call was taken; rejects where the process fails in another way than by turning it away. */
  receive: (call: Call) => Promise<boolean>
}

const withoutLimits: CallLimits = {
  countCall: async () => ({ limit: 60, remaining: 59, resetSeconds: 60, isExceeded: false }),
}

export async function startApiProcess(
  { context, bus }: Pick<Parts, 'context' | 'bus'>,
  process: Process,
): Promise<Api> {
  const { random, trace } = context
  const { time, name } = process
  const { noteLostCall, wasCallLost } = rememberLostCalls()
  const say = (message: string): void => trace.say(`${name}: ${message}`)
  const store = wireCallStore(context, process)
  const timeOf = createCallClock(() => new Date(time.nowMs()), random.number)
  const { isConnected: areCallsKept, publishResults } = bus.callSide(process)
  const log = { info: say, warn: say }
  const endIntake = await keepCallIntake({ store, areCallsKept, wasCallLost, log, name, time })
  const endRunWatch = watchRuns({ store, publishResults, log, time })
  return {
    process,
    receive: async (call) => {
      const { monitorId, suffix, body, bodyMs } = call
      const published = publishingOf({ context, bus, process, call })
      const readings = readingsOfPing([monitorId, ...(suffix === null ? [] : [suffix])])
      const readBody = async (): Promise<string> => {
        if (bodyMs > 0) await time.pause(bodyMs)
        return body
      }
      const parts = { store, publishResults: published.publishResults, noteLostCall, clock: time }
      try {
        await takeCall(parts, withoutLimits, { readings, readBody, atPlace, timeOf })
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
        say(`a call to ${monitorId} is turned away`)
        return false
      }
      published.acknowledge()
      return true
    },
    stop: async () => {
      await Promise.all([endIntake(), endRunWatch()])
    },
  }
}

/** How many are looked up at once is not what is simulated. */
function atPlace<T>(work: () => Promise<T>): Promise<T> {
  return work()
}

type Publishing = Pick<Parameters<typeof takeCall>[0], 'publishResults'> & { acknowledge: () => void }

type PublishingOptions = { context: Context; bus: ModelBus; process: Process; call: Call }

/** Lets the watchdogs know what a call says, and that its caller was promised to be heard. */
function publishingOf({ context, bus, process, call: { monitorId, says, suffix } }: PublishingOptions): Publishing {
  const { watchdogs, virtual, trace } = context
  // A webhook may say in its body that something is down, which is no run that failed.
  const isReportedFailure = says === 'down' && suffix !== null
  const receivedMs = virtual.nowMs
  if (suffix === 'start') watchdogs.calls.begun(monitorId, receivedMs)
  const side = bus.callSide(process)
  const promises: (() => void)[] = []
  return {
    publishResults: (location, results) => {
      for (const result of results) {
        trace.say(`${process.name} passes on a call of ${result.monitorId}: ${result.round}, ${says}`)
        promises.push(watchdogs.calls.made(result, { receivedMs, says, isReportedFailure }))
      }
      return side.publishResults(location, results)
    },
    acknowledge: () => {
      for (const promise of promises) promise()
    },
  }
}
