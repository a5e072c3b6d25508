import type { MessageTemplates, MessageWords, TemplateProblems } from '#core/contacts/message-templates.ts'
import { askOnce, type Asked, type ThreadLimits } from '#threads/thread.ts'
import { createPlaces } from '#threads/waiting-places.ts'
import type { Rendered, TemplateAnswer, TemplateQuestion, TemplateValues } from './render.ts'

/** What templates came to. A template with a problem has no words. */
export type TemplateOutcome = { words: MessageWords; problems: TemplateProblems }

/** `values` is null where the templates are only checked. Never rejects. */
export type RenderTemplates = (templates: MessageTemplates, values: TemplateValues | null) => Promise<TemplateOutcome>

export const threadCode = new URL('./template-worker.ts', import.meta.url)
/** The time is far more than a thread takes to start; templates end by limits of their own before. */
const usualLimits = { timeoutMs: 5000, maxHeapMb: 64 } satisfies ThreadLimits

/** Renders in a thread for each, for callers who seldom ask. */
export function createTemplates(limits: Partial<ThreadLimits> = {}): RenderTemplates {
  const places = createPlaces({ atOnce: 2, maxWaiting: 20 })
  return async (templates, values) => {
    const question = { templates, values }
    try {
      const ask = (): Promise<Asked<TemplateAnswer>> => askOnce(threadCode, question, { ...usualLimits, ...limits })
      const asked = (await places.take(ask)) ?? { type: 'given up', why: 'busy' }
      return outcomeOf(asked.type === 'answered' ? asked.answer : failed(question, asked.why))
    } catch {
      return outcomeOf(failed(question, 'fault'))
    }
  }
}

export function outcomeOf({ title, body }: TemplateAnswer): TemplateOutcome {
  return {
    words: { title: wordsOf(title), body: wordsOf(body) },
    problems: {
      ...(title?.ok === false ? { title: title.problem } : {}),
      ...(body?.ok === false ? { body: body.problem } : {}),
    },
  }
}

const problems = {
  time: 'It takes too long.',
  memory: 'It takes too much memory.',
  busy: 'Too many templates were waiting.',
  held: 'It ran out of time or memory, and is tried again 10 minutes later.',
  fault: 'It cannot be rendered.',
} as const

/** What templates come to that were not rendered. */
export function failed({ templates: { title, body } }: TemplateQuestion, why: keyof typeof problems): TemplateAnswer {
  const all = { ok: false, problem: problems[why] } as const
  return { title: title === null ? null : all, body: body === null ? null : all, usedMs: 0 }
}

function wordsOf(rendered: Rendered | null): string | null {
  return rendered?.ok === true && rendered.text !== '' ? rendered.text : null
}
