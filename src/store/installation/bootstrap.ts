import { randomBytes, randomUUID } from 'node:crypto'
import { AppError } from '#core/language/error.ts'
import { createTokenText, firstTokenHours } from '#core/people/token-format.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { type Location, ensureLocations } from './locations.ts'
import { hashToken } from '#store/database/secrets.ts'
import { claimSetting, readSetting, writeSetting } from './settings.ts'
import { createSetUpToken } from '#store/people/set-up-links.ts'
import { StartError } from '#store/database/start-error.ts'
import { findTokens, insertToken, maxActiveTokens, revokeToken, type StoredToken } from '#store/people/tokens.ts'
import { createWorkspace, lockWorkspace } from '#store/workspaces/workspaces.ts'

export type BootstrapOptions = {
  /** PERIGEE_OWNER_TOKEN, of write scope; null makes one for the first steps at the first start. */
  token: string | null
  plan: string
  /** Whether the configuration names the owner; if not, the first start makes a set-up link. */
  isOwnerKnown?: boolean
  locations: readonly Location[]
  now: Date
}

export type Bootstrapped = {
  workspaceId: string
  /** The token that was made because none was configured; it is told once, and ends after `firstTokenHours`. */
  firstToken: string | null
  /** The token of the link by which the owner signs up; it is told once. */
  setUpToken: string | null
  /** The configured token was revoked or has expired, and opens nothing. */
  isTokenDead: boolean
}

/** The first start sets up the owner's workspace; later ones add locations and a configured token that is new. */
export function bootstrap(database: Database, options: BootstrapOptions): Promise<Bootstrapped> {
  return database.transaction(async (tx) => {
    await ensureLocations(tx, options.locations)
    const workspaceId = randomUUID()
    if (!(await claimSetting(tx, 'owner_workspace', workspaceId))) return startAgain(tx, options)
    await createWorkspace(tx, { id: workspaceId, name: 'Perigee', plan: options.plan })
    const firstToken = await giveToken(tx, { ...options, workspaceId })
    const setUpToken =
      options.isOwnerKnown === true ? null : await createSetUpToken(tx, { workspaceId, now: options.now })
    return { workspaceId, firstToken, setUpToken, isTokenDead: false }
  })
}

/** The text of the token that nobody configured. */
async function giveToken(
  tx: Transaction,
  { workspaceId, token, now }: BootstrapOptions & { workspaceId: string },
): Promise<string | null> {
  if (token !== null) {
    await writeSetting(tx, 'owner_token', await addToken(tx, { workspaceId, text: token, now }))
    return null
  }
  const text = createTokenText(randomBytes)
  const expiresAt = new Date(now.getTime() + firstTokenHours * 3_600_000)
  await insertToken(tx, { workspaceId, name: 'First steps', scope: 'write', expiresAt, hash: hashToken(text) }, now)
  return text
}

async function startAgain(tx: Transaction, { token, now }: BootstrapOptions): Promise<Bootstrapped> {
  const workspaceId = await readSetting(tx, 'owner_workspace')
  if (typeof workspaceId !== 'string') throw new Error('The setting owner_workspace is not a workspace id.')
  const isUsable = token === null || (await configureToken(tx, { workspaceId, text: token, now }))
  return { workspaceId, firstToken: null, setUpToken: null, isTokenDead: !isUsable }
}

type OwnerToken = { workspaceId: string; text: string; now: Date }

/**
 * The configured token is one, however often it is changed: another one ends the one before, which may have been
 * changed because it leaked. One that was revoked stays revoked, for its hash is known: false.
 */
async function configureToken(tx: Transaction, token: OwnerToken): Promise<boolean> {
  const { workspaceId, text, now } = token
  await lockWorkspace(tx, workspaceId)
  const [known] = await findTokens(tx, [hashToken(text)])
  if (known !== undefined && !isAlive(known, now)) return false
  const earlier = await readSetting(tx, 'owner_token')
  if (known !== undefined && known.id === earlier) return true
  if (typeof earlier === 'string') await revokeToken(tx, { workspaceId, tokenId: earlier, at: now })
  await writeSetting(tx, 'owner_token', known?.id ?? (await addToken(tx, token)))
  return true
}

function isAlive({ revokedAt, expiresAt }: StoredToken, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now)
}

async function addToken(tx: Transaction, { workspaceId, text, now }: OwnerToken): Promise<string> {
  const token = { workspaceId, name: 'Owner', scope: 'write', expiresAt: null, hash: hashToken(text) } as const
  try {
    return await insertToken(tx, token, now)
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'limit_reached') throw cause
    throw new StartError(
      `PERIGEE_OWNER_TOKEN is new, but the owner's workspace has ${maxActiveTokens} active API tokens, the most it can have. Revoke one with "perigee token revoke", or set PERIGEE_OWNER_TOKEN to one of them.`,
      { cause },
    )
  }
}
