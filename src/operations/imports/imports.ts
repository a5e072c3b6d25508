import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { invalidFields } from '#core/language/error.ts'
import { importSchema, maxImports } from '#core/imports/import-record.ts'
import { presentFor } from '#core/projects/plan.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { readWorkspace } from '#operations/projects/export-workspace.ts'
import { insertSteps, listSteps, type NewStep, retrySteps } from '#store/imports/import-steps.ts'
import { insertImport, listImports, setImportState, type StoredImport } from '#store/imports/imports.ts'
import { assertOpen, lockWorkspace } from '#store/workspaces/workspaces.ts'
import { countsOf, findImportOf, held, importOf, mayGoOn, recordOf } from './import-records.ts'
import { makeStep } from './make-step.ts'
import { assertMayBringFiles, fileQuery, importFile, readFileOf } from './read-import.ts'
import type { ReadImport } from './source-thread.ts'
import { stepLabel } from './step-content.ts'

const listed = importSchema.omit({ told: true })
const one = z.strictObject({ data: importSchema })
const shared = { surface: 'programs', tag: 'Account', subject: 'workspace' } as const

const list = defineOperation({
  ...shared,
  name: 'list_imports',
  method: 'GET',
  path: '/imports',
  scope: 'read',
  summary: 'List imports from other tools',
  description: `Newest first, at most ${maxImports}.`,
  errors: [401],
  success: { status: 200, description: 'The imports.', schema: z.strictObject({ data: z.array(listed) }) },
  run: async ({ caller: { workspaceId }, services: { database } }) => {
    const imports = await listImports(database, { workspaceId })
    return { status: 200, body: { data: imports.map(countsOf) } }
  },
})

const get = defineOperation({
  ...shared,
  name: 'get_import',
  method: 'GET',
  path: '/imports/{id}',
  scope: 'read',
  summary: 'Show how far an import has come',
  errors: [401, 404],
  success: { status: 200, description: 'The import.', schema: one },
  find: findImportOf,
  run: async (context, { target }) => ({ status: 200, body: { data: await recordOf(context, target) } }),
})

const start = defineOperation({
  ...shared,
  name: 'start_import',
  method: 'POST',
  path: '/imports',
  scope: 'write',
  takesLong: true,
  summary: 'Start an import from the file of another tool',
  description:
    'Keeps what can be imported, sealed, and creates nothing yet: each `POST /imports/{id}/continue` creates a ' +
    'part of it, so you can stop at any moment and continue later. What the workspace already has, by its key of ' +
    'the project or by its name, stays as it is. The file itself is not kept.',
  query: { schema: fileQuery },
  file: importFile,
  errors: [401, 403, 413, 415, 422, 503],
  success: { status: 201, description: 'The import.', schema: one },
  find: assertMayBringFiles,
  run: async (context, { query, file }) => {
    const { caller, services, now, noteChange } = context
    const { workspaceId, actor: actorName } = caller
    const read = await readFileOf(context, { query, file, wants: 'contents' })
    const steps = stepsOf(read, await readWorkspace(context))
    if (steps.every(({ content }) => content === null)) throw invalidFields({ file: [nothingNew(steps.length)] })
    const { source, settled } = read
    const project = settled.project.id
    const id = randomUUID()
    noteChange({ id: workspaceId, name: query.file_name, details: { source, project, entries: steps.length } })
    const made = { id, workspaceId, source, project, fileName: query.file_name, actorName, createdAt: now }
    await services.database.transaction(async (tx) => {
      await lockWorkspace(tx, workspaceId)
      await assertOpen(tx, workspaceId)
      if (!(await insertImport(tx, made)))
        throw invalidFields({ project: ['An import of this project is ongoing. Continue that one, or undo it.'] })
      await insertSteps(tx, services.secrets, { importId: id, steps })
    })
    return { status: 201, body: { data: await recordOf(context, await importOf(context, id)) } }
  },
})

const continuation = z.strictObject({
  again: z.boolean().optional().describe('Whether what could not be made is tried again.'),
})

const goOn = defineOperation({
  ...shared,
  name: 'continue_import',
  method: 'POST',
  path: '/imports/{id}/continue',
  scope: 'write',
  takesLong: true,
  summary: 'Create the next part of an import',
  description:
    'Creates some at a time, until `waiting` is 0. Each object is created as its own operation does it, with its ' +
    'entry in the audit log, and counts as the requests that this takes. Nothing is taken from credit. Refusals ' +
    'are reported, and hold back only what depends on them.',
  body: { schema: continuation.optional(), isRequired: false, schemaName: 'ImportContinuation' },
  errors: [401, 403, 404, 422, 503],
  success: { status: 200, description: 'How far it has come.', schema: one },
  find: findImportOf,
  run: async (context, { target, body }) => {
    const { services, noteChange } = context
    // Each thing that is made has an entry of its own.
    noteChange('nothing')
    const again = body?.again === true
    const states = again ? (['open', 'done'] as const) : (['open'] as const)
    await held(context, { id: target.id, states }, async () => {
      if (again)
        await services.database.transaction(async (tx) => {
          if ((await retrySteps(tx, target.id)) > 0) await setImportState(tx, target.id, 'open')
        })
      await makeSome(context, target)
    })
    return { status: 200, body: { data: await recordOf(context, await importOf(context, target.id)) } }
  },
})

export const importOperations = [list, get, start, goOn]

const maxAtOnce = 25
const maxBatchMs = 10_000

async function makeSome(context: Context, of: StoredImport): Promise<void> {
  const end = AbortSignal.timeout(maxBatchMs)
  const listing = { importId: of.id, states: ['waiting', 'begun'], order: 'first', limit: maxAtOnce } as const
  const steps = await listSteps(context.services.database, listing)
  for (const [at, step] of steps.entries()) {
    if (end.aborted) return
    if (at > 0 && !(await mayGoOn(context))) return
    await makeStep(context, of, step)
  }
}

function stepsOf(read: ReadImport, workspace: Awaited<ReturnType<typeof readWorkspace>>): NewStep[] {
  const { project } = read.settled
  const { present, missing } = presentFor(project, workspace)
  const isMissing = new Set(missing)
  return project.entries.flatMap((entry): NewStep[] => {
    const { section, key, fields } = entry
    const given = fields['name'] ?? fields['title']
    const name = typeof given === 'string' ? given : key
    const objectId = present.get(entry)?.id ?? null
    if (objectId !== null) return [{ section, key, name, content: null, objectId }]
    const content = read.contents.get(stepLabel(entry))
    return isMissing.has(entry) && content !== undefined ? [{ section, key, name, content, objectId }] : []
  })
}

function nothingNew(present: number): string {
  return present === 0 ? 'Nothing in the file can be imported.' : 'The workspace already has everything in the file.'
}
