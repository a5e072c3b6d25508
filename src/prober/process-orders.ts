// What the process of the probers is told, and how large anything may be that crosses its pipe.
import type { ToProber } from '#bus/link.ts'
import type { NatsOptions } from '#bus/nats-options.ts'
import type { FrameLimits } from './frames.ts'
import type { ProberThreadsOptions } from './threads.ts'

type Told = 'onDied' | 'onCounted' | 'onSetAside' | 'onAside' | 'onChanged'
type OfOneProcess = Told | 'bus' | 'log' | 'traces' | 'program'

/** All that the process of the probers is given, beside its environment. */
export type ProcessOrders = Omit<ProberThreadsOptions, OfOneProcess> & {
  bus: { type: 'memory' } | { type: 'nats'; nats: NatsOptions }
  /** Of all rounds, those that are traced; null for none. */
  traceShare: number | null
}

/** The head of a message of the bus; its bytes are the body. */
export type ToProberHead =
  | Omit<Extract<ToProber, { type: 'told' }>, 'bytes'>
  | (Omit<Extract<ToProber, { type: 'answered' }>, 'bytes'> & { hasBytes: boolean })

export type ProcessOrder = { type: 'begin'; orders: ProcessOrders } | { type: 'stop' } | ToProberHead

/** The pipe of the process, after its three standard streams. */
export const pipeNumber = 3
export const aliveMs = 1_000
export const maxSpansAtOnce = 256

/** Messages with results and presences are the largest that come from probers (`maxMessageBytes`). */
export const fromProbers: FrameLimits = { maxHeadBytes: 1024 * 1024, maxBodyBytes: 1024 * 1024 }
/** Configurations of two hundred monitors are the largest that go to them. */
export const toProbers: FrameLimits = { maxHeadBytes: 1024 * 1024, maxBodyBytes: 256 * 1024 * 1024 }
