/**
 * Milliseconds of CPU that this thread spends on `work`, which computes and does not wait: whatever else the machine
 * does, and whatever other threads of this process do, such as those that collect what earlier tests left behind.
 */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const mostRuns = 10

/**
 * The least CPU time of up to ten runs, fewer once one stays within `limitMs`. A run that compiles the code, or pays
 * for garbage that others left in this process, says nothing of the input; an input that is too slow is so each time.
 */
export function leastCpuMsOf(work: () => void, limitMs: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < mostRuns && least > limitMs; run += 1) least = Math.min(least, cpuMsOf(work))
  return least
}
