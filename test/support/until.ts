import assert from 'node:assert/strict'

/** Waits until a condition holds; fails with `what` when it does not within the deadline. */
export async function until(what: string, holds: () => Promise<boolean>, deadlineMs = 10_000): Promise<void> {
  const end = performance.now() + deadlineMs
  while (!(await holds())) {
    if (performance.now() > end) assert.fail(`Waited ${deadlineMs} ms for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
