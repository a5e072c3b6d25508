import { openThread, type Asked } from '#threads/thread.ts'
import type { TemplateAnswer, TemplateQuestion } from './render.ts'
import { threadCode } from './template-thread.ts'

/** A thread that renders, and is started before it is asked, so that no message pays for its start. */
export type Lane = {
  /** Whether it has started and does nothing. */
  isFree: () => boolean
  /** Starts the thread if it does not run; `onFree` hears when it is free. */
  start: () => void
  /** Only while it is free. Throws for faults that are not the question's. */
  ask: (question: TemplateQuestion) => Promise<Asked<TemplateAnswer>>
  close: () => Promise<void>
}

/** Far more than a thread takes to start. */
const startMs = 10_000
const maxHeapMb = 64
const nothing: TemplateQuestion = { templates: { title: '{{ event }}', body: null }, values: null }

export function openLane({ renderMs, onFree }: { renderMs: number; onFree: () => void }): Lane {
  const thread = openThread<TemplateQuestion, TemplateAnswer>(threadCode, { timeoutMs: startMs, maxHeapMb })
  let state: 'ended' | 'starting' | 'free' | 'busy' = 'ended'

  async function startNow(): Promise<void> {
    state = 'starting'
    try {
      const { type } = await thread.ask(nothing, AbortSignal.timeout(startMs))
      state = type === 'answered' ? 'free' : 'ended'
    } catch {
      state = 'ended'
    }
    if (state === 'free') onFree()
  }

  return {
    isFree: () => state === 'free',
    start: () => {
      if (state === 'ended') void startNow()
    },
    ask: async (question) => {
      state = 'busy'
      let isSound = false
      try {
        const asked = await thread.ask(question, AbortSignal.timeout(renderMs))
        isSound = asked.type === 'answered'
        return asked
      } finally {
        if (isSound) state = 'free'
        else void startNow()
      }
    },
    close: thread.close,
  }
}
