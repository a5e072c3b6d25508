import { z } from 'zod'
import type { Database } from '#store/database/database.ts'
import { type StoredToken, type TokenScope, listTokens, makeToken, revokeToken } from '#store/people/tokens.ts'
import { StartError } from '#store/database/start-error.ts'
import type { Workspace } from '#store/workspaces/workspaces.ts'
import { type Config, readConfig } from '#config/config.ts'
import { asksForHelp, readArguments } from './arguments.ts'
import { usageOf } from './definitions/definition.ts'
import { tokenDefinition } from './definitions/owning.ts'
import { findWorkspace } from './find-workspace.ts'
import { withDatabase } from './operator-database.ts'
import { table } from './table.ts'
import { type Terminal, UsageError } from './terminal.ts'
import { noteOrder } from './workspace-plan.ts'

const usage = usageOf(tokenDefinition)

const { options } = tokenDefinition

type Order =
  | { verb: 'create'; name: string; scope: TokenScope; expiresAt: Date | null }
  | { verb: 'list'; isJson: boolean }
  | { verb: 'revoke'; tokenId: string }

export async function runToken(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(usage)
    return 0
  }
  const now = new Date()
  const { order, workspace } = readOrder(argv, now)
  const config: Config = readConfig()
  await withDatabase(config, async (database) => {
    const found = await findWorkspace(database, workspace)
    await carryOut(order, { database, workspace: found, now, terminal })
  })
  return 0
}

function readOrder(argv: readonly string[], now: Date): { order: Order; workspace: string | null } {
  const { values, positionals } = readArguments(argv, options, usage)
  const [verb, argument, ...more] = positionals
  const workspace = values.workspace ?? null
  if (more.length > 0 || (verb !== 'revoke' && argument !== undefined)) throw wrong('Too many arguments.')
  const hasTokenOptions = [values.name, values.scope, values.expires].some((value) => value !== undefined)
  if (verb !== 'create' && hasTokenOptions) throw wrong('--name, --scope and --expires only work with create.')
  if (values.json === true && verb !== 'list') throw wrong('--json only works with list.')
  switch (verb) {
    case 'create':
      return {
        workspace,
        order: {
          verb,
          name: nameOf(values.name),
          scope: scopeOf(values.scope),
          expiresAt: expiryOf(values.expires, now),
        },
      }
    case 'list':
      return { workspace, order: { verb, isJson: values.json ?? false } }
    case 'revoke':
      if (!z.uuid().safeParse(argument).success) throw wrong('Give the id of a token. "perigee token list" shows them.')
      return { workspace, order: { verb, tokenId: argument?.toLowerCase() ?? '' } }
    case undefined:
    default:
      throw wrong('Name an action: create, list or revoke.')
  }
}

type Setting = { database: Database; workspace: Workspace; now: Date; terminal: Terminal }

async function carryOut(order: Order, { database, workspace, now, terminal }: Setting): Promise<void> {
  switch (order.verb) {
    case 'create': {
      const { name, scope, expiresAt } = order
      const { id, text } = await database.transaction(async (tx) => {
        const made = await makeToken(tx, { workspaceId: workspace.id, name, scope, expiresAt }, now)
        const target = { kind: 'api_token', id: made.id, name } as const
        await noteOrder(tx, workspace, { at: now, action: 'create_api_token', details: { scope }, target })
        return made
      })
      terminal.err.write(`Token ${id}. It is shown only once:\n`)
      terminal.out.write(`${text}\n`)
      return
    }
    case 'list':
      terminal.out.write(listed(await listTokens(database, workspace.id), order.isJson, now))
      return
    case 'revoke': {
      const isRevoked = await database.transaction(async (tx) => {
        const target = { kind: 'api_token', id: order.tokenId, name: null } as const
        if (!(await revokeToken(tx, { workspaceId: workspace.id, tokenId: order.tokenId, at: now }))) return false
        await noteOrder(tx, workspace, { at: now, action: 'revoke_api_token', details: {}, target })
        return true
      })
      if (!isRevoked) throw new StartError(`The workspace has no active token ${order.tokenId}.`)
      terminal.out.write(`Token ${order.tokenId} is revoked.\n`)
    }
  }
}

function listed(tokens: readonly StoredToken[], isJson: boolean, now: Date): string {
  return isJson ? `${JSON.stringify({ tokens: tokens.map((token) => jsonOf(token, now)) })}\n` : describe(tokens, now)
}

function jsonOf(token: StoredToken, now: Date) {
  const { id, name, scope, expiresAt, lastUsedAt } = token
  return { id, name, scope, state: stateOf(token, now), expires_at: expiresAt, last_used_at: lastUsedAt }
}

function describe(tokens: readonly StoredToken[], now: Date): string {
  const rows = tokens.map((token) => [
    token.id,
    token.scope,
    stateOf(token, now),
    shortTime(token.expiresAt),
    shortTime(token.lastUsedAt),
    token.name,
  ])
  return table(['ID', 'SCOPE', 'STATE', 'EXPIRES', 'LAST USED', 'NAME'], rows)
}

function stateOf({ revokedAt, expiresAt }: StoredToken, now: Date): string {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

function shortTime(at: Date | null): string {
  return at === null ? 'never' : `${at.toISOString().slice(0, 19)}Z`
}

function nameOf(text: string | undefined): string {
  const name = text?.trim() ?? ''
  if (name.length < 1 || name.length > 160) throw wrong('--name must have 1 to 160 characters.')
  return name
}

function scopeOf(text: string | undefined): TokenScope {
  if (text !== 'read' && text !== 'write') throw wrong('--scope must be read or write.')
  return text
}

function expiryOf(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null
  const isDay = z.iso.date().safeParse(text).success
  if (!isDay && !z.iso.datetime({ offset: true }).safeParse(text).success)
    throw wrong(`--expires: ${JSON.stringify(text)} is not a date such as 2027-01-31.`)
  const at = new Date(isDay ? `${text}T23:59:59.999Z` : text)
  if (at <= now) throw wrong(`--expires: ${text} is in the past.`)
  return at
}

function wrong(message: string): UsageError {
  return new UsageError(message, usage)
}
