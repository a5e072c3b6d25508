import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then partitions are held, and the first look at everything is over. */
const settledMs = 20_000

/**
 * Gives back the memory that only the start needed. While a program loads, V8 lets its young generation grow to the
 * limit, and makes it smaller again in a full collection of a quiet process, which at rest may not come for hours. This
 * makes one, for which answers wait about 0.1 s. Where the work needs a larger young generation, it grows again.
 * Returns what calls it off.
 */
export function collectAfterStart({ afterMs = settledMs, collect = collectAll } = {}): () => void {
  const timer = setTimeout(collect, afterMs)
  timer.unref()
  return () => clearTimeout(timer)
}

/** V8 shows its collector only to a context that is made while this flag is set. */
export function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof found === 'function') found()
}
