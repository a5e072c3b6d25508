import { type Till, settleAttempt } from '#payments/settle.ts'
import { forgetAttempts, listOpenAttempts } from '#store/money/payment-attempt-upkeep.ts'
import { holdAttempt } from '#store/money/payment-attempts.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const second = 1000
const hour = 3_600_000
const attemptsAtOnce = 100
/** Each may wait 22 s for its processor. */
const askedAtOnce = 5
const forgetRuns = 1_000

export type SweepParts = Pick<JobParts, 'database' | 'log' | 'now' | 'till'>

/**
 * Asks processors again about attempts whose payer does not come back (docs/decisions/payments.md, "The order of
 * paying"): a charge becomes credit, and an attempt without one ends. Where payments are off there is no processor to
 * ask, and attempts wait until payments are on again.
 */
export function paymentChores(parts: SweepParts): Chore[] {
  const { database, log, now, till } = parts
  const forget: Chore = {
    name: 'forget_payment_attempts',
    everyMs: hour,
    run: async (signal) => {
      let forgotten = 0
      for (let runs = 0; runs < forgetRuns && !signal.aborted; runs += 1) {
        const removed = await forgetAttempts(database, now())
        if (removed === 0) break
        forgotten += removed
      }
      if (forgotten > 0) log.info('Old payment attempts were deleted.', { number: forgotten })
    },
  }
  if (till === null) return [forget]
  return [{ name: 'settle_payments', everyMs: 30 * second, run: (signal) => settleOpen(parts, till, signal) }, forget]
}

async function settleOpen({ database, log }: SweepParts, till: Till, signal: AbortSignal): Promise<void> {
  const waiting = await listOpenAttempts(database, { at: till.now(), limit: attemptsAtOnce })
  let ended = 0
  const settle = async (id: string): Promise<void> => {
    const held = await holdAttempt(database, { id, at: till.now() })
    if (held === null) return
    const { state } = await settleAttempt(till, held)
    if (state !== 'settling') ended += 1
  }
  const next = waiting.values()
  const work = async (): Promise<void> => {
    for (const { id } of next) {
      if (signal.aborted) return
      await settle(id).catch((error: unknown) =>
        log.warn('A payment attempt could not be settled.', { payment_attempt_id: id, error }),
      )
    }
  }
  await Promise.all(Array.from({ length: askedAtOnce }, work))
  if (ended > 0) log.info('Open payments were closed.', { number: ended })
}
