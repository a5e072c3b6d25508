import type { Selectable } from 'kysely'
import { contactLimit } from '#core/contacts/contact-record.ts'
import type { ContactRules } from '#core/contacts/alert-rules.ts'
import { sql } from 'kysely'
import type { MessageTemplates } from '#core/contacts/message-templates.ts'
import type { SwitchedOffBy } from './contact-states.ts'
import type { StoredAddress } from './sealed-addresses.ts'
import type { StoredOptions } from './sealed-options.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import type { AlertChannels } from '#store/database/schema.ts'

/** A notification contact. */
export type Contact = StoredAddress &
  StoredOptions & {
    id: string
    workspaceId: string
    name: string
    kind: string
    /** How often its destination was changed; links in mails name it. */
    addressNumber: number
    isEnabled: boolean
    isConfirmed: boolean
    /** Null while the contact is on, and for contacts that were switched off before the reason was recorded. */
    switchedOffBy: SwitchedOffBy | null
    /** Null where it is told in the built-in words. */
    templates: MessageTemplates | null
    /** Encrypted, the newest first; none for kinds that do not sign. */
    signingSecrets: Buffer[]
    /** Null where nothing was chosen. */
    rules: ContactRules | null
    tags: string[]
  }

/** The oldest first. */
export async function listContacts({ query }: Reader, workspaceId: string): Promise<Contact[]> {
  const rows = await query
    .selectFrom('alert_channels')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(contactLimit)
    .$castTo<Row>()
    .execute()
  return rows.map(toContact)
}

type OfWorkspace = { workspaceId: string; id: string }

export async function findContact({ query }: Reader, of: OfWorkspace): Promise<Contact | null> {
  const row = await selectContact(query, of).executeTakeFirst()
  return row === undefined ? null : toContact(row)
}

/** The contact as it stays until the transaction ends, for a change that is decided on it. */
export async function holdContact({ query }: Transaction, of: OfWorkspace): Promise<Contact | null> {
  const row = await selectContact(query, of).forNoKeyUpdate().executeTakeFirst()
  return row === undefined ? null : toContact(row)
}

function selectContact(query: Reader['query'], { workspaceId, id }: OfWorkspace) {
  return query
    .selectFrom('alert_channels')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .$castTo<Row>()
}

/** `host`: host and port to which its messages go, where its kind has the address among the options. */
export type NewContact = Omit<Contact, 'isEnabled' | 'addressNumber' | 'templates'> & {
  templates?: MessageTemplates | null
  host: string | null
  confirmationExpiresAt: Date | null
}

/** False, and nothing written, when the workspace has all it may have. Creates of one workspace take turns. */
export async function insertContact({ query }: Transaction, contact: NewContact): Promise<boolean> {
  await query
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', contact.workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const { count } = await query
    .selectFrom('alert_channels')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('workspace_id', '=', contact.workspaceId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= contactLimit) return false
  await query
    .insertInto('alert_channels')
    .values({
      id: contact.id,
      workspace_id: contact.workspaceId,
      name: contact.name,
      kind: contact.kind,
      destination: contact.destination,
      sealed_destination: contact.sealedDestination,
      options: JSON.stringify(contact.options),
      secret_options: contact.sealedOptions,
      host: contact.host,
      alert_rules: contact.rules === null ? null : JSON.stringify(contact.rules),
      confirmed: contact.isConfirmed,
      templates: contact.templates === undefined ? null : storedTemplates(contact.templates),
      tags: contact.tags,
      signing_secret: contact.signingSecrets[0] ?? null,
      confirmation_expires_at: contact.confirmationExpiresAt,
      // Not the transaction's start: creates that waited for their turn come after the one they waited for.
      created_at: sql<Date>`clock_timestamp()`,
    })
    .execute()
  return true
}

/**
 * Deletes a contact together with its open deliveries. A monitor that alerted only this contact alerts all contacts
 * from then on, as a new monitor does (docs/decisions/alerts-and-contacts.md, "Whom a monitor alerts"). False when
 * there is none.
 */
export async function deleteContact(
  { query }: Transaction,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<boolean> {
  // Locked before the monitors are read: a change that writes its id into a monitor holds it for key share.
  const found = await query
    .selectFrom('alert_channels')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined) return false
  await query
    .updateTable('monitors')
    .set({ alert_channel_ids: sql`nullif(array_remove(alert_channel_ids, ${id}::uuid), '{}')` })
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`${id}::uuid = any(alert_channel_ids)`)
    .execute()
  await query.deleteFrom('alert_channels').where('id', '=', id).execute()
  return true
}

/** As the column has them. */
export function storedTemplates(templates: MessageTemplates | null): string | null {
  return templates === null ? null : JSON.stringify(templates)
}

/** One that was replaced goes on signing for a while. */
export function signingSecretsOf(
  row: Pick<Selectable<AlertChannels>, 'signing_secret' | 'former_secret' | 'former_secret_until'>,
  now: Date,
): Buffer[] {
  const { signing_secret: present, former_secret: former, former_secret_until: until } = row
  if (present === null) return []
  return former !== null && until !== null && until > now ? [present, former] : [present]
}

type Row = Omit<Selectable<AlertChannels>, 'switched_off_by' | 'options' | 'alert_rules' | 'templates'> & {
  switched_off_by: SwitchedOffBy | null
  options: Contact['options']
  alert_rules: ContactRules | null
  templates: Contact['templates']
}

function toContact(row: Row): Contact {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    kind: row.kind,
    destination: row.destination,
    addressNumber: row.address_number,
    sealedDestination: row.sealed_destination,
    options: row.options,
    sealedOptions: row.secret_options,
    isEnabled: row.enabled,
    isConfirmed: row.confirmed,
    switchedOffBy: row.switched_off_by,
    templates: row.templates,
    signingSecrets: signingSecretsOf(row, new Date()),
    rules: row.alert_rules,
    tags: row.tags,
  }
}
