import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { fail } from '#core/language/error.ts'
import { type ScreenChange, type ScreenInput, type ScreenLook, maxScreens, screenLooks } from '#core/screen.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'
import { assertOpen, lockWorkspace } from '#store/workspaces/workspaces.ts'

export type StoredScreen = {
  id: string
  workspaceId: string
  name: string
  tokenHash: Buffer
  tags: string[]
  look: ScreenLook
  createdAt: Date
  createdBy: string
  lastUsedAt: Date | null
}

/** 256 bits, as 43 characters that need no escaping. */
const tokenBytes = 32
const touchIntervalMs = 600_000

type NewScreen = ScreenInput & { workspaceId: string; createdBy: string }

/** Returns the secret part of its address as well, which exists nowhere else. Refuses with `limit_reached`. */
export async function insertScreen(
  tx: Transaction,
  { workspaceId, createdBy, name, tags, look }: NewScreen,
  now: Date,
): Promise<{ screen: StoredScreen; token: string }> {
  await lockWorkspace(tx, workspaceId)
  await assertOpen(tx, workspaceId)
  const { count } = await tx.query
    .selectFrom('screens')
    .select((columns) => columns.fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxScreens)
    throw fail('limit_reached', `A workspace has at most ${maxScreens} screens. Delete one first.`)
  const token = randomBytes(tokenBytes).toString('base64url')
  const row = await tx.query
    .insertInto('screens')
    .values({
      id: randomUUID(),
      workspace_id: workspaceId,
      name,
      token_hash: hashToken(token),
      tags,
      look,
      created_at: now,
      created_by: createdBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { screen: fromRow(row), token }
}

/** Oldest first. */
export async function listScreens({ query }: Reader, workspaceId: string): Promise<StoredScreen[]> {
  const rows = await query
    .selectFrom('screens')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxScreens)
    .execute()
  return rows.map(fromRow)
}

/** Null when the workspace has no such screen. */
export async function findScreen(
  { query }: Reader,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<StoredScreen | null> {
  const row = await query
    .selectFrom('screens')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** The screen of an open workspace that a browser asks for, by the secret of its address or by its id. */
export async function findOpenScreen(
  { query }: Reader,
  by: { token: string } | { id: string },
): Promise<StoredScreen | null> {
  const screens = query
    .selectFrom('screens as s')
    .selectAll('s')
    .where(sql<boolean>`exists (select from workspaces w where w.id = s.workspace_id and w.closed_at is null)`)
  const row = await (
    'token' in by ? screens.where('s.token_hash', '=', hashToken(by.token)) : screens.where('s.id', '=', by.id)
  ).executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

type Changing = { workspaceId: string; id: string; change: ScreenChange }

/** Its address stays as it is. Null when the screen is gone. */
export async function updateScreen(
  { query }: Transaction,
  { workspaceId, id, change: { name, tags, look } }: Changing,
): Promise<StoredScreen | null> {
  const row = await query
    .updateTable('screens')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(tags === undefined ? {} : { tags }),
      ...(look === undefined ? {} : { look }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** False when it is gone. */
export async function deleteScreen(
  { query }: Transaction,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<boolean> {
  const deleted = await query
    .deleteFrom('screens')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

/** Remembers when it was last used, at most every ten minutes: it asks several times a minute. */
export async function touchScreen({ query }: Reader, { id, lastUsedAt }: StoredScreen, now: Date): Promise<void> {
  const before = new Date(now.getTime() - touchIntervalMs)
  if (lastUsedAt !== null && lastUsedAt > before) return
  await query
    .updateTable('screens')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', before)]))
    .execute()
}

type Row = {
  id: string
  workspace_id: string
  name: string
  token_hash: Buffer
  tags: string[]
  look: string
  created_at: Date
  created_by: string
  last_used_at: Date | null
}

function fromRow(row: Row): StoredScreen {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    tokenHash: row.token_hash,
    tags: row.tags,
    look: screenLooks.find((look) => look === row.look) ?? 'dark',
    createdAt: row.created_at,
    createdBy: row.created_by,
    lastUsedAt: row.last_used_at,
  }
}
