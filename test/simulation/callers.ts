// Jobs and other systems that call: each in its rhythm, now and then late, and not at all while it is dead.
import type { Api, Call } from './api-process.ts'
import { type Context, wayMs } from './context.ts'
import type { MonitorRow } from './model-database.ts'
import type { Targets } from './targets.ts'

export type CallersOptions = {
  context: Context
  targets: Targets
  /** Those that run now. */
  apis: () => readonly Api[]
}

/** A caller that gets no answer gives up after this time and calls again, so often. */
const answerMs = 5_000
const againMs = [500, 6_000] as const
const mostTries = 5
/** How many runs say that they begin. */
const begun = 0.2
/** How many runs of a job that fails hang instead, and say nothing more. */
const hung = 0.5
/** Some jobs send their log while they run. */
const slowBody = 0.05
const longestBodyMs = 3_000

/** Begins the rhythm of the job that calls this monitor. */
export function startCaller(options: CallersOptions, monitor: MonitorRow): void {
  const { virtual, random, mischief, database } = options.context
  const intervalMs = monitor.intervalSeconds * 1000
  const graceMs = monitor.graceSeconds * 1000
  const { schedule } = monitor
  /** Jobs that run by a schedule go by the same clock. */
  const waitMs = (): number => (schedule === null ? intervalMs : intervalMs - (database.nowMs() % intervalMs))
  const next = (): void => {
    const lateMs = mischief.strikes('late') ? graceMs + random.within(0, intervalMs) : 0
    virtual.after(lateMs + random.within(0, graceMs / 3), () => void run(options, monitor))
    virtual.after(waitMs(), next)
  }
  virtual.after(schedule === null ? random.within(0, intervalMs) : waitMs(), next)
}

async function run(options: CallersOptions, monitor: MonitorRow): Promise<void> {
  const { context, targets } = options
  const { random, virtual, mischief, watchdogs } = context
  const { id: monitorId, kind, graceSeconds, maxRunSeconds } = monitor
  const outage = targets.outageAt(monitorId, virtual.nowMs)
  if (outage?.isSilent === true) return
  const bodyMs = random.happens(slowBody) ? random.within(0, longestBodyMs) : 0
  if (random.happens(begun)) {
    const isTaken = await insist(options, { monitorId, suffix: 'start', body: '', bodyMs, says: null })
    if (outage !== null && random.happens(hung)) return isTaken ? watchdogs.calls.hung(monitorId) : undefined
    const slowMs = maxRunSeconds !== null && mischief.strikes('late') ? maxRunSeconds * 1000 : 0
    await after(context, slowMs + random.within(0, (graceSeconds * 1000) / 3))
  }
  await insist(options, { monitorId, bodyMs, ...wordOf(context, { kind, isFailing: outage !== null }) })
}

type Word = Pick<Call, 'suffix' | 'body' | 'says'>

function wordOf({ random }: Context, { kind, isFailing }: Pick<MonitorRow, 'kind'> & { isFailing: boolean }): Word {
  const plain = (suffix: string | null): Word => ({ suffix, body: '', says: isFailing ? 'down' : 'up' })
  const words = isFailing ? [plain('fail'), plain('2')] : [plain(null), plain('0')]
  if (kind === 'webhook') words.push(...(isFailing ? [told('down')] : [told('up'), told('degraded')]))
  return random.pick(words) ?? plain(null)
}

/** In the body of a call, as a webhook has it. */
function told(says: 'up' | 'down' | 'degraded'): Word {
  return { suffix: null, body: JSON.stringify({ status: says }), says }
}

/** Calls again where it was not taken, as callers are asked to. Resolves with whether it was in the end. */
async function insist(options: CallersOptions, call: Call): Promise<boolean> {
  const { context } = options
  for (let tries = 1; tries <= mostTries; tries += 1) {
    if (await attempt(options, call)) return true
    await after(context, context.random.within(...againMs))
  }
  return false
}

function attempt({ context, apis }: CallersOptions, call: Call): Promise<boolean> {
  const { virtual, random } = context
  return new Promise((resolve) => {
    const giveUp = virtual.after(answerMs, () => resolve(false))
    const answer = (isTaken: boolean): void =>
      void virtual.after(wayMs(context), () => {
        giveUp()
        resolve(isTaken)
      })
    virtual.after(wayMs(context), () => {
      const api = random.pick(apis())
      if (api === undefined) return answer(false)
      api.process.run(() => void api.receive(call).then(answer, () => answer(false)))
    })
  })
}

function after({ virtual }: Context, ms: number): Promise<void> {
  return new Promise((resolve) => void virtual.after(ms, resolve))
}
