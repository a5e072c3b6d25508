// Everybody who may try to reach a workspace.
import { randomUUID } from 'node:crypto'
import { assertionGrant } from '#core/people/agent.ts'
import { addMember } from '#store/people/members.ts'
import { insertPerson } from '#store/people/people.ts'
import { revokeToken } from '#store/people/tokens.ts'
import { agentsAt, textOf } from '../../support/agents.ts'
import type { TestApi } from '../../support/api.ts'
import { type Browser, createBrowser, password, signIn } from '../../support/people.ts'
import { quickPasswords } from '../../support/passwords.ts'
import { createToken } from '../../support/tokens.ts'
import type { Ids } from '../inputs/ids.ts'
import type { CallerName } from './rules.ts'
import { type AskAsOwner, fillWorkspace } from './workspace.ts'

export type Held = { workspaceId: string; personId: string; browser: Browser; ask: AskAsOwner; ids: Ids }
export type Callers = Readonly<Record<CallerName, AskAsOwner>>
/** Of callers that are programs; null for none. */
export type Tokens = readonly (readonly [name: CallerName, token: string | null])[]

/** A person with a workspace that has everything. */
export async function holder(api: TestApi, name: string): Promise<Held> {
  const { browser, personId, workspaceId } = await newcomer(api, name)
  await api.database.pool.query(`update workspaces set plan = 'pro' where id = $1`, [workspaceId])
  const ask = inWorkspace(browser, workspaceId)
  const ids = await fillWorkspace({ api, ask, workspaceId, ownerId: personId })
  return { workspaceId, personId, browser, ask, ids }
}

export async function everybody(api: TestApi, held: Held, other: Held): Promise<{ callers: Callers; tokens: Tokens }> {
  const { workspaceId } = held
  const tokens = {
    nobody: null,
    'expired token': await token(api, { workspaceId, expiresAt: new Date(Date.now() - 1000) }),
    'revoked token': await revoked(api, workspaceId),
    'read token': await token(api, { workspaceId, scope: 'read' }),
    'unclaimed agent': await agent(api),
    'token of another workspace': await token(api, { workspaceId: other.workspaceId }),
  }
  const by = (text: string | null): AskAsOwner => {
    return (method, path, request) => api.request(method, path, { ...request, token: text })
  }
  return {
    tokens: tokenNames.map((name) => [name, tokens[name]]),
    callers: {
      nobody: by(tokens.nobody),
      'expired token': by(tokens['expired token']),
      'revoked token': by(tokens['revoked token']),
      'read token': by(tokens['read token']),
      viewer: await joined(api, workspaceId, 'viewer'),
      member: await joined(api, workspaceId, 'member'),
      'unclaimed agent': by(tokens['unclaimed agent']),
      'token of another workspace': by(tokens['token of another workspace']),
      'owner of another workspace': other.ask,
      'owner of another workspace who names this one': inWorkspace(other.browser, workspaceId),
    },
  }
}

const tokenNames = [
  'nobody',
  'expired token',
  'revoked token',
  'read token',
  'unclaimed agent',
  'token of another workspace',
] as const

async function newcomer(api: TestApi, name: string) {
  const browser = createBrowser(api, '192.0.2.10')
  const person = {
    email: `${name}@example.com`,
    name,
    passwordHash: await quickPasswords.hash(password),
    at: new Date(),
  }
  await api.database.transaction((tx) => insertPerson(tx, person))
  return { browser, ...(await signIn(browser, person.email)) }
}

function inWorkspace(browser: Browser, workspace: string): AskAsOwner {
  return (method, path, request = {}) => browser.api(method, path, { ...request, workspace })
}

async function joined(api: TestApi, workspaceId: string, role: 'viewer' | 'member'): Promise<AskAsOwner> {
  const { browser, personId } = await newcomer(api, role)
  await api.database.transaction((tx) => addMember(tx, { workspaceId, personId, role, at: new Date() }))
  return inWorkspace(browser, workspaceId)
}

type NewToken = { workspaceId: string; scope?: 'read' | 'write'; expiresAt?: Date | null }

async function token({ database }: TestApi, { workspaceId, scope = 'write', expiresAt = null }: NewToken) {
  return (await createToken(database, { workspaceId, name: randomUUID(), scope, expiresAt }, new Date())).text
}

async function revoked({ database }: TestApi, workspaceId: string): Promise<string> {
  const made = { workspaceId, name: 'Revoked', scope: 'write', expiresAt: null } as const
  const { id, text } = await createToken(database, made, new Date())
  await database.transaction((tx) => revokeToken(tx, { workspaceId, tokenId: id, at: new Date() }))
  return text
}

/** It registered, and no person has let it in. */
async function agent(api: TestApi): Promise<string> {
  const agents = agentsAt(api, null)
  const { body } = await agents.identity({ type: 'anonymous' })
  const granted = await agents.token({ grant_type: assertionGrant, assertion: textOf(body, 'identity_assertion') })
  return textOf(granted.body, 'access_token')
}
