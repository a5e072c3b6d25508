// A prober in a worker thread reaches the bus through a MessagePort; what crosses it are the codec's bytes.
import type { MessagePort } from 'node:worker_threads'
import type { ProberBus } from './bus.ts'
import { connectLink, portLink } from './link.ts'
import { proberSide } from './prober-side.ts'
import { systemTime, type Time } from '#time/time.ts'

/** The worker's end. */
export function connectPort(
  port: MessagePort,
  time: Pick<Time, 'after'> = systemTime,
): ProberBus & { close: () => void } {
  return { ...proberSide(connectLink(portLink(port), time)), close: () => port.close() }
}
