// Runs threads of probers for another process, at the other end of a pipe.
import type { Duplex } from 'node:stream'
import { connectLink, type Link, serveLink, type ToBus, type ToProber } from '#bus/link.ts'
import type { ProberWire } from '#bus/prober-side.ts'
import type { Span } from '#otlp/span.ts'
import { type Frame, type FramePipe, openFrames } from './frames.ts'
import { aliveMs, maxSpansAtOnce, type ProcessOrder, type ProcessOrders, toProbers } from './process-orders.ts'
import type { ProcessWord } from './process-words.ts'
import { type ProberThreads, type ProberThreadsOptions, startProberThreads } from './threads.ts'

/** A longer one would be no word that the other process takes. */
const maxDetails = 64 * 1024
const maxMessage = 2_000

type Serving = { pipe: FramePipe; say: (word: ProcessWord) => void; wire: ProberWire; threads: ProberThreads | null }

/** Serves until it is told to stop. A pipe that closes ends the process at once, because no process is left to hear. */
export function serveThreads(duplex: Duplex): void {
  // A terminal and a service manager tell all processes to stop; the one that started this one says when.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {})
  const messages = new Set<(message: ToProber) => void>()
  const onFrame = (frame: Frame): void => hear(orderOf(frame), serving, messages)
  const pipe = openFrames(duplex, toProbers, { onFrame, onBroken: endAtOnce, onClose: endAtOnce })
  const link: Link<ToBus, ToProber> = {
    post: (message) => sendToBus(pipe, message),
    onMessage: (handler) => void messages.add(handler),
    onClose: () => {},
  }
  const say = (word: ProcessWord): void => pipe.send(word)
  const serving: Serving = { pipe, say, wire: connectLink(link), threads: null }
  say({ type: 'alive' })
  setInterval(() => say({ type: 'alive' }), aliveMs)
}

/** Threads that do not turn would keep an exit waiting. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}

type Order = Exclude<ProcessOrder, { hasBytes: boolean } | { type: 'told' }> | ToProber

/** What crosses here was written by the process that started this one, which this one trusts. */
function orderOf({ head, body }: Frame): Order {
  const order: ProcessOrder = JSON.parse(head)
  // A thread is sent the whole memory that a view is of, so that the bytes need one of their own.
  if (order.type === 'told') return { ...order, bytes: new Uint8Array(body) }
  if (order.type === 'answered') return { ...order, bytes: order.hasBytes ? new Uint8Array(body) : null }
  return order
}

function hear(order: Order, serving: Serving, messages: ReadonlySet<(message: ToProber) => void>): void {
  switch (order.type) {
    case 'begin':
      return begin(serving, order.orders)
    case 'stop':
      return void stop(serving)
    case 'told':
    case 'answered':
      for (const handle of messages) handle(order)
  }
}

function begin(serving: Serving, { bus, traceShare, ...orders }: ProcessOrders): void {
  const { say, wire } = serving
  const tellState = (): void => {
    const { threads } = serving
    if (threads !== null) say({ type: 'threads', missing: threads.missing, haveBegun: threads.haveBegun })
  }
  const options: ProberThreadsOptions = {
    ...orders,
    bus: bus.type === 'nats' ? bus : { type: 'memory', attach: (link) => serveLink(link, wire) },
    log: { warn: (message, details = {}) => say(warningOf(message, details)) },
    onDied: () => say({ type: 'died' }),
    onCounted: (thread, counts) => say({ type: 'counts', thread, counts }),
    onSetAside: (aside) => say({ type: 'set aside', ...aside }),
    onAside: (aside) => say({ type: 'aside', aside }),
    onChanged: tellState,
    traces: traceShare === null ? null : { share: traceShare, onSpans: (spans) => tellSpans(spans, say) },
  }
  serving.threads = startProberThreads(options)
  tellState()
}

async function stop({ pipe, threads }: Serving): Promise<void> {
  await threads?.stop()
  await pipe.flush()
  process.exit(0)
}

function sendToBus(pipe: FramePipe, message: ToBus): void {
  if ('address' in message) return pipe.send(message)
  const { bytes, ...head } = message
  pipe.send(head, bytes)
}

function warningOf(message: string, details: Record<string, unknown>): ProcessWord {
  const isShort = JSON.stringify(details).length <= maxDetails
  return { type: 'warning', message: message.slice(0, maxMessage), details: isShort ? details : {} }
}

function tellSpans(spans: readonly Span[], say: (word: ProcessWord) => void): void {
  for (let at = 0; at < spans.length; at += maxSpansAtOnce)
    say({ type: 'spans', spans: spans.slice(at, at + maxSpansAtOnce) })
}
