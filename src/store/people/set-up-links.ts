import { randomBytes } from 'node:crypto'
import type { Reader, Transaction } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'

export const setUpHours = 24
const hourMs = 3_600_000
const tokenBytes = 32

/** Makes the token of a link by which a person becomes an owner of the workspace. An earlier token ends. */
export async function createSetUpToken(
  reader: Reader,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const values = { token_hash: hashToken(token), expires_at: new Date(now.getTime() + setUpHours * hourMs) }
  await reader.query
    .insertInto('set_up_links')
    .values({ workspace_id: workspaceId, ...values })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(values))
    .execute()
  return token
}

/** Uses a token up and names its workspace; null when it is unknown, used or over. Of two at once one gets it. */
export async function takeSetUpToken(
  tx: Transaction,
  { token, now }: { token: string; now: Date },
): Promise<string | null> {
  const taken = await tx.query
    .deleteFrom('set_up_links')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .returning('workspace_id')
    .executeTakeFirst()
  return taken?.workspace_id ?? null
}
