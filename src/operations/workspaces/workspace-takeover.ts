import { z } from 'zod'
import { fail, invalidFields } from '#core/language/error.ts'
import { isTokenText } from '#core/people/token-format.ts'
import { deleteRegistrations } from '#store/people/agent-registrations.ts'
import { hashToken } from '#store/database/secrets.ts'
import { type TokenSource, findTokens } from '#store/people/tokens.ts'
import { readWorkspace } from '#store/workspaces/workspaces.ts'
import {
  type WorkspaceContents,
  isTakenByNobody,
  lockForMove,
  moveWorkspace,
  readContents,
} from '#store/people/workspace-moves.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const input = z.strictObject({ api_key: z.string().trim().max(200) })

export const contentsSchema = z.strictObject({
  name: z.string(),
  monitors: z.int(),
  incidents: z.int(),
  tokens: z.int(),
  contacts: z.array(z.string()),
  credit_cents: z.int(),
})

export type WorkspaceContentsRecord = z.infer<typeof contentsSchema>

export function toContents({ creditCents, ...contents }: WorkspaceContents): WorkspaceContentsRecord {
  return { ...contents, credit_cents: creditCents }
}

const takeOver = defineOperation({
  name: 'take_over_workspace',
  method: 'POST',
  path: '/workspace/takeover',
  scope: 'write',
  surface: 'console',
  role: 'owner',
  tag: 'Console',
  subject: 'workspace',
  summary: 'Move a workspace that was created without an account into this one, by its API key',
  description:
    'For monitors that were paid for without an account: monitors, history, contacts, keys, payments and credit move, ' +
    'the key keeps working, and agents that act there are disconnected. Workspaces that belong to people are never moved.',
  body: { schema: input, isRequired: true, schemaName: 'TakeoverInput' },
  errors: [401, 403, 422],
  success: { status: 200, description: 'What has moved.', schema: z.strictObject({ data: contentsSchema }) },
  run: async (context, { body }) => ({
    status: 200,
    body: { data: toContents(await takeOverBy(context, body.api_key)) },
  }),
})

const viewTakeover = defineOperation({
  name: 'view_takeover',
  method: 'POST',
  path: '/workspace/takeover/view',
  scope: 'write',
  surface: 'console',
  role: 'owner',
  tag: 'Console',
  subject: 'workspace',
  changesNothing: true,
  summary: 'Show what taking a workspace over by its API key would move',
  description: 'Refuses what `take_over_workspace` would refuse.',
  body: { schema: input, isRequired: true, schemaName: 'TakeoverInput' },
  errors: [401, 403, 422],
  success: { status: 200, description: 'What would move.', schema: z.strictObject({ data: contentsSchema }) },
  run: async ({ caller, services: { database }, now }, { body: { api_key: key } }) => {
    const fromId = await foreignWorkspaceOf(database, { key, caller, now })
    const workspace = await readWorkspace(database, fromId)
    if (workspace === null || workspace.closedReason !== null) throw closed()
    if (!(await database.transaction((tx) => isTakenByNobody(tx, fromId)))) throw ofPeople()
    return { status: 200, body: { data: toContents(await readContents(database, fromId)) } }
  },
})

export const takeoverOperations = [viewTakeover, takeOver]

/** One transaction moves all or nothing; the key is looked at again once both workspaces are held. */
async function takeOverBy({ caller, services, now, noteChange }: Context, key: string): Promise<WorkspaceContents> {
  const { database } = services
  const fromId = await foreignWorkspaceOf(database, { key, caller, now })
  const contents = await readContents(database, fromId)
  const move = { fromId, toId: caller.workspaceId, at: now }
  await database.transaction(async (tx) => {
    if (!(await lockForMove(tx, move))) throw closed()
    if ((await workspaceOf(tx, key, now)) !== fromId) throw refused('The workspace of this key has just moved.')
    if (!(await isTakenByNobody(tx, fromId))) throw ofPeople()
    await moveWorkspace(tx, move)
    await deleteRegistrations(tx, fromId)
    noteChange({ id: fromId, name: contents.name, details: { monitors: contents.monitors } })
  })
  return contents
}

/** The workspace of a key that may change everything in it; another key is refused before anything of it is told. */
async function workspaceOf(source: TokenSource, key: string, now: Date): Promise<string> {
  const [token] = isTokenText(key) ? await findTokens(source, [hashToken(key)]) : []
  const isActive =
    token !== undefined && token.revokedAt === null && (token.expiresAt === null || token.expiresAt > now)
  if (!isActive) throw refused('Must be an active API key of this service.')
  if (token.scope !== 'write') throw refused('Needs the write scope.')
  return token.workspaceId
}

type Asked = Pick<Context, 'caller' | 'now'> & { key: string }

async function foreignWorkspaceOf(source: TokenSource, { key, caller, now }: Asked): Promise<string> {
  const fromId = await workspaceOf(source, key, now)
  if (fromId === caller.workspaceId) throw refused('This key belongs to this workspace already.')
  return fromId
}

function closed(): Error {
  return refused('The workspace of this key is closed.')
}

function ofPeople(): Error {
  return fail('limit_reached', 'The workspace of this key already has members. Ask one of its owners to invite you.')
}

function refused(problem: string): Error {
  return invalidFields({ api_key: [problem] })
}
