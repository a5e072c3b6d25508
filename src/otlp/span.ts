/** `internal` happens inside one process; a `producer` hands on what a `consumer` takes; a `client` waits for an answer. */
export type SpanKind = 'internal' | 'client' | 'producer' | 'consumer'

/** docs/monitoring-perigee.md ("Traces") says what each is; a test compares them. */
export const spanNames = [
  'round',
  'schedule',
  'order',
  'check',
  'wait',
  'dns',
  'connect',
  'tls',
  'ttfb',
  'transfer',
  'report',
  'store',
  'judge',
  'incident',
  'deliver',
  'attempt',
] as const
export type SpanName = (typeof spanNames)[number]

/** Ids are 32 and 16 lower-case hexadecimal digits. */
export type SpanPlace = { traceId: string; spanId: string }

/**
 * Something that took place, once it has ended. Times are milliseconds since 1970, with fractions, by the clock of the
 * process that saw it. Nothing in it is a secret: ids, names of locations and kinds, numbers and outcomes.
 */
export type Span = SpanPlace & {
  /** Null for the first of a trace. */
  parentId: string | null
  name: SpanName
  kind: SpanKind
  startMs: number
  endMs: number
  isFailure: boolean
  attributes: Readonly<Record<string, string | number | boolean>>
  /** Other traces that this one follows from. */
  links?: readonly SpanPlace[]
}
