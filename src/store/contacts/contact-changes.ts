// Changes that people make to a contact. Callers have looked the contact up in its workspace.
import { sql } from 'kysely'
import type { ContactRules } from '#core/contacts/alert-rules.ts'
import type { MessageTemplates } from '#core/contacts/message-templates.ts'
import type { Transaction } from '#store/database/database.ts'
import { storedTemplates } from './contacts.ts'
import type { StoredAddress } from './sealed-addresses.ts'
import type { StoredOptions } from './sealed-options.ts'

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

/** Members that are left out stay. */
export type ContactUpdate = {
  name?: string
  /** Another address: links that were mailed to the one before are worth nothing from then on. */
  address?: StoredAddress
  options?: StoredOptions & { host: string | null }
  rules?: ContactRules | null
  /** Null for the built-in words. */
  templates?: MessageTemplates | null
  tags?: readonly string[]
  switched?: 'on' | 'off'
  /** Its reader is asked, or asked once more, until then. */
  confirmationExpiresAt?: Date
}

/**
 * Changes a contact that the transaction holds; false when it is gone. What is sent elsewhere, or otherwise, has not
 * arrived yet and has not failed.
 */
export async function updateContact(
  { query }: Transaction,
  { workspaceId, id }: { workspaceId: string; id: string },
  { name, address, options, rules, templates, tags, switched, confirmationExpiresAt: expiresAt }: ContactUpdate,
): Promise<boolean> {
  const updated = await query
    .updateTable('alert_channels')
    .set({
      ...(address === undefined && options === undefined ? {} : { worked_at: null, failing_since: null }),
      ...(name === undefined ? {} : { name }),
      ...(address === undefined ? {} : addressColumns(address)),
      ...(options === undefined ? {} : optionColumns(options)),
      ...(rules === undefined ? {} : { alert_rules: rules === null ? null : JSON.stringify(rules) }),
      ...(templates === undefined ? {} : { templates: storedTemplates(templates) }),
      ...(tags === undefined ? {} : { tags: [...tags] }),
      ...(switched === 'on' ? { enabled: true, switched_off_by: null, failing_since: null } : {}),
      ...(switched === 'off' ? { enabled: false, switched_off_by: 'people' } : {}),
      ...(expiresAt === undefined ? {} : { confirmed: false, confirmation_expires_at: expiresAt }),
    })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

function addressColumns({ destination, sealedDestination }: StoredAddress) {
  return { destination, sealed_destination: sealedDestination, address_number: sql<number>`address_number + 1` }
}

function optionColumns({ options, sealedOptions, host }: StoredOptions & { host: string | null }) {
  return { options: JSON.stringify(options), secret_options: sealedOptions, host }
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
