import { randomBytes, randomUUID } from 'node:crypto'
import { createTokenText } from '#core/token-format.ts'
import type { Database, Transaction } from './database.ts'
import { type Location, ensureLocations } from './locations.ts'
import { hashToken } from './secrets.ts'
import { claimSetting, readSetting } from './settings.ts'
import { findTokens, insertToken } from './tokens.ts'
import { createWorkspace } from './workspaces.ts'

export type BootstrapOptions = {
  /** PERIGEE_OWNER_TOKEN, of write scope; null makes one at the first start. */
  token: string | null
  plan: string
  locations: readonly Location[]
  now: Date
}

/** `firstToken` is the token that was made because none was configured; it is told once. */
export type Bootstrapped = { workspaceId: string; firstToken: string | null }

/** The first start sets up the owner's workspace; later ones add locations and a configured token that is new. */
export function bootstrap(database: Database, options: BootstrapOptions): Promise<Bootstrapped> {
  return database.transaction(async (tx) => {
    await ensureLocations(tx, options.locations)
    const workspaceId = randomUUID()
    if (!(await claimSetting(tx, 'owner_workspace', workspaceId))) return startAgain(tx, options)
    await createWorkspace(tx, { id: workspaceId, name: 'Perigee', plan: options.plan })
    const text = options.token ?? createTokenText(randomBytes)
    await addToken(tx, { workspaceId, text, now: options.now })
    return { workspaceId, firstToken: options.token === null ? text : null }
  })
}

/** A configured token that was revoked stays revoked: its hash is known. */
async function startAgain(tx: Transaction, { token, now }: BootstrapOptions): Promise<Bootstrapped> {
  const workspaceId = await readSetting(tx, 'owner_workspace')
  if (typeof workspaceId !== 'string') throw new Error('The setting owner_workspace is not a workspace id.')
  if (token !== null && (await findTokens(tx, [hashToken(token)])).length === 0)
    await addToken(tx, { workspaceId, text: token, now })
  return { workspaceId, firstToken: null }
}

async function addToken(tx: Transaction, token: { workspaceId: string; text: string; now: Date }): Promise<void> {
  const { workspaceId, text, now } = token
  await insertToken(tx, { workspaceId, name: 'Owner', scope: 'write', expiresAt: null, hash: hashToken(text) }, now)
}
