import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import {
  type SavedViewRecord,
  maxSavedViews,
  savedViewChangeSchema,
  savedViewInputSchema,
  savedViewSchema,
} from '#core/saved-view.ts'
import {
  deleteSavedView,
  findSavedView,
  insertSavedView,
  listSavedViews,
  updateSavedView,
} from '#store/overview/saved-views.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const inConsole = { tag: 'Console', surface: 'console', subject: 'saved_view' } as const
const ofOne = { ...inConsole, path: '/saved-views/{id}', scope: 'write', find: findTarget } as const
const one = z.strictObject({ data: savedViewSchema })

const list = defineOperation({
  ...inConsole,
  name: 'list_saved_views',
  method: 'GET',
  path: '/saved-views',
  scope: 'read',
  summary: 'List the saved views of the overview, by name',
  errors: [401],
  success: { status: 200, description: 'Views.', schema: z.strictObject({ data: z.array(savedViewSchema) }) },
  run: async ({ caller, services }) => {
    return { status: 200, body: { data: await listSavedViews(services.database, caller.workspaceId) } }
  },
})

const create = defineOperation({
  ...inConsole,
  name: 'create_saved_view',
  method: 'POST',
  path: '/saved-views',
  scope: 'write',
  summary: 'Save a view of the overview for all members',
  description: `A workspace has at most ${maxSavedViews}. Names differ by more than their case.`,
  body: { schema: savedViewInputSchema, isRequired: true, schemaName: 'SavedViewInput' },
  errors: [401, 403, 422],
  success: { status: 201, description: 'The view.', schema: one },
  run: async ({ caller: { workspaceId, actor: madeBy }, services, now: at, noteChange }, { body }) => {
    const made = await services.database.transaction(async (tx) => {
      const view = await insertSavedView(tx, { ...body, workspaceId, madeBy, at })
      noteChange({ id: view.id, name: view.name })
      return view
    })
    return { status: 201, body: { data: made } }
  },
})

const update = defineOperation({
  ...ofOne,
  name: 'update_saved_view',
  method: 'PATCH',
  summary: 'Rename a saved view, or save another view under its name',
  body: { schema: savedViewChangeSchema, isRequired: true, schemaName: 'SavedViewChange' },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The view as it is now.', schema: one },
  run: async ({ caller: { workspaceId }, services }, { body, target: { id } }) => {
    const changed = await services.database.transaction((tx) => updateSavedView(tx, { ...body, workspaceId, id }))
    return { status: 200, body: { data: changed ?? gone() } }
  },
})

const remove = defineOperation({
  ...ofOne,
  name: 'delete_saved_view',
  method: 'DELETE',
  summary: 'Delete a saved view',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The view is gone.' },
  run: async ({ caller: { workspaceId }, services }, { target: { id } }) => {
    await services.database.transaction(async (tx) => {
      if (!(await deleteSavedView(tx, { workspaceId, id }))) gone()
    })
    return { status: 204, body: undefined }
  },
})

export const savedViewOperations = [list, create, update, remove]

async function findTarget(
  { caller, services }: Context,
  { id = '' }: Record<string, string>,
): Promise<SavedViewRecord> {
  return (await findSavedView(services.database, { workspaceId: caller.workspaceId, id })) ?? gone()
}

function gone(): never {
  throw fail('not_found', 'There is no such saved view in this workspace.')
}
