import { availableParallelism, loadavg } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Above this, others use the machine too, and figures are worth little. */
const quietLoad = 1.5

export function describeMachine(): string {
  const load = loadavg()[0] ?? Number.NaN
  const warning =
    load > quietLoad ? `. WARNING: above ${quietLoad}, others are working here; measure again when quiet` : ''
  return `Node ${process.version}, ${availableParallelism()} cores, load average ${load.toFixed(2)}${warning}`
}

/** Bytes of this thread's heap that are in use, without garbage. */
export function liveHeapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') for (let round = 0; round < 3; round += 1) collect()
  return process.memoryUsage().heapUsed
}
