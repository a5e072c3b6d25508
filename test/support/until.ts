import assert from 'node:assert/strict'
import { pause } from './pause.ts'

/** Most waits are short. In longer ones each look, often some statements, takes from what is waited for. */
const [firstPauseMs, longestPauseMs, growth] = [10, 50, 1.2]

/**
 * Waits until a condition holds; fails with `what` when it does not within the deadline, which is long because other
 * processes may keep the machine busy.
 */
export async function until(
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  deadlineMs = 30_000,
): Promise<void> {
  const end = performance.now() + deadlineMs
  let pauseMs = firstPauseMs
  while (!(await holds())) {
    if (performance.now() > end) assert.fail(`Waited ${deadlineMs} ms for: ${typeof what === 'string' ? what : what()}`)
    await pause(pauseMs)
    pauseMs = Math.min(longestPauseMs, pauseMs * growth)
  }
}
