import { mailKindNames } from '#core/contacts/contact-kinds.ts'
import { sql } from 'kysely'
import type { AuditDetails } from '#core/audit.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import type { Reader, Transaction } from '#store/database/database.ts'

/**
 * The states of a contact. These functions take no workspace: they are called by jobs, and by pages whose signed link
 * stands for the one contact that it names.
 */
export type LinkedContact = {
  id: string
  workspaceId: string
  name: string
  kind: string
  destination: string
  /** How often the destination was changed; links name it. */
  addressNumber: number
  isEnabled: boolean
  isConfirmed: boolean
}

export async function findLinkedContact({ query }: Reader, id: string): Promise<LinkedContact | null> {
  const row = await query
    .selectFrom('alert_channels')
    .select(['id', 'workspace_id', 'name', 'kind', 'destination', 'address_number', 'enabled', 'confirmed'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return null
  const { workspace_id: workspaceId, name, kind, destination, address_number: addressNumber } = row
  const { enabled: isEnabled, confirmed: isConfirmed } = row
  return { id, workspaceId, name, kind, destination, addressNumber, isEnabled, isConfirmed }
}

/** Whether an address still waits for its confirmation: not confirmed, and its link not expired. */
export async function isConfirmable({ query }: Reader, { id, now }: { id: string; now: Date }): Promise<boolean> {
  const row = await query
    .selectFrom('alert_channels')
    .select('id')
    .where('id', '=', id)
    .where('confirmed', '=', false)
    .where('confirmation_expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

export type ConfirmedContact = {
  id: string
  /** The address that the link was mailed to. */
  addressNumber: number
  now: Date
  /** Whether the link came by mail, which shows that mail arrives. */
  wasMailed: boolean
}

/** Uses a confirmation link up. False when it was used before, has expired or went to an earlier address. */
export async function confirmContact(
  { query }: Reader,
  { id, addressNumber, now, wasMailed }: ConfirmedContact,
): Promise<boolean> {
  const arrived = wasMailed ? { worked_at: sql<Date>`coalesce(worked_at, ${now})` } : {}
  const confirmed = await query
    .updateTable('alert_channels')
    .set({ confirmed: true, confirmation_expires_at: null, ...arrived })
    .where('id', '=', id)
    .where('address_number', '=', addressNumber)
    .where('confirmed', '=', false)
    .where('confirmation_expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return confirmed !== undefined
}

export type SwitchedOffBy = 'reader' | 'service' | 'people'

/** No further alert begins. True when it was on until now. */
export async function switchContactOff({ query }: Reader, id: string, by: SwitchedOffBy): Promise<boolean> {
  const switched = await query
    .updateTable('alert_channels')
    .set({ enabled: false, switched_off_by: by })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .returning('id')
    .executeTakeFirst()
  return switched !== undefined
}

/** A reader ends the alerts to the address that their link was mailed to. True when they came there until now. */
export async function endAlertsTo(
  { query }: Reader,
  { id, addressNumber }: { id: string; addressNumber: number },
): Promise<boolean> {
  const ended = await query
    .updateTable('alert_channels')
    .set({ enabled: false, switched_off_by: 'reader' })
    .where('id', '=', id)
    .where('address_number', '=', addressNumber)
    .where('enabled', '=', true)
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

export type ContactChange = { id: string; at: Date; action: string; actor: string; details?: AuditDetails }

/** Changes that the service makes by itself stand in the audit log as well. */
export async function recordContactChange(tx: Transaction, change: ContactChange): Promise<void> {
  const { id, at, action, actor, details = {} } = change
  const contact = await findLinkedContact(tx, id)
  if (contact === null) return
  await insertAuditEntry(tx, {
    workspaceId: contact.workspaceId,
    at,
    actor: { kind: 'system', id: null, name: actor },
    action,
    target: { kind: 'alert_channel', id, name: contact.name },
    details,
  })
}

/** Called before the delivery is written, so that locks are always taken contact first. */
export async function noteContactFailing({ query }: Transaction, id: string): Promise<void> {
  await query
    .updateTable('alert_channels')
    .set({ failing_since: sql<Date>`now()` })
    .where('id', '=', id)
    .where('failing_since', 'is', null)
    .execute()
}

/**
 * Something arrived there. Called before the delivery is written, so that locks are always taken contact first; most
 * calls find nothing to write.
 */
export async function noteContactWorking({ query }: Reader, id: string): Promise<void> {
  await query
    .updateTable('alert_channels')
    .set({ failing_since: null, worked_at: sql<Date>`coalesce(worked_at, now())` })
    .where('id', '=', id)
    .where((where) => where.or([where('failing_since', 'is not', null), where('worked_at', 'is', null)]))
    .execute()
}

/** Confirmed and enabled email contacts beside this one: who is told that it was switched off. */
export async function listOtherMailContacts(
  { query }: Reader,
  { workspaceId, id, limit }: { workspaceId: string; id: string; limit: number },
): Promise<string[]> {
  const rows = await query
    .selectFrom('alert_channels')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('kind', 'in', mailKindNames)
    .where('enabled', '=', true)
    .where('confirmed', '=', true)
    .where('id', '<>', id)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}
