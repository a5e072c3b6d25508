import { z } from 'zod'
import type { FieldChange } from '#core/projects/field-change.ts'
import { labelOf } from '#core/projects/order.ts'
import type { PresentEntry } from '#core/projects/present.ts'
import type { Project, ProjectEntry } from '#core/projects/project.ts'
import type { Reference } from '#core/projects/references.ts'
import {
  afterCreation,
  type ApiRequest,
  changesFor,
  creationOf,
  ownershipOf,
  removalOf,
  restOf,
  withKnownIds,
} from '#core/projects/requests.ts'
import { StartError } from '#store/database/start-error.ts'
import type { ApplyEvent } from './apply-events.ts'
import type { Outcome, PacedService } from './paced-service.ts'

export type Step =
  /** `maxCents`: what it may take from credit. */
  | { type: 'create'; entry: ProjectEntry; maxCents: number }
  | { type: 'change'; entry: ProjectEntry; present: PresentEntry; fields: readonly FieldChange[]; maxCents: number }
  | { type: 'rest'; entry: PresentEntry }
  | { type: 'delete'; entry: PresentEntry }

export type Applying = {
  project: Project
  service: PacedService
  /** The ids that a reference may mean; `section.key` stands for the id of what is to be created. */
  targetsOf: (reference: Reference) => readonly string[]
  /** What ids of the workspace stand for, so that people need not look them up. */
  labels: ReadonlyMap<string, string>
  /** The id of what belongs to the project by now; null where nothing does. */
  findOwned: (label: string) => Promise<string | null>
  report: (event: ApplyEvent) => void
  keepSecret: (label: string, name: string, value: string) => void
}

const createdSchema = z.object({
  data: z.object({ id: z.string() }),
  signing_secret: z.string().optional(),
  heartbeat_url: z.string().nullish(),
})

/** Why a monitor that was to be resumed stays paused. */
const heldSchema = z.object({ held_back: z.object({ message: z.string() }).optional() })

type Tried = { type: 'done' } | { type: 'failed'; problem: string; mayPassLater: boolean }

/**
 * Takes one step after the other, and reports each. What is refused keeps back only what names it. A change that is
 * refused is tried again once others were made: two monitors may change places.
 */
export async function applySteps(steps: readonly Step[], applying: Applying): Promise<void> {
  const ids = new Map<string, string>()
  const withLabels = (problem: string): string => {
    const made = new Map([...ids].map(([label, id]) => [id, label]))
    return problem.replace(anyUuid, (id) => made.get(id) ?? applying.labels.get(id) ?? id)
  }
  let open = steps
  while (open.length > 0) {
    const refused: { step: Step; problem: string; mayPassLater: boolean }[] = []
    for (const step of open) {
      const tried = await take(step, ids, applying)
      if (tried.type === 'failed') refused.push({ step, ...tried })
      else applying.report({ type: done[step.type], label: labelOf(step.entry) })
    }
    const again = refused.length < open.length ? refused.filter(({ mayPassLater }) => mayPassLater) : []
    for (const each of refused)
      if (!again.includes(each))
        applying.report({ type: 'failed', label: labelOf(each.step.entry), problem: withLabels(each.problem) })
    open = again.map(({ step }) => step)
  }
}

const done = { create: 'created', change: 'changed', rest: 'rested', delete: 'deleted' } as const

async function take(step: Step, ids: Map<string, string>, applying: Applying): Promise<Tried> {
  const { project, service, targetsOf } = applying
  if (step.type === 'rest') return sendAll(restingOf(step.entry, project.id), { service, mayPassLater: false })
  if (step.type === 'delete') return remove(step.entry, service)
  let missing = ''
  const known = withKnownIds(step.entry, project.findReference, (reference) => {
    const [target = ''] = targetsOf(reference)
    const id = uuid.test(target) ? target : (ids.get(target) ?? null)
    if (id === null) missing = target
    return id
  })
  if (known === null)
    return { type: 'failed', problem: `It names ${missing}, which does not exist.`, mayPassLater: true }
  if (step.type === 'change')
    return sendAll([...changesFor(known, step.present, step.fields), ...unmarking(step, project.id)], {
      service,
      mayPassLater: true,
      maxCents: step.maxCents,
    })
  const made = await create({ request: creationOf(known), step }, applying)
  if (made.type === 'failed') return made
  ids.set(labelOf(step.entry), made.id)
  return sendAll(afterCreation(known, made.id), { service, mayPassLater: false })
}

/** Marked first, so that one which is put to rest is known to be, and wakes when it comes back into the files. */
function restingOf(present: PresentEntry, projectId: string): ApiRequest[] {
  const again = present.prunedAt === null ? [] : [ownershipOf(projectId, present, false)]
  return [...again, ownershipOf(projectId, present, true), ...restOf(present)]
}

/** The mark goes when all else is done. */
function unmarking({ fields, present }: Extract<Step, { type: 'change' }>, projectId: string): ApiRequest[] {
  return fields.some(({ field }) => field === 'pruned_at') ? [ownershipOf(projectId, present, false)] : []
}

/** What is not there any more was deleted by a request whose answer was lost, or by a person. */
async function remove(present: PresentEntry, service: PacedService): Promise<Tried> {
  const outcome = await service.ask(removalOf(present))
  if (outcome.type === 'done' || (outcome.type === 'refused' && outcome.status === 404)) return { type: 'done' }
  return failed(outcome, false)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const anyUuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

type Creation = { request: ApiRequest; step: Extract<Step, { type: 'create' }> }
type Created = { type: 'made'; id: string } | (Tried & { type: 'failed' })

/** The key stands for what is made from its transaction on, so that a request whose answer was lost can be repeated. */
async function create({ request, step }: Creation, applying: Applying): Promise<Created> {
  const { entry, maxCents } = step
  const { project, service, findOwned, keepSecret } = applying
  const label = labelOf(entry)
  const headers = {
    'perigee-project': `${project.id}/${entry.key}`,
    'perigee-max-price': String(maxCents),
  }
  const outcome = await service.ask(request, headers)
  if (outcome.type === 'refused' && outcome.fields.includes('Perigee-Project')) {
    const id = outcome.wasLost ? await findOwned(label) : null
    if (id !== null) return { type: 'made', id }
    const problem = 'It was created in the meantime. Is the project being applied elsewhere? Apply it again.'
    return { type: 'failed', problem, mayPassLater: false }
  }
  if (outcome.type !== 'done') return failed(outcome, false)
  const answer = createdSchema.safeParse(outcome.body)
  if (!answer.success) throw new StartError(`The service created ${label}, but its answer has no id. Apply again.`)
  const { data, signing_secret: secret, heartbeat_url: address } = answer.data
  if (secret !== undefined) keepSecret(label, 'signing_secret', secret)
  if (typeof address === 'string') keepSecret(label, 'heartbeat_url', address)
  return { type: 'made', id: data.id }
}

type Sending = { service: PacedService; mayPassLater: boolean; maxCents?: number }

async function sendAll(
  requests: readonly ApiRequest[],
  { service, mayPassLater, maxCents = 0 }: Sending,
): Promise<Tried> {
  for (const request of requests) {
    const outcome = await service.ask(request, { 'perigee-max-price': String(maxCents) })
    if (outcome.type !== 'done') return failed(outcome, mayPassLater)
    const { held_back: held } = heldSchema.safeParse(outcome.body).data ?? {}
    if (held !== undefined) return { type: 'failed', problem: held.message, mayPassLater: false }
  }
  return { type: 'done' }
}

/** What no other request would be answered otherwise ends everything. */
function failed(outcome: Exclude<Outcome, { type: 'done' }>, mayPassLater: boolean): Tried & { type: 'failed' } {
  const { problem } = outcome
  if (outcome.type === 'lost' || outcome.status === 401 || outcome.status === 403)
    throw new StartError(`${problem} What was done so far stays. Apply again to continue.`)
  return { type: 'failed', problem, mayPassLater: mayPassLater && outcome.status === 422 }
}
