import { fail } from '#core/language/error.ts'
import type { JsonReading } from '#core/language/bounded-json.ts'
import { askOnce, type ThreadLimits } from '#threads/thread.ts'
import { createPlaces } from '#threads/waiting-places.ts'

export type LongBody = Uint8Array
export type ReadBody = JsonReading

const code = new URL('./json-worker.ts', import.meta.url)
/** The longest body takes a tenth of a second on an idle machine. */
const limits: ThreadLimits = { timeoutMs: 20_000, maxHeapMb: 512 }
/** Each holds its body in memory. */
const bounds = { atOnce: 2, maxWaiting: 20 }

/**
 * Reads long bodies in threads of their own, because the thread that serves all callers would stand still for them. A
 * process has one, which bounds how many are read at once.
 */
export type LongBodies = {
  /** Throws refusals where it takes too long, or where too many are read. */
  read: (bytes: LongBody) => Promise<JsonReading>
}

export function createLongBodies(): LongBodies {
  const places = createPlaces(bounds)
  return {
    read: async (bytes) => {
      const asked = await places.take(() => askOnce<ReadBody>(code, bytes, limits))
      if (asked?.type === 'answered') return asked.answer
      if (asked === null || asked.why !== 'memory')
        throw fail('unavailable', 'Too many large bodies are being read right now. Try again in a moment.', again)
      throw fail('bad_request', 'The body takes too much memory to read. Send it in parts.')
    },
  }
}

const again = { retryAfterSeconds: 5 }
