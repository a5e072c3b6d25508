import { Counter, Histogram, type Registry } from 'prom-client'
import { addGauge } from './metrics-gauge.ts'
import type { ProberThreads } from '#prober/threads.ts'
import { durationBounds, type ProberCounts } from '#prober/tally.ts'

/** What threads of probers tell of themselves; null when one has ended. */
export type ThreadsObserver = {
  died: () => void
  counted: (thread: string, counts: ProberCounts | null) => void
  setAside: (aside: { monitorId: string; forMs: number }) => void
}

export type Checks = ThreadsObserver & {
  /** The sum over all threads. `setAside` counts monitors. */
  load: () => { running: number; waiting: number; outbox: number; setAside: number }
}

export function createChecks(registers: Registry[]): Checks {
  const counters = createCheckCounters(registers)
  const loads = new Map<string, ProberCounts>()
  const asides = createAsideCount()
  const sum = (member: 'running' | 'waiting' | 'outbox'): number =>
    loads.values().reduce((total, counts) => total + counts[member], 0)
  addGauge(registers, {
    name: 'perigee_checks_running',
    help: 'Checks under way, as of a second ago.',
    read: () => sum('running'),
  })
  addGauge(registers, {
    name: 'perigee_assignments_waiting',
    help: 'Assignments that wait for a place or for their configuration.',
    read: () => sum('waiting'),
  })
  addGauge(registers, {
    name: 'perigee_outbox_results',
    help: 'Results that are not known to be durable yet.',
    read: () => sum('outbox'),
  })
  addGauge(registers, {
    name: 'perigee_monitors_set_aside',
    help: 'Monitors that are not checked for a while, because a check of theirs took the processor or memory of its thread.',
    read: asides.count,
  })
  return {
    died: counters.died,
    counted: (thread, counts) => {
      if (counts === null) return void loads.delete(thread)
      loads.set(thread, counts)
      counters.add(counts)
    },
    setAside: asides.add,
    load: () => ({
      running: sum('running'),
      waiting: sum('waiting'),
      outbox: sum('outbox'),
      setAside: asides.count(),
    }),
  }
}

export type WatchedThreads = Pick<ProberThreads, 'missing'>

export function addThreadGauge(registers: Registry[], threads: WatchedThreads): void {
  addGauge(registers, {
    name: 'perigee_prober_threads_missing',
    help: 'Threads of probers that have not begun, or have died and not begun again.',
    read: () => threads.missing,
  })
}

/** As many as the book of a process holds; probers that lie could name monitors without end. */
const maxAsides = 1_000

function createAsideCount(): { add: ThreadsObserver['setAside']; count: () => number } {
  const untilMs = new Map<string, number>()
  const count = (): number => {
    for (const [monitorId, ms] of untilMs) if (ms <= performance.now()) untilMs.delete(monitorId)
    return untilMs.size
  }
  return {
    add: ({ monitorId, forMs }) => {
      if (untilMs.size >= maxAsides && !untilMs.has(monitorId) && count() >= maxAsides) return
      untilMs.set(monitorId, performance.now() + forMs)
    },
    count,
  }
}

function createCheckCounters(registers: Registry[]): { died: () => void; add: (counts: ProberCounts) => void } {
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers })
  const checks = new Counter({
    name: 'perigee_checks_total',
    help: 'Checks by kind and outcome; none when the location could not tell.',
    labelNames: ['kind', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'perigee_check_duration_seconds',
    help: 'Time that checks took, by kind.',
    labelNames: ['kind'],
    buckets: [...durationBounds],
    registers,
  })
  const refused = counter('perigee_assignments_refused_total', 'Assignments not taken: full, or stopping.')
  const dropped = counter('perigee_results_dropped_total', 'Results that could not be sent in time.')
  const stalls = counter(
    'perigee_prober_stalls_total',
    'Times a thread stood still for so long that its checks were made again.',
  )
  const deaths = counter(
    'perigee_prober_thread_deaths_total',
    'Threads of probers that died, of too little memory or a bug, and were started again.',
  )
  return {
    died: () => deaths.inc(),
    add: (counts) => {
      for (const { kind, status, checks: number, seconds } of counts.checks) {
        checks.inc({ kind, status }, number)
        // All of them lie between the same two bounds, and so does their mean: buckets and sum come out right.
        for (let index = 0; index < number; index += 1) durations.observe({ kind }, seconds / number)
      }
      refused.inc(counts.refused)
      dropped.inc(counts.dropped)
      stalls.inc(counts.stalls)
    },
  }
}
