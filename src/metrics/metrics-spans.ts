import { Counter, type Registry } from 'prom-client'

/** Told what became of spans of traces. */
export type SpanObserver = (outcome: 'taken' | 'refused' | 'dropped', spans: number) => void

export function createSpanObserver(registers: Registry[]): SpanObserver {
  const spans = new Counter({
    name: 'perigee_spans_total',
    help: 'Spans of traces by outcome: taken or refused by the receiver, or dropped because it took too little.',
    labelNames: ['outcome'],
    registers,
  })
  return (outcome, count) => spans.inc({ outcome }, count)
}
