import { z } from 'zod'
import { importSchema } from '#core/imports/import-record.ts'
import { removalOf } from '#core/projects/requests.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { listSteps, markLeaving, setStep, type Step } from '#store/imports/import-steps.ts'
import { setImportState, type StoredImport } from '#store/imports/imports.ts'
import { listProjectObjects } from '#store/projects/project-objects.ts'
import { askOperation } from './ask-operation.ts'
import { findImportOf, held, importOf, mayGoOn, recordOf } from './import-records.ts'
import { changedSince, readObjects } from './noted-objects.ts'

const undo = defineOperation({
  name: 'undo_import',
  method: 'POST',
  path: '/imports/{id}/undo',
  scope: 'write',
  surface: 'programs',
  subject: 'workspace',
  takesLong: true,
  tag: 'Account',
  summary: 'Undo an import',
  description:
    'Removes what the import created, with its results, some at a time, until `leaving` is 0. What was changed ' +
    'since stays, with what it names, and is reported; so does everything that was there before. What was not ' +
    'created yet is dropped.',
  errors: [401, 403, 404, 422, 503],
  success: { status: 200, description: 'How far it has come.', schema: z.strictObject({ data: importSchema }) },
  find: findImportOf,
  run: async (context, { target }) => {
    const { caller, noteChange } = context
    await held(context, { id: target.id, states: ['open', 'done', 'undoing'] }, async () => {
      if (target.state === 'undoing') noteChange('nothing')
      else {
        noteChange({ id: caller.workspaceId, name: target.fileName, details: { project: target.project } })
        await begin(context, target)
      }
      await removeSome(context, target)
    })
    return { status: 200, body: { data: await recordOf(context, await importOf(context, target.id)) } }
  },
})

export const undoImportOperations = [undo]

/** More than an import can have. */
const allSteps = 10_000
/** Compared at once: other requests are answered in between. */
const comparedAtOnce = 100

/** Decides for all of them before the first is removed: what one removal changes is no change of a person. */
async function begin(context: Context, of: StoredImport): Promise<void> {
  const { database } = context.services
  const listing = { importId: of.id, states: ['made', 'begun'], order: 'first', limit: allSteps } as const
  const steps = await foundSteps(context, of, await listSteps(database, listing))
  const there: There[] = []
  for (let at = 0; at < steps.length; at += comparedAtOnce)
    there.push(...(await compare(context, steps.slice(at, at + comparedAtOnce))))
  const kept = keptOf(there)
  const isThere = new Set(there.map(({ position }) => position))
  await database.transaction(async (tx) => {
    await markLeaving(tx, of.id, {
      kept,
      gone: steps.flatMap(({ position }) => (isThere.has(position) ? [] : [position])),
      leaving: there.flatMap(({ position }) => (kept.has(position) ? [] : [position])),
    })
    await setImportState(tx, of.id, 'undoing')
  })
}

/** What is there: the fields that were changed since, and the ids that it names. */
type There = { position: number; id: string; changed: readonly string[]; named: readonly string[] }

const anyId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

async function compare(context: Context, steps: readonly Step[]): Promise<There[]> {
  const { secrets } = context.services
  const objects = await readObjects(
    context,
    steps.flatMap(({ section, objectId }) => (objectId === null ? [] : [{ section, id: objectId }])),
  )
  return steps.flatMap(({ position, objectId, noted }) => {
    const fields = objects.get(objectId ?? '')
    if (fields === undefined || objectId === null) return []
    const changed = noted === null ? [] : changedSince(noted, fields, secrets)
    const named = [...JSON.stringify(fields).matchAll(anyId)].map(([id]) => id)
    return [{ position, id: objectId, changed, named }]
  })
}

/** Those whose process ended between making a thing and noting which one it is have it by their keys. */
async function foundSteps(context: Context, of: StoredImport, steps: readonly Step[]): Promise<Step[]> {
  const { database } = context.services
  if (steps.every(({ objectId }) => objectId !== null)) return [...steps]
  const owned = await listProjectObjects(database, context.caller.workspaceId)
  const ids = new Map(
    owned.flatMap(({ project, section, key, id }) => (project === of.project ? [[`${section} ${key}`, id]] : [])),
  )
  const found: Step[] = []
  for (const step of steps) {
    const objectId = step.objectId ?? ids.get(`${step.section} ${step.key}`) ?? null
    if (objectId !== step.objectId)
      await setStep(database, { importId: of.id, position: step.position }, { state: 'begun', objectId })
    found.push({ ...step, objectId })
  }
  return found
}

const isNeeded = 'Something that was changed since then needs it.'

/** What was changed, and what that names, with what is to be told of each. */
function keptOf(there: readonly There[]): ReadonlyMap<number, string> {
  const kept = new Map<number, string>()
  const byId = new Map(there.map((each) => [each.id, each]))
  const open = there.filter(({ changed }) => changed.length > 0)
  for (const { position, changed } of open) kept.set(position, `Changed since: ${changed.join(', ')}.`)
  for (let each = open.pop(); each !== undefined; each = open.pop())
    for (const id of each.named) {
      const needed = byId.get(id)
      if (needed === undefined || kept.has(needed.position)) continue
      kept.set(needed.position, isNeeded)
      open.push(needed)
    }
  return kept
}

const maxAtOnce = 25
const maxBatchMs = 10_000

/** The newest first, so that what names others goes before them. */
async function removeSome(context: Context, of: StoredImport): Promise<void> {
  const { database } = context.services
  const end = AbortSignal.timeout(maxBatchMs)
  const listing = { importId: of.id, states: ['leaving'], order: 'last', limit: maxAtOnce } as const
  for (const [at, { position, section, objectId }] of (await listSteps(database, listing)).entries()) {
    if (end.aborted) return
    if (at > 0 && !(await mayGoOn(context))) return
    const asked = objectId === null ? null : await askOperation(context, removalOf({ section, id: objectId }))
    const isGone = asked === null || asked.type === 'done' || asked.status === 404
    const change = isGone ? ({ state: 'removed' } as const) : ({ state: 'kept', problem: asked.problem } as const)
    await setStep(database, { importId: of.id, position }, change)
  }
}
