import type { BusLog } from './nats-options.ts'

const quietMs = 10_000

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Waits for the work to end, well or not, and no longer than that. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work.catch(() => {}), isLate])
  clearTimeout(timer)
}

/** Warns of what may happen often: at most once in ten seconds, with the number of times. */
export function seldom(log: BusLog, message: string): (details: Record<string, unknown>) => void {
  let saidMs = -Infinity
  let unsaid = 0
  return (details) => {
    unsaid += 1
    if (performance.now() - saidMs < quietMs) return
    log.warn(message, { ...details, times: unsaid })
    saidMs = performance.now()
    unsaid = 0
  }
}
