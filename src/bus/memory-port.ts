// A prober in a worker thread reaches the memory bus through a MessagePort; what crosses it are the codec's bytes.
import type { MessagePort } from 'node:worker_threads'
import type { ProberBus } from './bus.ts'
import { type ProberWire, proberSide } from './prober-side.ts'
import { systemTime, type Time } from '#time/time.ts'

type ToBus =
  | { type: 'announce'; bytes: Uint8Array }
  | { type: 'listen' | 'leave'; address: string }
  | { type: 'publish'; call: number; bytes: Uint8Array }
  | { type: 'request'; call: number; location: string; bytes: Uint8Array }
  | { type: 'answer'; trialId: string; bytes: Uint8Array }

type ToProber =
  | { type: 'told'; address: string; bytes: Uint8Array }
  | { type: 'answered'; call: number; bytes: Uint8Array | null; error: string | null }

/** How long results or a request wait on the main thread for an engine to take them. */
export const handlerWaitMs = 30_000
/** A call that the main thread has not answered by then is taken as lost; the prober publishes again. */
const callDeadlineMs = handlerWaitMs + 5_000

/** The main thread's end. */
export function servePort(port: MessagePort, wire: ProberWire): void {
  const subscriptions = new Map<string, () => void>()
  const post = (message: ToProber): void => port.postMessage(message)
  const answer = (call: number, work: Promise<Uint8Array | null>): void => {
    work.then(
      (bytes) => post({ type: 'answered', call, bytes, error: null }),
      (error: unknown) => post({ type: 'answered', call, bytes: null, error: String(error) }),
    )
  }
  port.on('message', (message: ToBus) => {
    switch (message.type) {
      case 'announce':
        return wire.announce(message.bytes)
      case 'listen':
        subscriptions.set(
          message.address,
          wire.listen(message.address, (bytes) => post({ type: 'told', address: message.address, bytes })),
        )
        return
      case 'leave':
        subscriptions.get(message.address)?.()
        return
      case 'publish':
        return answer(
          message.call,
          wire.publish(message.bytes).then(() => null),
        )
      case 'request':
        return answer(message.call, wire.request(message.location, message.bytes))
      case 'answer':
        return wire.answer(message.trialId, message.bytes)
    }
  })
  port.on('close', () => {
    for (const unsubscribe of subscriptions.values()) unsubscribe()
  })
}

/** The worker's end. */
export function connectPort(
  port: MessagePort,
  { after }: Pick<Time, 'after'> = systemTime,
): ProberBus & { close: () => void } {
  const calls = new Map<number, { settle: (answer: Extract<ToProber, { type: 'answered' }>) => void }>()
  const listeners = new Map<string, (bytes: Uint8Array) => void>()
  let lastCall = 0
  const post = (message: ToBus): void => port.postMessage(message)
  const call = (send: (call: number) => ToBus): Promise<Uint8Array | null> =>
    new Promise((resolve, reject) => {
      lastCall += 1
      const id = lastCall
      const cancel = after(callDeadlineMs, () => {
        calls.delete(id)
        reject(new Error('The bus did not answer.'))
      })
      calls.set(id, {
        settle: ({ bytes, error }) => {
          cancel()
          calls.delete(id)
          if (error === null) resolve(bytes)
          else reject(new Error(error))
        },
      })
      post(send(id))
    })
  port.on('message', (message: ToProber) => {
    if (message.type === 'told') listeners.get(message.address)?.(message.bytes)
    else calls.get(message.call)?.settle(message)
  })
  const wire: ProberWire = {
    announce: (bytes) => post({ type: 'announce', bytes }),
    publish: async (bytes) => {
      await call((id) => ({ type: 'publish', call: id, bytes }))
    },
    request: async (location, bytes) => {
      const answer = await call((id) => ({ type: 'request', call: id, location, bytes }))
      if (answer === null) throw new Error('The bus answered without configurations.')
      return answer
    },
    listen: (address, handler) => {
      listeners.set(address, handler)
      post({ type: 'listen', address })
      return () => {
        listeners.delete(address)
        post({ type: 'leave', address })
      }
    },
    answer: (trialId, bytes) => post({ type: 'answer', trialId, bytes }),
  }
  return { ...proberSide(wire), close: () => port.close() }
}
