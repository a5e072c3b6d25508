import type { ManifestReading, ReadableFormat } from './manifest.ts'
import { readInThread } from './manifest-thread.ts'

export type ManifestRequest = { format: ReadableFormat; content: string }

/** `problem` is a sentence for the caller who imports the file. */
export type ManifestOutcome =
  | { type: 'read'; reading: ManifestReading }
  | { type: 'failed'; problem: string }
  | { type: 'busy' }

export type ReadManifest = (request: ManifestRequest) => Promise<ManifestOutcome>

const readingsAtOnce = 2
/** Limit of waiting requests, since each holds its file in memory. */
const maxWaiting = 20
const usualTimeoutMs = 20_000
const maxHeapMb = 1024
const tooMuch = 'Takes too long or too much memory to read; import it in parts.'

/**
 * Reads each manifest in a thread of its own, so that a file made to be slow delays nothing else and a crash takes
 * nothing with it. The number of waiting requests is limited.
 */
export function createManifestReader({ timeoutMs = usualTimeoutMs }: { timeoutMs?: number } = {}): ReadManifest {
  const waiting: (() => void)[] = []
  let running = 0
  return async (request) => {
    if (running >= readingsAtOnce) {
      if (waiting.length >= maxWaiting) return { type: 'busy' }
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await answer(request, timeoutMs)
    } finally {
      // The next request takes over the place, or the place is free.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

async function answer(request: ManifestRequest, timeoutMs: number): Promise<ManifestOutcome> {
  const outcome = await readInThread(request, { timeoutMs, maxHeapMb })
  switch (outcome.type) {
    case 'read':
      return outcome
    case 'refused':
      return { type: 'failed', problem: outcome.problem }
    case 'given up':
      return { type: 'failed', problem: tooMuch }
  }
}
