import type { Mischief } from './faults.ts'
import type { ModelDatabase } from './model-database.ts'
import type { Random } from './random.ts'
import type { Trace } from './trace.ts'
import type { Clock, Process, VirtualTime } from './virtual-time.ts'
import type { Watchdogs } from './watchdogs.ts'

/** What all parts of one simulated installation share. */
export type Context = {
  virtual: VirtualTime
  clock: Clock
  random: Random
  mischief: Mischief
  database: ModelDatabase
  trace: Trace
  watchdogs: Watchdogs
  /** Ends a process at this very moment; another one takes its place after a while. */
  crash: (process: Process) => void
}

/** Resolves after a way of some milliseconds, if the process is still alive by then. */
export function way(context: Context, process: Process): Promise<void> {
  return new Promise((resolve) => context.virtual.after(wayMs(context), () => process.run(resolve)))
}

/** Most ways are short, and some take seconds, so that what left later comes first. */
export function wayMs({ random, mischief }: Pick<Context, 'random' | 'mischief'>): number {
  return mischief.strikes('slow') ? random.within(20, mischief.slowestMs) : random.within(0, 3)
}
