import { Counter, Histogram, type Registry } from 'prom-client'
import type { EngineObserver } from '#engine/engine-options.ts'
import type { Engine } from '#engine/engine.ts'
import type { PresenceBook } from '#engine/locations/presence.ts'
import { addGauge, addGauges } from './metrics-gauge.ts'

/** Locations shown at most: their names come from outside. */
const maxLocations = 200

export function createEngineObserver(registers: Registry[]): EngineObserver {
  const rounds = createRoundMetrics(registers)
  const stored = new Counter({ name: 'perigee_results_stored_total', help: 'Results committed.', registers })
  const rejected = new Counter({ name: 'perigee_results_rejected_total', help: 'Results set aside.', registers })
  const jumps = new Counter({
    name: 'perigee_clock_jumps_total',
    help: 'Times that the clock of the installation jumped.',
    registers,
  })
  const sizes = new Histogram({
    name: 'perigee_intake_batch_results',
    help: 'Results that arrived at the intake together.',
    buckets: [1, 5, 10, 50, 100, 250, 500, 1000, 2000],
    registers,
  })
  const durations = new Histogram({
    name: 'perigee_intake_batch_duration_seconds',
    help: 'Time to store and evaluate such a batch.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const failures = new Counter({
    name: 'perigee_intake_failures_total',
    help: 'Batches that could not be stored and were handed back.',
    registers,
  })
  return {
    ...rounds,
    stored: (count) => stored.inc(count),
    rejected: () => rejected.inc(),
    jumped: () => jumps.inc(),
    batch: ({ results, seconds, isStored }) => {
      sizes.observe(results)
      durations.observe(seconds)
      if (!isStored) failures.inc()
    },
  }
}

function createRoundMetrics(registers: Registry[]): Pick<EngineObserver, 'round' | 'skipped'> {
  const rounds = new Counter({ name: 'perigee_rounds_total', help: 'Rounds begun.', registers })
  const skipped = new Counter({
    name: 'perigee_rounds_skipped_total',
    help: 'Ticks that fell due while a round of the monitor was open.',
    registers,
  })
  const lag = new Histogram({
    name: 'perigee_round_lag_seconds',
    help: 'How much later than scheduled a round began.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  })
  return {
    round: (lagMs) => {
      rounds.inc()
      lag.observe(lagMs / 1000)
    },
    skipped: () => skipped.inc(),
  }
}

export type WatchedEngine = Pick<Engine, 'watching' | 'partitions' | 'unchecked' | 'lagMs' | 'waiting'>

export function addEngineGauges(registers: Registry[], engine: WatchedEngine): void {
  addGauge(registers, {
    name: 'perigee_monitors',
    help: 'Monitors that this process schedules.',
    read: () => engine.watching,
  })
  addGauge(registers, { name: 'perigee_partitions', help: 'Partitions held, of 64.', read: () => engine.partitions })
  addGauge(registers, {
    name: 'perigee_monitors_unchecked',
    help: 'Monitors without data for five minutes and three of their intervals.',
    read: () => engine.unchecked(),
  })
  addGauge(registers, {
    name: 'perigee_schedule_lag_seconds',
    help: 'How long the monitor is overdue that has waited longest for its round to begin.',
    read: () => engine.lagMs() / 1000,
  })
  addGauge(registers, {
    name: 'perigee_intake_results_waiting',
    help: 'Results that arrived and are in no batch yet.',
    read: () => engine.waiting,
  })
}

/** Read by the installation's clock: by this machine's, where the two differ, every location could seem long gone. */
export type WatchedPresence = { present: () => ReturnType<PresenceBook['present']> }

export function addPresenceGauge(registers: Registry[], presence: WatchedPresence): void {
  const shown = (): ReturnType<WatchedPresence['present']> => presence.present().slice(0, maxLocations)
  addGauges(registers, {
    name: 'perigee_location_probers',
    help: 'Probers present at a location, as this process hears them.',
    labelNames: ['location'],
    read: () => shown().map(({ location, probers }) => [{ location }, probers] as const),
  })
  addGauges(registers, {
    name: 'perigee_location_network_lost',
    help: '1 while a prober of the location has no network of its own, so that its checks tell nothing.',
    labelNames: ['location'],
    read: () => shown().map(({ location, hasLostNetwork }) => [{ location }, hasLostNetwork ? 1 : 0] as const),
  })
}
