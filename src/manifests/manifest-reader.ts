import { createPlaces } from '#threads/waiting-places.ts'
import type { ManifestReading, ReadableFormat } from './manifest.ts'
import { readInThread, type ReadingOutcome } from './manifest-thread.ts'

export type ManifestRequest = { format: ReadableFormat; content: string }

/** `problem` is a sentence for the caller who imports the file. */
export type ManifestOutcome =
  | { type: 'read'; reading: ManifestReading }
  | { type: 'failed'; problem: string }
  | { type: 'busy' }

export type ReadManifest = (request: ManifestRequest) => Promise<ManifestOutcome>

/** Each waiting request holds its file in memory. */
const limits = { atOnce: 2, maxWaiting: 20 }
const timeoutMs = 20_000
const maxHeapMb = 1024
const tooMuch = 'Takes too long or too much memory to read. Import it in parts.'

type Read = (request: ManifestRequest) => Promise<ReadingOutcome>

/**
 * Reads each manifest in a thread of its own, so that a file made to be slow delays nothing else and a crash takes
 * nothing with it. The number of waiting requests is limited.
 */
export function createManifestReader(read: Read = inOwnThread): ReadManifest {
  const places = createPlaces(limits)
  return async (request) => (await places.take(async () => answerOf(await read(request)))) ?? { type: 'busy' }
}

function inOwnThread(request: ManifestRequest): Promise<ReadingOutcome> {
  return readInThread(request, { timeoutMs, maxHeapMb })
}

function answerOf(outcome: ReadingOutcome): ManifestOutcome {
  switch (outcome.type) {
    case 'read':
      return outcome
    case 'refused':
      return { type: 'failed', problem: outcome.problem }
    case 'given up':
      return { type: 'failed', problem: tooMuch }
  }
}
