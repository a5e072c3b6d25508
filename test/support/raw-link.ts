// A link to the bus in memory at whose other end the test writes what it likes.
import type { ToBus, ToProber } from '#bus/link.ts'
import type { MemoryBus } from '#bus/memory.ts'

export type RawLink = {
  say: (message: ToBus) => void
  /** Resolves with why results were refused, null where they were taken. */
  publish: (bytes: Uint8Array) => Promise<string | null>
  /** Resolves with the text of the answer, or of why there is none. */
  request: (location: string, bytes: Uint8Array) => Promise<{ text: string; isRefused: boolean }>
}

type Answered = Extract<ToProber, { type: 'answered' }>

/** Of a prober of these locations. */
export function openRawLink(bus: Pick<MemoryBus, 'attach'>, locations: readonly string[]): RawLink {
  const calls = new Map<number, (answer: Answered) => void>()
  const ends = new Set<(message: ToBus) => void>()
  const post = (message: ToProber): void => {
    if (message.type !== 'answered') return
    calls.get(message.call)?.(message)
    calls.delete(message.call)
  }
  bus.attach({ post, onMessage: (handler) => void ends.add(handler), onClose: () => {} }, locations)
  const say = (message: ToBus): void => {
    for (const hear of ends) hear(message)
  }
  let last = 0
  const call = (send: (id: number) => ToBus): Promise<Answered> => {
    const { promise, resolve } = Promise.withResolvers<Answered>()
    last += 1
    calls.set(last, resolve)
    say(send(last))
    return promise
  }
  return {
    say,
    publish: async (bytes) => (await call((id) => ({ type: 'publish', call: id, bytes }))).error,
    request: async (location, bytes) => {
      const answer = await call((id) => ({ type: 'request', call: id, location, bytes }))
      return {
        text: answer.error ?? new TextDecoder().decode(answer.bytes ?? undefined),
        isRefused: answer.error !== null,
      }
    },
  }
}
