import assert from 'node:assert/strict'
import { pause } from './pause.ts'

const lookEveryMs = 10

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
  while (!(await holds())) {
    if (performance.now() > end) assert.fail(`Waited ${deadlineMs} ms for: ${typeof what === 'string' ? what : what()}`)
    await pause(lookEveryMs)
  }
}
