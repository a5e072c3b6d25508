import { type OtlpOutcome, type OtlpReceiver, otlpRequestOf, type PushedResult } from '#core/results/otlp.ts'
import { postOtlp } from '#otlp/post.ts'
import { createTeller, type Teller } from '#otlp/teller.ts'
import { claimPush, keepPush, type PushTurn, readPushed } from '#store/results/pushed-results.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const everyMs = 15_000
/** Results are pushed by so much time of rounds at once. */
const stepMs = 15_000
/** A round ends within two minutes, with the longest check and the round's grace; what arrives later is not pushed. */
const settleMs = 150_000
/** What waits for longer is left out: the newest is of more use. */
const longestWaitMs = 3_600_000
/** How long one process pushes before others may: many times what a step takes. */
const heldMs = 120_000
const runMs = 60_000
const longestPauseMs = 300_000
const monitorsAtOnce = 500
const resultsAtOnce = 1000

type ChoreParts = Pick<JobParts, 'database' | 'log' | 'now'> & { receiver: OtlpReceiver }
type PushParts = ChoreParts & { tell: Teller }

/**
 * Pushes the results of all monitors to a receiver of OTLP. What is not pushed yet waits as results, at most for an
 * hour; one process at a time sends it, in the order of rounds. A process that dies leaves its step to the next one,
 * which sends some results again with the same times.
 */
export function otlpChore(parts: ChoreParts): Chore {
  const tell = createTeller(parts.log, 'Results could not be pushed.')
  return {
    name: 'push_results',
    everyMs,
    run: async (stopping) => {
      const now = parts.now()
      const first = new Date(now.getTime() - settleMs)
      const turn = await claimPush(parts.database, { now, first, heldUntil: new Date(now.getTime() + heldMs) })
      if (turn !== null)
        await pushTurn(turn, { ...parts, tell }, AbortSignal.any([stopping, AbortSignal.timeout(runMs)]))
    },
  }
}

/** Throws where the receiver fails, so that the log has it; the turn is given back all the same. */
async function pushTurn(turn: PushTurn, parts: PushParts, signal: AbortSignal): Promise<void> {
  const { database, log, now } = parts
  let { pushedUntil, failures } = turn
  const keep = (afterMs: number): Promise<boolean> =>
    keepPush(database, { ...turn, pushedUntil, failures }, new Date(now().getTime() + afterMs))
  const oldest = now().getTime() - longestWaitMs
  if (pushedUntil.getTime() < oldest) {
    log.warn('Results that waited for more than an hour were not pushed.', { from: pushedUntil.toISOString() })
    pushedUntil = new Date(oldest)
  }
  while (!signal.aborted && pushedUntil.getTime() + stepMs <= now().getTime() - settleMs) {
    const until = new Date(pushedUntil.getTime() + stepMs)
    const failed = await pushStep({ from: pushedUntil, until }, parts, signal)
    if (failed !== null) {
      failures += 1
      await keep(failed.afterMs ?? pauseAfter(failures))
      throw new Error(`Results could not be pushed to PERIGEE_OTLP_ENDPOINT: ${failed.problem}`)
    }
    pushedUntil = until
    failures = 0
    if (!(await keep(heldMs))) return
  }
  await keep(0)
}

/** Twice as long with each failure, and not the same for all installations of a receiver. */
function pauseAfter(failures: number): number {
  return Math.min(longestPauseMs, 5000 * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2)
}

type Again = Extract<OtlpOutcome, { type: 'again' }>

async function pushStep(
  step: { from: Date; until: Date },
  parts: PushParts,
  signal: AbortSignal,
): Promise<Again | null> {
  let after: number | null = 0
  while (after !== null) {
    const page: Awaited<ReturnType<typeof readPushed>> = await readPushed(parts.database, {
      ...step,
      after,
      monitors: monitorsAtOnce,
    })
    for (let start = 0; start < page.results.length; start += resultsAtOnce) {
      const outcome = await send(page.results.slice(start, start + resultsAtOnce), parts, signal)
      if (outcome.type === 'again') return outcome
      parts.tell(outcome.problem)
    }
    after = page.next
  }
  return null
}

async function send(results: readonly PushedResult[], parts: PushParts, signal: AbortSignal): Promise<OtlpOutcome> {
  const { receiver, now } = parts
  return postOtlp(otlpRequestOf(results), { receiver, now: now(), signal })
}
