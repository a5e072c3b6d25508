/** Takes the processor for so many milliseconds of this thread's own time, however busy the machine is. */
export function burn(ms: number): void {
  const until = spentMs() + ms
  while (spentMs() < until);
}

function spentMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
