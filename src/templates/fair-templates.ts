import type { MessageTemplates } from '#core/contacts/message-templates.ts'
import { type OwnerQueue, createOwnerQueue } from '#threads/owner-queue.ts'
import type { Asked } from '#threads/thread.ts'
import { type Lane, openLane } from './lane.ts'
import type { TemplateAnswer, TemplateQuestion, TemplateValues } from './render.ts'
import { type SlowTemplates, createSlowTemplates } from './slow-templates.ts'
import { type TemplateOutcome, failed, outcomeOf } from './template-thread.ts'

/** Whose templates they are. */
export type TemplateOwner = { workspaceId: string; contactId: string }

/** Never rejects. */
export type RenderForContact = (
  owner: TemplateOwner,
  templates: MessageTemplates,
  values: TemplateValues,
) => Promise<TemplateOutcome>

export type FairLimits = {
  /** How long a message waits for its turn. */
  waitMs: number
  /** Of one message in its turn; templates end by limits of their own before. */
  renderMs: number
  /** How long a template that ran out of time is not tried again, and its workspace keeps to one thread. */
  holdMs: number
  /** Messages that wait for their turn, of one workspace and of all. */
  maxWaitingEach: number
  maxWaiting: number
  /** A clock that only goes forward, in milliseconds. */
  now: () => number
}

const usualLimits: FairLimits = {
  waitMs: 4000,
  renderMs: 1000,
  holdMs: 600_000,
  maxWaitingEach: 50,
  maxWaiting: 500,
  now: () => performance.now(),
}

/** Of the processor, for one message: ordinary templates take some milliseconds. */
const slowMs = 50

type Job = { contactId: string; question: TemplateQuestion; answer: (answered: TemplateAnswer) => void }

/** Renders for all workspaces so that the templates of one hold up no other. */
export function openFairTemplates(given: Partial<FairLimits> = {}): {
  render: RenderForContact
  close: () => Promise<void>
} {
  const limits = { ...usualLimits, ...given }
  const slow = createSlowTemplates(limits)
  const queue = createOwnerQueue<Job>({ maxEach: limits.maxWaitingEach, max: limits.maxWaiting })
  const lanes = openLanes(limits, { queue, slow })
  let isClosed = false

  async function turn(owner: TemplateOwner, question: TemplateQuestion): Promise<TemplateAnswer> {
    const { promise, resolve } = Promise.withResolvers<TemplateAnswer>()
    const job = { contactId: owner.contactId, question, answer: resolve }
    if (isClosed) return failed(question, 'fault')
    if (!queue.push(owner.workspaceId, job)) return failed(question, 'busy')
    lanes.serve()
    const waited = setTimeout(() => {
      // One whose turn has come is in the queue no more, and is answered by its thread.
      if (queue.remove(owner.workspaceId, job)) resolve(failed(question, 'busy'))
    }, limits.waitMs)
    return promise.finally(() => clearTimeout(waited))
  }

  return {
    render: async (owner, templates, values) => {
      const question = { templates, values }
      const isHeld = slow.isHeld(owner.contactId, templates)
      return outcomeOf(isHeld ? failed(question, 'held') : await turn(owner, question))
    },
    close: async () => {
      isClosed = true
      await lanes.close()
    },
  }
}

type Served = { queue: OwnerQueue<Job>; slow: SlowTemplates }

/**
 * Two threads, of which a workspace has one at a time. A workspace whose templates were slow lately keeps to the second
 * thread, after all others there. Once an unknown workspace was slow in the first thread, only those take it for a while
 * whose templates have proven quick.
 */
function openLanes(
  { renderMs, holdMs, now }: FairLimits,
  { queue, slow }: Served,
): { serve: () => void; close: () => Promise<void> } {
  const running = new Set<string>()
  const [quick, patient] = [openLane({ renderMs, onFree: dispatch }), openLane({ renderMs, onFree: dispatch })]
  let guardedUntil = -Infinity

  const isIdle = (id: string): boolean => !running.has(id)
  const isCalm = (id: string): boolean => isIdle(id) && !slow.isSlow(id)
  const isTrusted = (id: string): boolean => isCalm(id) && (now() >= guardedUntil || slow.isProven(id))

  function dispatch(): void {
    const forPatient = patient.isFree() ? (queue.take(isCalm) ?? queue.take(isIdle)) : null
    if (forPatient !== null) void work(patient, forPatient)
    const forQuick = quick.isFree() ? queue.take(isTrusted) : null
    if (forQuick !== null) void work(quick, forQuick)
  }

  async function work(lane: Lane, { owner: workspaceId, item }: { owner: string; item: Job }): Promise<void> {
    const { contactId, question, answer } = item
    running.add(workspaceId)
    try {
      const asked = await lane.ask(question)
      const isSlow = judge(slow, { workspaceId, contactId }, { asked, templates: question.templates })
      if (isSlow && lane === quick) guardedUntil = now() + holdMs
      answer(asked.type === 'answered' ? asked.answer : failed(question, asked.why))
    } catch {
      // A thread that ended by a fault of its own must not keep an alert from leaving.
      answer(failed(question, 'fault'))
    }
    running.delete(workspaceId)
    dispatch()
  }

  return {
    serve: () => {
      quick.start()
      patient.start()
      dispatch()
    },
    close: async () => {
      await Promise.all([quick.close(), patient.close()])
    },
  }
}

type Judged = { asked: Asked<TemplateAnswer>; templates: MessageTemplates }

/** Whether it was slow. */
function judge(slow: SlowTemplates, { workspaceId, contactId }: TemplateOwner, { asked, templates }: Judged): boolean {
  const usedMs = asked.type === 'answered' ? asked.answer.usedMs : Infinity
  const hasFailed =
    asked.type !== 'answered' || [asked.answer.title, asked.answer.body].some((part) => part?.ok === false)
  const isSlow = usedMs >= slowMs
  if (isSlow) slow.noteSlow(workspaceId)
  else slow.noteQuick(workspaceId)
  if (isSlow && hasFailed) slow.hold(contactId, templates)
  return isSlow
}
