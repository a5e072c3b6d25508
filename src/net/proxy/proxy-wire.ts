import { brokenFailure, lateFailure } from '#net/dial/connect-failure.ts'
import { attend, type Connection, readUnbuffered, release } from '#net/dial/connection.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { createByteQueue } from '#net/tcp/byte-queue.ts'
import { type ProxyCode, proxyFailure } from './proxy.ts'

/** What is said to a proxy before the way to the target is open. What its reads reject with is a `ProxyFault`. */
export type ProxyWire = {
  send: (bytes: string | Uint8Array) => void
  /** So many bytes. */
  take: (count: number) => Promise<Buffer>
  /** All up to these bytes, which are dropped. */
  takeUntil: (end: string) => Promise<string>
}

export class ProxyFault extends Error {
  readonly failure: NetFailure
  constructor(failure: NetFailure) {
    super(failure.message)
    this.failure = failure
  }
}

export function fault(code: ProxyCode, message: string): ProxyFault {
  return new ProxyFault(proxyFailure(code, message))
}

/** A proxy that says more before the way is open does not speak its protocol. */
const maxBytes = 16 * 1024

type Course = { signal: AbortSignal; timeoutMs: number | undefined; label: string; isTls: boolean }

/**
 * Speaks with a proxy over a connection, which belongs to other code again when this resolves. Rejects with a `ProxyFault`
 * where the proxy, or the time, ends the conversation.
 */
export async function speakTo(
  connection: Connection,
  { signal, timeoutMs, label, isTls }: Course,
  speak: (wire: ProxyWire) => Promise<void>,
): Promise<void> {
  const received = createByteQueue()
  let ending: NetFailure | null = null
  let wake = ignore
  const end = (failure: NetFailure): void => {
    ending ??= failure
    wake()
  }
  const late = (): void => end(lateFailure('connect', timeoutMs, `waiting for the proxy ${label}`))
  const until = async (isEnough: () => boolean): Promise<void> => {
    while (!isEnough()) {
      if (ending !== null) throw new ProxyFault(ending)
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const stop = isTls ? readUnbuffered(connection) : ignore
  signal.addEventListener('abort', late)
  if (signal.aborted) late()
  attend(connection, {
    onData: (bytes) => {
      received.add(bytes)
      if (received.bytes().length > maxBytes) end(proxyFailure('proxy_garbled', `The proxy ${label} says too much`))
      wake()
    },
    onEnd: () => end(proxyFailure('proxy_failed', `The proxy ${label} closed the connection`)),
    onError: (error) => end(brokenFailure(error, 'connect', label)),
  })
  try {
    await speak({
      send: (bytes) => void connection.socket.write(bytes),
      take: async (count) => {
        await until(() => received.bytes().length >= count)
        return received.cut(count)
      },
      takeUntil: async (text) => {
        await until(() => received.bytes().includes(text))
        const head = received.cut(received.bytes().indexOf(text) + text.length)
        return head.toString('latin1', 0, head.length - text.length)
      },
    })
    // Nothing was sent to the target yet, so that it has nothing to answer.
    if (received.bytes().length > 0) throw fault('proxy_garbled', `The proxy ${label} says too much`)
  } finally {
    signal.removeEventListener('abort', late)
    stop()
    release(connection)
  }
}

function ignore(): void {}
