import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import { type ScreenRecord, screenChangeSchema, screenInputSchema, screenSchema } from '#core/screen.ts'
import {
  type StoredScreen,
  deleteScreen,
  findScreen,
  insertScreen,
  listScreens,
  updateScreen,
} from '#store/overview/screens.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Context } from '#operations/pipeline/operation.ts'

/** Below the service's root; the secret follows. */
export const openScreenPath = '/screen/open/'

const inConsole = { tag: 'Console', surface: 'console', subject: 'screen' } as const

const list = defineOperation({
  ...inConsole,
  name: 'list_screens',
  method: 'GET',
  path: '/screens',
  scope: 'read',
  summary: 'List the screens of the workspace, oldest first',
  errors: [401],
  success: { status: 200, description: 'Screens.', schema: z.strictObject({ data: z.array(screenSchema) }) },
  run: async ({ caller, services }) => {
    const screens = await listScreens(services.database, caller.workspaceId)
    return { status: 200, body: { data: screens.map(toRecord) } }
  },
})

const create = defineOperation({
  ...inConsole,
  name: 'create_screen',
  method: 'POST',
  path: '/screens',
  scope: 'write',
  summary: 'Make a secret address at which a screen shows names and states of monitors',
  description: '`url` is shown here once and never again. A workspace has at most 20 screens.',
  body: { schema: screenInputSchema, isRequired: true, schemaName: 'ScreenInput' },
  errors: [401, 403, 422],
  success: {
    status: 201,
    description: 'The screen, and the address that it is opened by.',
    schema: z.strictObject({ data: screenSchema, url: z.url() }),
  },
  run: async ({ caller, services: { database, publicUrl }, now, noteChange }, { body }) => {
    const { workspaceId, actor: createdBy } = caller
    const { screen, token } = await database.transaction(async (tx) => {
      const made = await insertScreen(tx, { ...body, workspaceId, createdBy }, now)
      noteChange({ id: made.screen.id })
      return made
    })
    return { status: 201, body: { data: toRecord(screen), url: `${publicUrl}${openScreenPath}${token}` } }
  },
})

const update = defineOperation({
  ...inConsole,
  name: 'update_screen',
  method: 'PATCH',
  path: '/screens/{id}',
  scope: 'write',
  summary: 'Change the name, the tags or the look of a screen, whose address stays',
  body: { schema: screenChangeSchema, isRequired: true, schemaName: 'ScreenChange' },
  errors: [401, 403, 404, 422],
  success: {
    status: 200,
    description: 'The screen as it is now. What shows it now follows with its next reading.',
    schema: z.strictObject({ data: screenSchema }),
  },
  find: findTarget,
  run: async ({ caller: { workspaceId }, services: { database } }, { body: change, target: { id } }) => {
    const changed = await database.transaction((tx) => updateScreen(tx, { workspaceId, id, change }))
    return { status: 200, body: { data: toRecord(changed ?? screenGone()) } }
  },
})

const remove = defineOperation({
  ...inConsole,
  name: 'delete_screen',
  method: 'DELETE',
  path: '/screens/{id}',
  scope: 'write',
  summary: 'Delete a screen, which shows nothing any more from its next reading on',
  errors: [401, 403, 404],
  success: { status: 204, description: 'Its address leads nowhere any more.' },
  find: findTarget,
  run: async ({ caller: { workspaceId }, services: { database } }, { target: { id } }) => {
    await database.transaction(async (tx) => {
      if (!(await deleteScreen(tx, { workspaceId, id }))) screenGone()
    })
    return { status: 204, body: undefined }
  },
})

export const screenOperations = [list, create, update, remove]

async function findTarget({ caller, services }: Context, { id = '' }: Record<string, string>): Promise<StoredScreen> {
  return (await findScreen(services.database, { workspaceId: caller.workspaceId, id })) ?? screenGone()
}

function screenGone(): never {
  throw fail('not_found', 'There is no such screen in this workspace.')
}

function toRecord(screen: StoredScreen): ScreenRecord {
  return {
    id: screen.id,
    name: screen.name,
    tags: screen.tags,
    look: screen.look,
    created_at: screen.createdAt.toISOString(),
    created_by: screen.createdBy,
    last_used_at: screen.lastUsedAt?.toISOString() ?? null,
  }
}
