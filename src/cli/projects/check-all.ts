import { checkTimeMs } from '#core/monitors/kind-traits.ts'
import { concluded } from '#core/results/inverted.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import type { Net } from '#net/net.ts'
import { oneLine } from '#core/language/one-line.ts'
import type { ProjectCheck } from './project-checks.ts'

export type CheckOutcome = {
  check: ProjectCheck
  /** `unknown`: this machine could not tell, or the time for all checks was over. */
  status: 'up' | 'degraded' | 'down' | 'unknown' | 'skipped'
  latencyMs: number | null
  tookMs: number
  /** What is wrong, or why it was skipped. */
  reason: string | null
}

export type CheckLimits = { concurrency: number; deadlineMs: number; net: Net }

/** Makes every check once, and yields what was found in the order of the checks. */
export async function* checkAll(
  checks: readonly ProjectCheck[],
  { concurrency, deadlineMs, net }: CheckLimits,
): AsyncGenerator<CheckOutcome> {
  const over = AbortSignal.timeout(deadlineMs)
  const found = checks.map(() => Promise.withResolvers<CheckOutcome>())
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < checks.length; at = next++) {
      const check = checks[at]
      if (check !== undefined) found[at]?.resolve(await checkOnce(check, { net, over, deadlineMs }))
    }
  }
  const workers = Promise.all(Array.from({ length: concurrency }, work))
  // A check that throws is a bug, which is told in place of an outcome that never comes.
  const failed = workers.then(() => new Promise<never>(() => {}))
  for (const { promise } of found) yield await Promise.race([promise, failed])
}

async function checkOnce(
  check: ProjectCheck,
  { net, over, deadlineMs }: { net: Net; over: AbortSignal; deadlineMs: number },
): Promise<CheckOutcome> {
  if (check.configuration === null)
    return { check, status: 'skipped', latencyMs: null, tookMs: 0, reason: check.reason }
  const began = performance.now()
  const outcome = (status: CheckOutcome['status'], reason: string | null, latencyMs: number | null): CheckOutcome => ({
    check,
    status,
    latencyMs,
    tookMs: Math.round(performance.now() - began),
    reason: reason === null ? null : shown(reason, check.outside),
  })
  const late = `It was not checked: all checks together may take ${deadlineMs / 1000} s.`
  if (over.aborted) return outcome('unknown', late, null)
  const { kind, configuration } = check
  const own = AbortSignal.timeout(checkTimeMs(configuration))
  try {
    const found = await kind.check(configuration, net, AbortSignal.any([own, over]))
    if (found.status === 'down' && over.aborted && !own.aborted) return outcome('unknown', late, null)
    const verdict = concluded(found, configuration)
    return outcome(verdict.status, verdict.error, verdict.latencyMs)
  } catch (error) {
    if (!(error instanceof OwnTrouble)) throw error
    return outcome('unknown', error.message, null)
  }
}

/** The output of a CI job is read by many. */
function shown(reason: string, outside: readonly string[]): string {
  return oneLine(outside.reduce((text, secret) => text.replaceAll(secret, '•••'), reason))
}
