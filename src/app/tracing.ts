import type { Config } from '#config/config.ts'
import type { Roles } from '#config/roles.ts'
import type { Metrics } from '#metrics/metrics.ts'
import type { Span } from '#otlp/span.ts'
import { createSpanSender } from '#otlp/span-sender.ts'
import { createTracer, type Tracer } from '#otlp/tracer.ts'
import { systemTime } from '#time/time.ts'
import type { Log } from './log.ts'
import { readRelease } from './release.ts'

/** How a process traces the rounds that are traced at all. */
export type Tracing = {
  tracer: Tracer
  share: number
  /** Takes what the threads of probers saw. */
  add: (spans: readonly Span[]) => void
  close: () => Promise<void>
}

export type TracingParts = {
  config: Pick<Config, 'traces'>
  name: string
  roles: Roles
  log: Log
  metrics: Pick<Metrics, 'spans'>
}

/** Null where nothing is traced. */
export function openTracing({ config, name, roles, log, metrics }: TracingParts): Tracing | null {
  if (config.traces === null) return null
  const { receiver, share } = config.traces
  const sender = createSpanSender({
    receiver,
    resource: {
      'service.name': 'perigee',
      'service.version': readRelease(),
      'service.instance.id': name,
      'perigee.roles': [...roles].join(','),
    },
    onEnded: metrics.spans,
    log,
    time: systemTime,
    random: Math.random,
  })
  return {
    tracer: createTracer({ share, end: (span) => sender.add(span) }),
    share,
    add: (spans) => spans.forEach((span) => sender.add(span)),
    close: () => sender.close(),
  }
}
