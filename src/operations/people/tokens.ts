import { z } from 'zod'
import { type ApiTokenRecord, apiTokenInputSchema, apiTokenSchema } from '#core/people/access.ts'
import { fail, invalidFields } from '#core/language/error.ts'
import { type StoredToken, findToken, makeToken, listTokens, revokeToken } from '#store/people/tokens.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const inConsole = { tag: 'Console', surface: 'console', role: 'owner', subject: 'api_token' } as const

const list = defineOperation({
  ...inConsole,
  name: 'list_api_tokens',
  method: 'GET',
  path: '/api-tokens',
  scope: 'read',
  summary: 'List the API tokens of the workspace, active ones first',
  errors: [401, 403],
  success: { status: 200, description: 'Tokens.', schema: z.strictObject({ data: z.array(apiTokenSchema) }) },
  run: async ({ caller, services, now }) => {
    const tokens = await listTokens(services.database, caller.workspaceId)
    return { status: 200, body: { data: tokens.map((token) => toRecord(token, now)) } }
  },
})

const create = defineOperation({
  ...inConsole,
  name: 'create_api_token',
  method: 'POST',
  path: '/api-tokens',
  scope: 'write',
  summary: 'Create an API token',
  description: '`token` is shown only here, once. A workspace can have at most 50 active ones.',
  body: { schema: apiTokenInputSchema, isRequired: true, schemaName: 'ApiTokenInput' },
  errors: [401, 403, 422],
  success: {
    status: 201,
    description: 'The token.',
    schema: z.strictObject({ data: apiTokenSchema, token: z.string() }),
  },
  run: async ({ caller, services, now, noteChange }, { body }) => {
    const expiresAt = body.expires_at === null ? null : new Date(body.expires_at)
    if (expiresAt !== null && expiresAt <= now) throw invalidFields({ expires_at: ['Must be in the future.'] })
    const { name, scope } = body
    const { workspaceId } = caller
    const { id, text } = await services.database.transaction(async (tx) => {
      const made = await makeToken(tx, { workspaceId, name, scope, expiresAt }, now)
      noteChange({ id: made.id, details: { scope } })
      return made
    })
    const token = { id, name, scope, createdAt: now, expiresAt, revokedAt: null, lastUsedAt: null }
    return { status: 201, body: { data: toRecord(token, now), token: text } }
  },
})

const revoke = defineOperation({
  ...inConsole,
  name: 'revoke_api_token',
  method: 'DELETE',
  path: '/api-tokens/{id}',
  scope: 'write',
  summary: 'Revoke an API token, which stops working at once',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The token no longer works.' },
  find: findTarget,
  run: async ({ caller, services, now, noteChange }, { target }) => {
    await services.database.transaction(async (tx) => {
      const scope = { workspaceId: caller.workspaceId, tokenId: target.id }
      if (!(await revokeToken(tx, { ...scope, at: now }))) noteChange('nothing')
    })
    return { status: 204, body: undefined }
  },
})

export const tokenOperations = [list, create, revoke]

async function findTarget({ caller, services }: Context, { id = '' }: Record<string, string>): Promise<StoredToken> {
  const token = await findToken(services.database, { workspaceId: caller.workspaceId, tokenId: id })
  if (token === null) throw fail('not_found', 'There is no such token in this workspace.')
  return token
}

type Shown = Omit<StoredToken, 'hash' | 'workspaceId'>

function toRecord(token: Shown, now: Date): ApiTokenRecord {
  return {
    id: token.id,
    name: token.name,
    scope: token.scope,
    state: stateOf(token, now),
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt?.toISOString() ?? null,
    revoked_at: token.revokedAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  }
}

function stateOf({ revokedAt, expiresAt }: Pick<Shown, 'revokedAt' | 'expiresAt'>, now: Date): ApiTokenRecord['state'] {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}
