import { createOwnerQueue } from '#threads/owner-queue.ts'
import { openThread } from '#threads/thread.ts'

export type PatternQuestion = { pattern: string; text: string }

/** `given up` says that these patterns took too much time or memory for these texts. */
export type PatternAnswer = { type: 'matched'; matches: boolean[] } | { type: 'given up'; why: 'time' | 'memory' }

/** Matches patterns of users with texts of targets without holding up the checks of others. */
export type Patterns = {
  /**
   * Answers in the order of the questions; owners take turns. Throws where the patterns are not to blame: too many
   * wait, the signal came before the answer, or the thread has a fault.
   */
  match: (owner: string, questions: readonly PatternQuestion[], signal: AbortSignal) => Promise<PatternAnswer>
  close: () => Promise<void>
}

const code = new URL('./pattern-worker.ts', import.meta.url)
/** Far more than a thread takes to start. */
const startMs = 10_000
const maxHeapMb = 128
/** What waits holds the bodies of its answers in memory. */
const maxWaiting = { maxEach: 10, max: 40 }

/** The thread starts with the first question, and anew after one that was given up. */
export function openPatterns({ matchMs = 500 }: { matchMs?: number } = {}): Patterns {
  const thread = openThread<readonly PatternQuestion[], boolean[]>(code, { timeoutMs: startMs, maxHeapMb })
  const queue = createOwnerQueue<() => Promise<void>>(maxWaiting)
  let isServing = false
  let isStarted = false

  async function answer(questions: readonly PatternQuestion[], signal: AbortSignal): Promise<PatternAnswer> {
    signal.throwIfAborted()
    // The start of the thread is no time of the pattern's.
    if (!isStarted && (await thread.ask([], signal)).type !== 'answered')
      throw new Error('The thread for patterns did not start in time.')
    isStarted = false
    const asked = await thread.ask(questions, AbortSignal.any([signal, AbortSignal.timeout(matchMs)]))
    if (asked.type === 'answered') {
      isStarted = true
      return { type: 'matched', matches: asked.answer }
    }
    if (asked.why === 'busy') throw new Error('The thread for patterns is busy.')
    if (asked.why === 'time') signal.throwIfAborted()
    return { type: 'given up', why: asked.why }
  }

  async function serve(): Promise<void> {
    if (isServing) return
    isServing = true
    for (let next = queue.take(() => true); next !== null; next = queue.take(() => true)) await next.item()
    isServing = false
  }

  return {
    match: (owner, questions, signal) => {
      const { promise, resolve } = Promise.withResolvers<PatternAnswer>()
      const turn = async (): Promise<void> => {
        const answered = answer(questions, signal)
        resolve(answered)
        await answered.catch(() => {})
      }
      if (!queue.push(owner, turn)) return Promise.reject(new Error('Too many patterns wait to be matched.'))
      void serve()
      return promise
    },
    close: thread.close,
  }
}
