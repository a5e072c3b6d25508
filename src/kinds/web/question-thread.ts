import { createOwnerQueue } from '#threads/owner-queue.ts'
import { openThread } from '#threads/thread.ts'
import type { Answer, Questions, QuestionType } from './questions.ts'

/** `load` names what the thread has to have loaded before it is asked. */
export type ThreadQuestion = Questions & { load: readonly QuestionType[] }

/** `given up` says that the questions took too much time or memory for this text. */
export type Answered = { type: 'answered'; answers: Answer[] } | { type: 'given up'; why: 'time' | 'memory' }

/** Asks what users want to know of what targets sent, without holding up the checks of others. */
export type Asking = {
  /**
   * Answers in the order of the questions; owners take turns. Throws where the questions are not to blame: too many
   * wait, the signal came before the answer, or the thread has a fault.
   */
  ask: (owner: string, questions: Questions, signal: AbortSignal) => Promise<Answered>
  close: () => Promise<void>
}

const code = new URL('./question-worker.ts', import.meta.url)
/** Far more than a thread takes to start, and to load all libraries. */
const startMs = 10_000
const maxHeapMb = 128
/** What waits holds the bodies of its answers in memory. */
const maxWaiting = { maxEach: 10, max: 40 }

/** The thread starts with the first question, and anew after one that was given up. */
export function openAsking({ answerMs = 500 }: { answerMs?: number } = {}): Asking {
  const thread = openThread<ThreadQuestion, Answer[]>(code, { timeoutMs: startMs, maxHeapMb })
  const queue = createOwnerQueue<() => Promise<void>>(maxWaiting)
  let isServing = false
  /** Null where the thread has to start. */
  let loaded: Set<QuestionType> | null = null

  async function answer({ body, questions }: Questions, signal: AbortSignal): Promise<Answered> {
    signal.throwIfAborted()
    const load = [...new Set(questions.map(({ type }) => type))].filter((type) => loaded?.has(type) !== true)
    // The start of the thread and of its libraries is no time of the question's.
    if (load.length > 0 && (await thread.ask({ load, body: '', questions: [] }, signal)).type !== 'answered')
      throw new Error('The thread for questions did not start in time.')
    const known = new Set([...(loaded ?? []), ...load])
    loaded = null
    const asked = await thread.ask(
      { load: [], body, questions },
      AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
    )
    if (asked.type === 'answered') {
      loaded = known
      return { type: 'answered', answers: asked.answer }
    }
    if (asked.why === 'busy') throw new Error('The thread for questions is busy.')
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
    ask: (owner, questions, signal) => {
      const { promise, resolve } = Promise.withResolvers<Answered>()
      const turn = async (): Promise<void> => {
        const answered = answer(questions, signal)
        resolve(answered)
        await answered.catch(() => {})
      }
      if (!queue.push(owner, turn)) return Promise.reject(new Error('Too many questions wait to be answered.'))
      void serve()
      return promise
    },
    close: thread.close,
  }
}
