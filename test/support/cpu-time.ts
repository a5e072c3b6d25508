/** Milliseconds of CPU that this process spends on `work`, which computes and does not wait: whatever else the machine does. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
