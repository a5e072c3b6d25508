// How a prober that is not in the bus's own thread reaches it: messages over something that keeps their order, a port
// between two threads or the pipe between two processes. Of the codec's bytes nothing is read here.
import type { MessagePort } from 'node:worker_threads'
import type { ProberWire } from './prober-side.ts'
import { systemTime, type Time } from '#time/time.ts'

export type ToBus =
  | { type: 'announce'; bytes: Uint8Array }
  | { type: 'listen' | 'leave'; address: string }
  | { type: 'publish'; call: number; bytes: Uint8Array }
  | { type: 'request'; call: number; location: string; bytes: Uint8Array }
  | { type: 'route'; location: string; bytes: Uint8Array }
  | { type: 'answer'; trialId: string; bytes: Uint8Array }

export type ToProber =
  | { type: 'told'; address: string; bytes: Uint8Array }
  | { type: 'answered'; call: number; bytes: Uint8Array | null; error: string | null }

/** One end of it. */
export type Link<Out, In> = {
  post: (message: Out) => void
  onMessage: (handler: (message: In) => void) => void
  onClose: (handler: () => void) => void
}

/** How long results or a request wait on the main thread for an engine to take them. */
export const handlerWaitMs = 30_000
/** A call that the main thread has not answered by then is taken as lost; the prober publishes again. */
const callDeadlineMs = handlerWaitMs + 5_000
/** One link has no more under way, which is far above what probers send at once. They send again what is refused. */
const maxBytesUnderWay = 64 * 1024 * 1024
/** Two for each prober, of 64 threads with 32 locations each. */
const maxSubscriptions = 4_096

export function portLink<Out, In>(port: MessagePort): Link<Out, In> {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (handler) => void port.on('message', handler),
    onClose: (handler) => void port.on('close', handler),
  }
}

/** The bus's end. */
export function serveLink(link: Link<ToProber, ToBus>, wire: ProberWire): void {
  const subscriptions = new Map<string, () => void>()
  const answer = createAnswers(link)
  function listen(address: string): void {
    subscriptions.get(address)?.()
    if (!subscriptions.has(address) && subscriptions.size >= maxSubscriptions) return
    const unsubscribe = wire.listen(address, (bytes) => link.post({ type: 'told', address, bytes }))
    subscriptions.set(address, unsubscribe)
  }
  function leave(address: string): void {
    subscriptions.get(address)?.()
    subscriptions.delete(address)
  }
  link.onMessage((message) => {
    switch (message.type) {
      case 'announce':
        return wire.announce(message.bytes)
      case 'listen':
        return listen(message.address)
      case 'leave':
        return leave(message.address)
      case 'publish':
        return answer(message, () => wire.publish(message.bytes).then(() => null))
      case 'request':
        return answer(message, () => wire.request(message.location, message.bytes))
      case 'route':
        return wire.tellRoute(message.location, message.bytes)
      case 'answer':
        return wire.answer(message.trialId, message.bytes)
    }
  })
  link.onClose(() => {
    for (const unsubscribe of subscriptions.values()) unsubscribe()
    subscriptions.clear()
  })
}

type Call = { call: number; bytes: Uint8Array }
type Answer = (call: Call, work: () => Promise<Uint8Array | null>) => void

function createAnswers({ post }: Pick<Link<ToProber, ToBus>, 'post'>): Answer {
  let bytesUnderWay = 0
  const refuse = (call: number, error: unknown): void =>
    post({ type: 'answered', call, bytes: null, error: String(error) })
  return ({ call, bytes: asked }, work) => {
    if (bytesUnderWay + asked.byteLength > maxBytesUnderWay) return refuse(call, 'The bus is full.')
    bytesUnderWay += asked.byteLength
    void work()
      .then(
        (bytes) => post({ type: 'answered', call, bytes, error: null }),
        (error: unknown) => refuse(call, error),
      )
      .finally(() => {
        bytesUnderWay -= asked.byteLength
      })
  }
}

/** The prober's end. */
export function connectLink(link: Link<ToBus, ToProber>, { after }: Pick<Time, 'after'> = systemTime): ProberWire {
  const calls = new Map<number, { settle: (answer: Extract<ToProber, { type: 'answered' }>) => void }>()
  const listeners = new Map<string, (bytes: Uint8Array) => void>()
  let lastCall = 0
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
      link.post(send(id))
    })
  link.onMessage((message) => {
    if (message.type === 'told') listeners.get(message.address)?.(message.bytes)
    else calls.get(message.call)?.settle(message)
  })
  return {
    announce: (bytes) => link.post({ type: 'announce', bytes }),
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
      link.post({ type: 'listen', address })
      return () => {
        listeners.delete(address)
        link.post({ type: 'leave', address })
      }
    },
    tellRoute: (location, bytes) => link.post({ type: 'route', location, bytes }),
    answer: (trialId, bytes) => link.post({ type: 'answer', trialId, bytes }),
  }
}
