import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Engine, EngineObserver } from './engine/engine.ts'

export type Metrics = {
  observer: EngineObserver
  answered: (answer: { method: string; route: string; status: number; seconds: number }) => void
  /** Shows the engine's figures too, from now on. */
  watch: (engine: Pick<Engine, 'watching' | 'partitions' | 'unchecked'>) => void
  read: () => Promise<{ contentType: string; text: string }>
}

/** Each look wakes the main thread; prom-client's usual 10 ms are a third of what that thread does when idle. */
const eventLoopMonitoringMs = 50

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({
    register: registry,
    prefix: 'perigee_',
    eventLoopMonitoringPrecision: eventLoopMonitoringMs,
  })
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
  const stored = new Counter({ name: 'perigee_results_stored_total', help: 'Results committed.', registers })
  const rejected = new Counter({ name: 'perigee_results_rejected_total', help: 'Results set aside.', registers })
  const requests = new Histogram({
    name: 'perigee_http_request_duration_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
    registers,
  })
  return {
    observer: {
      round: (lagMs) => {
        rounds.inc()
        lag.observe(lagMs / 1000)
      },
      skipped: () => skipped.inc(),
      stored: (count) => stored.inc(count),
      rejected: () => rejected.inc(),
    },
    answered: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    watch: (engine) => addEngineGauges(registers, engine),
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

function addEngineGauges(registers: Registry[], engine: Parameters<Metrics['watch']>[0]): void {
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
}

function addGauge(
  registers: Registry[],
  { name, help, read }: { name: string; help: string; read: () => number },
): void {
  const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) })
}
