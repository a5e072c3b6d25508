import { z } from 'zod'
import { importSources } from '#core/imports/import-source.ts'
import { labelOf } from '#core/projects/order.ts'
import { afterCreation, creationOf, type KnownEntry, withKnownIds } from '#core/projects/requests.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { findStepObjects, openStep, setStep, type Step, type StepChange } from '#store/imports/import-steps.ts'
import type { StoredImport } from '#store/imports/imports.ts'
import { listProjectObjects } from '#store/projects/project-objects.ts'
import { askOperation } from './ask-operation.ts'
import { notedOf, readObjects } from './noted-objects.ts'
import { readStepContent, type StepContent } from './step-content.ts'

type Making = { context: Context; of: StoredImport; step: Step }

const createdSchema = z.object({ data: z.object({ id: z.string() }) })

/**
 * Makes one thing of an import, with all that belongs to it. The process may end anywhere in between, and the step be
 * taken again: the key of the project stands for the thing from the transaction on that makes it.
 */
export async function makeStep(context: Context, of: StoredImport, step: Step): Promise<void> {
  const { database, secrets } = context.services
  const place = { importId: of.id, position: step.position }
  const text = await openStep(database, secrets, place)
  const change: StepChange =
    text === null
      ? { state: 'failed', problem: 'Its settings are no longer known.' }
      : await make({ context, of, step }, readStepContent(text))
  await setStep(database, place, change)
}

async function make(making: Making, content: StepContent): Promise<StepChange> {
  const { context, of, step } = making
  const entry = await knownEntry(making, content)
  if (typeof entry === 'string') return { state: 'failed', problem: entry }
  const found =
    step.objectId === null ? await create(making, entry) : { state: 'made' as const, objectId: step.objectId }
  if (found.state !== 'made') return found
  const { objectId: id } = found
  // It is known from here on what was made, however this goes on.
  await setStep(
    context.services.database,
    { importId: of.id, position: step.position },
    { state: 'begun', objectId: id },
  )
  const problems = await complete(making, { id, entry, content })
  const fields = (await readObjects(context, [{ section: step.section, id }])).get(id)
  return {
    state: 'made',
    noted: fields === undefined ? null : notedOf(fields, context.services.secrets),
    problem: problems.length === 0 ? null : problems.join(' '),
  }
}

/** A text says what is missing. */
async function knownEntry({ context, of, step }: Making, content: StepContent): Promise<KnownEntry | string> {
  const names = content.references.map(([, name]) => name)
  const objects = await findStepObjects(context.services.database, { importId: of.id, names })
  const ids = new Map(objects.map(({ id, ...name }) => [labelOf(name), id]))
  const references = new Map(content.references)
  let missing = ''
  const entry = {
    section: step.section,
    key: step.key,
    place: { file: of.fileName, line: 1 },
    fields: content.fields,
    outside: [],
  }
  const known = withKnownIds(
    entry,
    (id) => {
      const name = references.get(id)
      return name === undefined ? null : { to: name.section, key: name.key }
    },
    (reference) => {
      const key = 'key' in reference ? reference.key : reference.name
      const id = ids.get(labelOf({ section: reference.to, key })) ?? null
      if (id === null) missing = `the ${reference.to === 'contacts' ? 'contact' : 'monitor'} ${key}`
      return id
    },
  )
  return known ?? `It needs ${missing}, which could not be created.`
}

type Created = { state: 'made'; objectId: string } | (StepChange & { state: 'failed' | 'present' })

async function create({ context, of, step }: Making, entry: KnownEntry): Promise<Created> {
  const { database } = context.services
  await setStep(database, { importId: of.id, position: step.position }, { state: 'begun' })
  const asked = await askOperation(context, creationOf(entry), `${of.project}/${step.key}`)
  if (asked.type === 'done') return { state: 'made', objectId: createdSchema.parse(asked.body).data.id }
  if (!asked.fields.includes('Perigee-Project')) return { state: 'failed', problem: asked.problem }
  const owned = await listProjectObjects(database, context.caller.workspaceId)
  const isIt = (each: (typeof owned)[number]): boolean =>
    each.project === of.project && each.section === step.section && each.key === step.key
  const objectId = owned.find(isIt)?.id
  if (objectId === undefined) return { state: 'failed', problem: asked.problem }
  // What an earlier try of this step made, or what another program made meanwhile.
  return step.state === 'begun' ? { state: 'made', objectId } : { state: 'present', objectId }
}

type Completing = { id: string; entry: KnownEntry; content: StepContent }

/** What a creation does not take. Each part is harmless to repeat, and one that is refused keeps back no other. */
async function complete({ context, of }: Making, { id, entry, content }: Completing): Promise<string[]> {
  const { path, days } = content
  const problems: string[] = []
  for (const request of afterCreation(entry, id)) {
    const asked = await askOperation(context, request)
    if (asked.type === 'refused') problems.push(asked.problem)
  }
  if (path !== null) {
    const body = { addresses: [{ path, monitor_id: id }] }
    const asked = await askOperation(context, { method: 'POST', path: 'call-addresses', body })
    if (asked.type === 'refused') problems.push('Its job needs the new address, because the old one leads elsewhere.')
  }
  if (days.length > 0) {
    const body = { source: importSources[of.source], days }
    const asked = await askOperation(context, { method: 'PUT', path: `monitors/${id}/imported-days`, body })
    if (asked.type === 'refused') problems.push(`Its history was not imported. ${asked.problem}`)
  }
  return problems
}
