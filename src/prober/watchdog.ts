import type { Work, WorkReader } from './work-marks.ts'

/** The time of the processor that one check may take in stretches longer than the watchdog's tick. */
export const maxCpuMs = 4_000
export const watchdogTickMs = 250

export type Watched = {
  reader: WorkReader
  /** The time of the processor that the thread has used so far. Rejects when the thread has ended. */
  readCpuMs: () => Promise<number>
  /** Told once. */
  onOverrun: (work: Work) => void
  /** Default: `maxCpuMs`. */
  mostCpuMs?: number | undefined
}

export type Watchdog = {
  /** To be called every `watchdogTickMs`. Resolves when it has looked. */
  tick: () => Promise<void>
}

/**
 * Finds the check that keeps its thread from turning. Only processor time counts, because on a busy machine a thread
 * waits for its turn, and of that no more than the ticks that passed, so that nothing counts while the process itself
 * stands still.
 */
export function createWatchdog({ reader, readCpuMs, onOverrun, mostCpuMs = maxCpuMs }: Watched): Watchdog {
  let ticks = 0
  let lastStretch = -1
  /** The stretch that is being measured, when it was looked at last. */
  let measured: { stretch: number; cpuMs: number; ticks: number } | null = null
  let spent = { check: 0, cpuMs: 0 }
  let isAsking = false
  let isOver = false

  async function measure(stretch: number, check: number): Promise<void> {
    isAsking = true
    const cpuMs = await readCpuMs().catch(() => null)
    isAsking = false
    if (cpuMs === null || isOver || reader.seen().stretch !== stretch) return
    const before = measured?.stretch === stretch ? measured : { cpuMs, ticks }
    const usedMs = Math.min(cpuMs - before.cpuMs, (ticks - before.ticks) * watchdogTickMs)
    measured = { stretch, cpuMs, ticks }
    spent = { check, cpuMs: (spent.check === check ? spent.cpuMs : 0) + usedMs }
    if (spent.cpuMs < mostCpuMs) return
    isOver = true
    onOverrun(reader.work())
  }

  return {
    tick: async () => {
      ticks += 1
      const { stretch, check } = reader.seen()
      const standsStill = stretch === lastStretch && check !== 0
      lastStretch = stretch
      if (standsStill && !isAsking && !isOver) await measure(stretch, check)
    },
  }
}
