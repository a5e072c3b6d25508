import { readFileSync } from 'node:fs'
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

/** The time of a virtual machine, in ticks of its system: all of it, and the part that its host gave to others. */
export type MachineTime = { all: number; stolen: number }

/** Zeros where the system does not tell. */
export function machineTime(): MachineTime {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, stolen = 0] = line
      .split(/\s+/)
      .slice(1)
      .map(Number)
    return { all: user + nice + system + idle + wait + irq + softirq + stolen, stolen }
  } catch {
    return { all: 0, stolen: 0 }
  }
}

/** In whole percent, such as "3 %": where the host took much, tails are its, not ours. */
export function stolenBetween(before: MachineTime, after: MachineTime): string {
  const all = after.all - before.all
  return `${all === 0 ? 0 : Math.round(((after.stolen - before.stolen) / all) * 100)} %`
}

/** Bytes of this thread's heap that are in use, without garbage. */
export function liveHeapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') for (let round = 0; round < 3; round += 1) collect()
  return process.memoryUsage().heapUsed
}
