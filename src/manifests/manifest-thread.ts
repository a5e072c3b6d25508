import { type Asked, askOnce, openThread, type ThreadLimits } from '#threads/thread.ts'
import type { ManifestReading, ReadableFormat } from './manifest.ts'

export type ManifestFile = {
  format: ReadableFormat
  /** Bytes are a file in UTF-8 or UTF-16. */ content: string | Uint8Array
}

/** What the thread answers; `problem` is a sentence for the caller who brings the manifest. */
export type ManifestAnswer = { type: 'read'; reading: ManifestReading } | { type: 'refused'; problem: string }

export type ReadingOutcome =
  | ManifestAnswer
  /** Time or memory ran out, so another attempt may succeed. */
  | { type: 'given up'; problem: string }

/** Reads foreign files without holding up the rest of the process. */
export type ManifestThread = {
  /** Reads one file at a time. Throws for faults that are not the manifest's. */
  read: (file: ManifestFile, signal: AbortSignal) => Promise<ReadingOutcome>
  close: () => Promise<void>
}

const code = new URL('./manifest-worker.ts', import.meta.url)
/** The time is far more than the longest manifest takes on an idle machine. */
const usualLimits: ThreadLimits = { timeoutMs: 15_000, maxHeapMb: 512 }

/** The thread starts with the first manifest, and anew after one that was given up; it runs until it is closed. */
export function openManifestThread(limits: Partial<ThreadLimits> = {}): ManifestThread {
  const { ask, close } = openThread<ManifestFile, ManifestAnswer>(code, { ...usualLimits, ...limits })
  return { read: async (file, signal) => outcomeOf(await ask(file, signal)), close }
}

/** Reads one manifest in a thread of its own. */
export async function readInThread(file: ManifestFile, limits: Partial<ThreadLimits> = {}): Promise<ReadingOutcome> {
  return outcomeOf(await askOnce<ManifestAnswer>(code, file, { ...usualLimits, ...limits }))
}

function outcomeOf(asked: Asked<ManifestAnswer>): ReadingOutcome {
  if (asked.type === 'answered') return asked.answer
  const problem = asked.why === 'memory' ? 'It takes too much memory to read.' : 'It takes too long to read.'
  return { type: 'given up', problem }
}
