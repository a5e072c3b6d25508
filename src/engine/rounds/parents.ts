// Checks out of turn, of monitors that others depend on and of those others.
import type { Scheduler } from './scheduler.ts'
import type { Watched } from './watched.ts'

/** Many monitors may depend on one, and fail one after the other: it is not checked for each of them. */
const checkPauseMs = 2_000

/**
 * Checks a parent soon after a round failed of a monitor that depends on it: unless it is known to be down, a round of it
 * began since, or no location checks it.
 */
export function checkParent(
  scheduler: Pick<Scheduler, 'soon'>,
  parent: Watched,
  { failedMs, nowMs }: { failedMs: number; nowMs: number },
): void {
  const { standing, foldedUntil, open } = parent
  const begunMs = Math.max(foldedUntil, open?.time ?? 0) / 1000
  if (standing.status !== 'down' && begunMs < failedMs) scheduler.soon(parent, Math.max(nowMs, begunMs + checkPauseMs))
}

/** Whether these are down themselves is to be known soon, once what they depend on is back. */
export function checkChildren(scheduler: Pick<Scheduler, 'soon'>, children: readonly Watched[], nowMs: number): void {
  for (const child of children) if (child.standing.status === 'down') scheduler.soon(child, nowMs)
}
