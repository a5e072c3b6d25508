import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ManifestReading, ReadableFormat } from './manifest.ts'

export type ManifestFile = {
  format: ReadableFormat
  /** Bytes are a file in UTF-8 or UTF-16. */ content: string | Uint8Array
}

/** Every `problem` is a sentence for the caller who brings the manifest. */
export type ReadingOutcome =
  | { type: 'read'; reading: ManifestReading }
  | { type: 'refused'; problem: string }
  /** Time or memory ran out, so another attempt may succeed. */
  | { type: 'given up'; problem: string }

/** Reads foreign files without holding up the rest of the process. */
export type ManifestThread = {
  /** Reads one file at a time. Throws for faults that are not the manifest's. */
  read: (file: ManifestFile, signal: AbortSignal) => Promise<ReadingOutcome>
  close: () => Promise<void>
}

/** Far more than the longest manifest takes on an idle machine, including the start of the thread. */
const usualTimeoutMs = 15_000
const usualMaxHeapMb = 512
const tooSlow: ReadingOutcome = { type: 'given up', problem: 'It takes too long to read.' }

export type ThreadLimits = { timeoutMs?: number; maxHeapMb?: number }

/** The thread starts with the first manifest, and anew after one that was given up; it runs until it is closed. */
export function openManifestThread({
  timeoutMs = usualTimeoutMs,
  maxHeapMb = usualMaxHeapMb,
}: ThreadLimits = {}): ManifestThread {
  let worker: Worker | null = null
  function start(): Worker {
    const started = startWorker(maxHeapMb, () => {
      if (worker === started) worker = null
    })
    return started
  }
  async function end(): Promise<void> {
    const ended = worker
    worker = null
    await ended?.terminate()
  }
  return {
    read: async (file, signal) => {
      if (signal.aborted) return tooSlow
      worker ??= start()
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      let isSound = false
      try {
        const outcome = await ask(worker, file, deadline)
        isSound = outcome.type !== 'given up'
        return outcome
      } finally {
        if (!isSound) await end()
      }
    },
    close: end,
  }
}

/** Reads one manifest in a thread of its own. */
export async function readInThread(
  file: ManifestFile,
  { timeoutMs = usualTimeoutMs, ...limits }: ThreadLimits = {},
): Promise<ReadingOutcome> {
  const thread = openManifestThread({ timeoutMs, ...limits })
  try {
    return await thread.read(file, AbortSignal.timeout(timeoutMs))
  } finally {
    await thread.close()
  }
}

function startWorker(maxHeapMb: number, onEnd: () => void): Worker {
  const worker = new Worker(fileURLToPath(new URL('./manifest-worker.ts', import.meta.url)), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
  // An error without a listener would end the process; between two manifests there is no request to report it to.
  return worker.on('error', () => {}).once('exit', onEnd)
}

async function ask(worker: Worker, file: ManifestFile, deadline: AbortSignal): Promise<ReadingOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadingOutcome>()
  const onAbort = (): void => resolve(tooSlow)
  const onError = (error: NodeJS.ErrnoException): void =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? resolve({ type: 'given up', problem: 'It takes too much memory to read.' })
      : reject(error)
  const onExit = (): void => reject(new Error('The thread that reads manifests ended.'))
  worker.once('message', resolve)
  worker.once('error', onError)
  worker.once('exit', onExit)
  deadline.addEventListener('abort', onAbort)
  try {
    worker.postMessage(file)
    return await promise
  } finally {
    worker.off('message', resolve).off('error', onError).off('exit', onExit)
    deadline.removeEventListener('abort', onAbort)
  }
}
