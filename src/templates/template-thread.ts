import type { MessageTemplates, MessageWords, TemplateProblems } from '#core/contacts/message-templates.ts'
import { askOnce, openThread, type Asked, type ThreadLimits } from '#threads/thread.ts'
import { createPlaces } from '#threads/waiting-places.ts'
import type { Rendered, TemplateAnswer, TemplateQuestion, TemplateValues } from './render.ts'

/** What templates came to. A template with a problem has no words. */
export type TemplateOutcome = { words: MessageWords; problems: TemplateProblems }

/** `values` is null where the templates are only checked. Never rejects. */
export type RenderTemplates = (templates: MessageTemplates, values: TemplateValues | null) => Promise<TemplateOutcome>

const code = new URL('./template-worker.ts', import.meta.url)
/** The time is far more than a thread takes to start; templates end by limits of their own before. */
const usualLimits = { timeoutMs: 5000, maxHeapMb: 64, maxWaiting: 100 } satisfies ThreadLimits

/**
 * Renders in one thread, which starts with the first template and runs until it is closed. Nothing waits for longer
 * than `timeoutMs`, its turn included: an alert leaves in the built-in words then.
 */
export function openTemplateThread(limits: Partial<ThreadLimits> = {}): {
  render: RenderTemplates
  close: () => Promise<void>
} {
  const used = { ...usualLimits, ...limits }
  const thread = openThread<TemplateQuestion, TemplateAnswer>(code, used)
  const ask = (question: TemplateQuestion): Promise<Asked<TemplateAnswer>> =>
    thread.ask(question, AbortSignal.timeout(used.timeoutMs))
  return { render: rendererOf(ask), close: thread.close }
}

/** Renders in a thread for each, for callers who seldom ask. */
export function createTemplates(limits: Partial<ThreadLimits> = {}): RenderTemplates {
  const places = createPlaces({ atOnce: 2, maxWaiting: 20 })
  return rendererOf(async (question) => {
    const asked = await places.take(() => askOnce<TemplateAnswer>(code, question, { ...usualLimits, ...limits }))
    return asked ?? { type: 'given up', why: 'busy' }
  })
}

function rendererOf(ask: (question: TemplateQuestion) => Promise<Asked<TemplateAnswer>>): RenderTemplates {
  return async (templates, values) => {
    const { title, body } = await answerOf(ask, { templates, values })
    return {
      words: { title: wordsOf(title), body: wordsOf(body) },
      problems: {
        ...(title?.ok === false ? { title: title.problem } : {}),
        ...(body?.ok === false ? { body: body.problem } : {}),
      },
    }
  }
}

const givenUp = {
  time: 'It takes too long.',
  memory: 'It takes too much memory.',
  busy: 'Too many templates were waiting.',
} as const

async function answerOf(
  ask: (question: TemplateQuestion) => Promise<Asked<TemplateAnswer>>,
  question: TemplateQuestion,
): Promise<TemplateAnswer> {
  try {
    const asked = await ask(question)
    return asked.type === 'answered' ? asked.answer : failed(question, givenUp[asked.why])
  } catch {
    // A thread that ended by a fault of its own must not keep an alert from leaving.
    return failed(question, 'It cannot be rendered.')
  }
}

function failed({ templates: { title, body } }: TemplateQuestion, problem: string): TemplateAnswer {
  const all = { ok: false, problem } as const
  return { title: title === null ? null : all, body: body === null ? null : all }
}

function wordsOf(rendered: Rendered | null): string | null {
  return rendered?.ok === true && rendered.text !== '' ? rendered.text : null
}
