import { randomBytes } from 'node:crypto'
import { accessTokenSeconds } from '#core/people/agent.ts'
import type { Audience, Scope } from '#core/people/oauth.ts'
import { createTokenText } from '#core/people/token-format.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'

/** An access token as a request is judged by. */
export type AgentToken = {
  registrationId: string
  workspaceId: string
  name: string
  hash: Buffer
  expiresAt: Date
  lastUsedAt: Date | null
  audience: Audience
  scope: Scope
}

/** What a token is for; without it, for everything. */
export type TokenReach = { audience: Audience; scope: Scope }

/**
 * Beyond this number the oldest tokens end: an agent that asks for a new one before every request cannot fill the
 * table.
 */
const maxTokens = 50
const touchIntervalMs = 60_000

/** Makes an access token and returns its text, which exists nowhere else. Only under `lockRegistration`. */
export async function createAgentToken(
  tx: Transaction,
  { registrationId, now, reach }: { registrationId: string; now: Date; reach?: TokenReach },
): Promise<string> {
  const text = createTokenText(randomBytes, 'pga_')
  await tx.query
    .deleteFrom('agent_tokens')
    .where('hash', 'in', (from) =>
      from
        .selectFrom('agent_tokens')
        .select('hash')
        .where('registration_id', '=', registrationId)
        .orderBy('created_at', 'desc')
        .orderBy('hash')
        .offset(maxTokens - 1),
    )
    .execute()
  await tx.query
    .insertInto('agent_tokens')
    .values({
      hash: hashToken(text),
      registration_id: registrationId,
      created_at: now,
      expires_at: new Date(now.getTime() + accessTokenSeconds * 1000),
      ...reach,
    })
    .execute()
  return text
}

/** Tokens with these hashes, expired ones too; revoked ones are gone. The look-up is bounded by no workspace. */
export async function findAgentTokens({ pool }: Pick<Database, 'pool'>, hashes: Buffer[]): Promise<AgentToken[]> {
  const found = await pool.query<AgentToken>({ name: 'find_agent_tokens', text: findStatement, values: [hashes] })
  return found.rows
}

/** Nearly every request of an agent begins with it. */
const findStatement = `
select
  registration.id as "registrationId", workspace.id as "workspaceId", registration.name, token.hash,
  token.expires_at as "expiresAt", registration.last_used_at as "lastUsedAt", token.audience, token.scope
from agent_tokens as token
join agent_registrations as registration on registration.id = token.registration_id
join workspaces as workspace on workspace.id = registration.workspace_id
where token.hash = any($1::bytea[])
  and workspace.closed_at is null`

/** Ends one access token. The caller who shows a token may end it, whichever agent it belongs to (RFC 7009). */
export async function revokeAgentToken(reader: Reader, text: string): Promise<void> {
  await reader.query.deleteFrom('agent_tokens').where('hash', '=', hashToken(text)).execute()
}

export async function revokeAgentTokens(reader: Reader, registrationId: string): Promise<void> {
  await reader.query.deleteFrom('agent_tokens').where('registration_id', '=', registrationId).execute()
}

/** Remembers when an agent was last heard of, at most once a minute. */
export async function touchAgent(
  reader: Reader,
  { registrationId, at }: { registrationId: string; at: Date },
): Promise<void> {
  const before = new Date(at.getTime() - touchIntervalMs)
  await reader.query
    .updateTable('agent_registrations')
    .set({ last_used_at: at })
    .where('id', '=', registrationId)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', before)]))
    .execute()
}
