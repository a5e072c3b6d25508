import { createHash } from 'node:crypto'

const spinMs = 40

/** How many times as long as on an idle machine work takes now, because others have the processors. */
export function slownessNow(): number {
  const began = performance.now()
  const { user, system } = process.cpuUsage()
  const worked = (): number => {
    const now = process.cpuUsage()
    return (now.user + now.system - user - system) / 1000
  }
  while (worked() < spinMs) createHash('sha256').update('x'.repeat(10_000)).digest()
  return Math.max(1, (performance.now() - began) / worked())
}
