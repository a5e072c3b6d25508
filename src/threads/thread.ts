import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** `given up` says that time or memory ran out, or that too many questions wait: another attempt may succeed. */
export type Asked<Answer> = { type: 'answered'; answer: Answer } | { type: 'given up'; why: 'time' | 'memory' | 'busy' }

/**
 * Works on what others sent without holding up the rest of the process: whatever a question was made to cost, it ends
 * with its thread.
 */
export type Thread<Question, Answer> = {
  /** Answers one question at a time, in their order. Throws for faults that are not the question's. */
  ask: (question: Question, signal: AbortSignal) => Promise<Asked<Answer>>
  /** Ends the thread for good; what is asked of it rejects. */
  close: () => Promise<void>
}

export type ThreadLimits = {
  /** Of one question, from its turn on, with the start of the thread. */
  timeoutMs: number
  maxHeapMb: number
  /** Questions that wait for their turn, each of which holds what it is about in memory. */
  maxWaiting?: number
}

const usualMaxWaiting = 20
/**
 * Node ends a thread that reaches its limit, and gives it 16 MB more until then. Young objects that are still in use
 * move below that limit all at once: if they were more, the end of the thread would be the end of the process.
 */
const youngSpaceMb = 16
const ended = 'A thread ended before it answered.'

/**
 * A thread that runs `file`, which calls `answerQuestions`. It starts with the first question, and anew after one that
 * was given up; it runs until it is closed.
 */
export function openThread<Question, Answer>(
  file: URL,
  { timeoutMs, maxHeapMb, maxWaiting = usualMaxWaiting }: ThreadLimits,
): Thread<Question, Answer> {
  let worker: Worker | null = null
  let isClosed = false
  let waiting = 0
  let turn: Promise<unknown> = Promise.resolve()
  function start(): Worker {
    const started = startWorker(file, maxHeapMb)
    return started.once('exit', () => {
      if (worker === started) worker = null
    })
  }
  async function end(): Promise<void> {
    const last = worker
    worker = null
    await last?.terminate()
  }
  async function askNow(question: Question, signal: AbortSignal): Promise<Asked<Answer>> {
    if (isClosed) throw new Error(ended)
    if (signal.aborted) return { type: 'given up', why: 'time' }
    worker ??= start()
    let isSound = false
    try {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const outcome = await exchange<Answer>(worker, question, deadline)
      isSound = outcome.type === 'answered'
      return outcome
    } finally {
      if (!isSound) await end()
    }
  }
  return {
    ask: async (question, signal) => {
      if (waiting > maxWaiting) return { type: 'given up', why: 'busy' }
      waiting += 1
      try {
        const mine = turn.then(() => askNow(question, signal))
        turn = mine.catch(() => {})
        return await mine
      } finally {
        waiting -= 1
      }
    },
    close: async () => {
      isClosed = true
      await end()
    },
  }
}

/** Asks one question in a thread of its own. */
export async function askOnce<Answer>(file: URL, question: unknown, limits: ThreadLimits): Promise<Asked<Answer>> {
  const thread = openThread<unknown, Answer>(file, limits)
  try {
    return await thread.ask(question, AbortSignal.timeout(limits.timeoutMs))
  } finally {
    await thread.close()
  }
}

function startWorker(file: URL, maxHeapMb: number): Worker {
  // Inside the folder that was given, each release of Node has its own.
  const compiled = getCompileCacheDir()
  // The thread learns nothing of the environment but where its code lies compiled, without which it takes three times
  // as long to start.
  const env = compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }
  const worker = new Worker(file, {
    env,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: youngSpaceMb },
  })
  // A thread that has nothing to do keeps no process alive.
  worker.unref()
  // An error without a listener would end the process; between two questions no caller waits to hear of it.
  return worker.on('error', () => {})
}

async function exchange<Answer>(worker: Worker, question: unknown, deadline: AbortSignal): Promise<Asked<Answer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Asked<Answer>>()
  const onAnswer = (answer: Answer): void => resolve({ type: 'answered', answer })
  const onAbort = (): void => resolve({ type: 'given up', why: 'time' })
  const onError = (error: NodeJS.ErrnoException): void =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ type: 'given up', why: 'memory' }) : reject(error)
  const onExit = (): void => reject(new Error(ended))
  worker.once('message', onAnswer).once('error', onError).once('exit', onExit)
  deadline.addEventListener('abort', onAbort)
  try {
    worker.ref()
    worker.postMessage(question)
    return await promise
  } finally {
    worker.unref()
    worker.off('message', onAnswer).off('error', onError).off('exit', onExit)
    deadline.removeEventListener('abort', onAbort)
  }
}
