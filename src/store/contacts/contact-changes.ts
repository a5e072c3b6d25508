// Changes that people make to a contact. Callers have looked the contact up in its workspace.
import { sql } from 'kysely'
import type { Transaction } from '#store/database/database.ts'

/** Alerts begin again, as if it had never failed. */
export async function switchContactOn({ query }: Transaction, id: string): Promise<void> {
  await query
    .updateTable('alert_channels')
    .set({ enabled: true, switched_off_by: null, failing_since: null })
    .where('id', '=', id)
    .execute()
}

/** Asks its reader once more before alerts begin again. */
export async function awaitConfirmation(
  { query }: Transaction,
  { id, expiresAt }: { id: string; expiresAt: Date },
): Promise<void> {
  await query
    .updateTable('alert_channels')
    .set({ confirmed: false, confirmation_expires_at: expiresAt })
    .where('id', '=', id)
    .execute()
}

export async function renameContact({ query }: Transaction, { id, name }: { id: string; name: string }): Promise<void> {
  await query.updateTable('alert_channels').set({ name }).where('id', '=', id).execute()
}

/** The secret that there was signs as well until `formerUntil`; one that was former already ends now. */
export async function replaceSigningSecret(
  { query }: Transaction,
  { id, secret, formerUntil }: { id: string; secret: Buffer; formerUntil: Date },
): Promise<void> {
  await query
    .updateTable('alert_channels')
    .set({ former_secret: sql`signing_secret`, former_secret_until: formerUntil, signing_secret: secret })
    .where('id', '=', id)
    .execute()
}
