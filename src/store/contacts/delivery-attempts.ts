import { type Alert, type AlertMonitor, bundleType, endingTypes } from '#core/contacts/alerting.ts'
import { withMonitor } from '#core/contacts/public-alert.ts'
import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import type { DeliveryEvent } from '#core/contacts/delivery-events.ts'
import type { MessageTemplates } from '#core/contacts/message-templates.ts'
import { endMembers, gatherBundle, postponeMembers } from './bundle-members.ts'
import { signingSecretsOf } from './contacts.ts'
import { followsBundle, isBehind, isMonitorOf } from './delivery-order.ts'
import type { StoredAddress } from './sealed-addresses.ts'
import type { StoredOptions } from './sealed-options.ts'
import type { ContactRules, MonitorRules } from '#core/contacts/alert-rules.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { isInMaintenance } from '#store/maintenance/maintenance-cover.ts'

/** A delivery that this process alone attempts, until 60 seconds have passed. */
export type ClaimedDelivery = {
  id: string
  workspaceId: string
  alert: Alert
  /** The first is 1. Also the proof of the claim: a later one has a higher number. */
  attempt: number
  /** Since the alert's occasion, or since its rules let it leave. */
  ageMs: number
  rules: { contact: ContactRules | null; monitor: MonitorRules | null }
  /** Whether it was kept back by rules, and its monitor is in maintenance now. */
  isInMaintenance: boolean
  /** Whether nothing keeps it back to leave with others: it has begun their wait, or was alone in it. */
  leavesAlone: boolean
  /** Whether what it has to come after waits in a bundle that it may still join. It must not leave otherwise. */
  followsBundle: boolean
  /** Of a bundle: how many deliveries it ends. */
  members: number
  /** Of a recovery: the message of its outage, where that reached the same address and the provider gave it an id. */
  earlier: { reference: string } | null
  contact: StoredAddress &
    StoredOptions & {
      id: string
      name: string
      kind: string
      /** How often its destination was changed. */
      addressNumber: number
      /** Null where it is told in the built-in words. */
      templates: MessageTemplates | null
      /** Encrypted, the newest first; none for kinds that do not sign. */
      signingSecrets: Buffer[]
      isEnabled: boolean
      /** Since the first failure after the last success; 0 when it works. */
      failingForMs: number
    }
}

/**
 * Attempts under way to one contact at a time in all processes, one while it fails. An attempt ends within 20 seconds;
 * an older claim is a dead worker's and takes no place.
 */
export const attemptsPerContact = 16

/**
 * One conditional UPDATE. Null when there is nothing to do now: not pending, not due, claimed by another, behind a
 * delivery that has not ended, or its contact busy. Who ends an attempt nudges what waited.
 */
export async function claimDelivery(database: Database, id: string): Promise<ClaimedDelivery | null> {
  return database.transaction(async (tx) => {
    const { client } = tx
    // Claims for one contact take turns: counted at the same moment, each would find room.
    await client.query({ name: 'hold_contact_of_delivery', text: holdStatement, values: [id] })
    const values = [id, attemptsPerContact]
    const { rows } = await client.query<ClaimRow>({ name: 'claim_delivery', text: claimStatement, values })
    const [row] = rows
    if (row === undefined) return null
    const { alert, attempt, contact_id: contactId } = row
    if (alert.type !== bundleType) return claimOf(row)
    const seconds = contactTraitsOf(row.kind)?.bundleSeconds ?? 0
    const gathered = await gatherBundle(tx, { id, attempt, alert, contactId, seconds })
    return gathered === null ? null : { ...claimOf(row), ...gathered }
  })
}

function claimOf(row: ClaimRow): ClaimedDelivery {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    alert: withGuidance(row),
    leavesAlone: row.leaves_alone,
    followsBundle: row.follows_bundle,
    members: 0,
    attempt: row.attempt,
    ageMs: row.age_ms,
    rules: { contact: row.contact_rules, monitor: row.monitor_rules },
    isInMaintenance: row.in_maintenance,
    earlier: row.earlier_reference === null ? null : { reference: row.earlier_reference },
    contact: {
      id: row.contact_id,
      name: row.name,
      kind: row.kind,
      destination: row.destination,
      addressNumber: row.address_number,
      sealedDestination: row.sealed_destination,
      options: row.options,
      sealedOptions: row.secret_options,
      templates: row.templates,
      signingSecrets: signingSecretsOf(row, new Date()),
      isEnabled: row.enabled && row.confirmed,
      failingForMs: row.failing_ms,
    },
  }
}

/** Of what goes on, the owners' words about the monitor, as they are now; a bundle names too many for that. */
function withGuidance({ alert, guidance }: Pick<ClaimRow, 'alert' | 'guidance'>): Alert {
  if (alert.type === bundleType || endingTypes.includes(alert.type) || alert.data.monitor === null) return alert
  return withMonitor(alert, { ...alert.data.monitor, ...guidance })
}

export type DeliveryEnd = {
  state: 'delivered' | 'failed'
  statusCode: number | null
  error: string | null
  /** Why the built-in words were told to a contact that has others. */
  templateProblem?: string | null
  event: DeliveryEvent
  /** The provider's id of the message, where it gave one. */
  reference?: string | null | undefined
}

/**
 * Ends a delivery, and what is in it, and tells their incidents. False when the claim was lost meanwhile: then nothing is
 * written.
 */
export async function endDelivery(
  tx: Transaction,
  { id, attempt, alert, contact }: Pick<ClaimedDelivery, 'id' | 'attempt' | 'alert' | 'contact'>,
  { state, statusCode, error, event, reference = null, templateProblem = null }: DeliveryEnd,
): Promise<boolean> {
  const { addressNumber } = contact
  const ended = await tx.client.query({
    name: 'end_delivery',
    text: endStatement,
    values: [
      id,
      attempt,
      state,
      statusCode,
      error,
      event.type,
      event.message,
      event.details,
      reference,
      addressNumber,
      templateProblem,
    ],
  })
  if (ended.rows.length !== 1) return false
  if (alert.type === bundleType) await endMembers(tx, id, { state, statusCode, error, event, reference, addressNumber })
  return true
}

/** Puts the next attempt off. False when the claim was lost meanwhile. */
export async function postponeDelivery(
  tx: Transaction,
  { id, attempt, alert }: Pick<ClaimedDelivery, 'id' | 'attempt' | 'alert'>,
  { delayMs, statusCode, error }: { delayMs: number; statusCode: number | null; error: string | null },
): Promise<boolean> {
  const postponed = await tx.client.query({
    name: 'postpone_delivery',
    text: `update deliveries
    set due_at = now() + $3 * interval '1 ms', claimed_at = null, status_code = $4, error = $5
    where id = $1
      and attempt = $2
      and state = 'pending'
    returning id`,
    values: [id, attempt, delayMs, statusCode, error],
  })
  if (postponed.rows.length !== 1) return false
  if (alert.type === bundleType) await postponeMembers(tx, id)
  return true
}

/**
 * Gives a claim back as if it had never been: this process stops before the attempt came to an end. A bundle counts the
 * attempt all the same, because it may have arrived and nothing may join it any more.
 */
export async function handBackDelivery(
  { pool }: Database,
  { id, attempt }: Pick<ClaimedDelivery, 'id' | 'attempt'>,
): Promise<void> {
  await pool.query({
    name: 'hand_back_delivery',
    text: `update deliveries
    set
      attempt = case when alert ->> 'type' = '${bundleType}' then attempt else attempt - 1 end,
      claimed_at = null
    where id = $1
      and attempt = $2
      and state = 'pending'`,
    values: [id, attempt],
  })
}

type ClaimRow = {
  id: string
  workspace_id: string
  alert: Alert
  attempt: number
  age_ms: number
  leaves_alone: boolean
  follows_bundle: boolean
  contact_rules: ContactRules | null
  monitor_rules: MonitorRules | null
  /** Null where the monitor is gone; members that it has not are left out. */
  guidance: Pick<AlertMonitor, 'notes' | 'runbook_url'> | null
  in_maintenance: boolean
  earlier_reference: string | null
  contact_id: string
  name: string
  kind: string
  destination: string
  address_number: number
  sealed_destination: Buffer | null
  options: Record<string, unknown>
  secret_options: Buffer | null
  templates: MessageTemplates | null
  signing_secret: Buffer | null
  former_secret: Buffer | null
  former_secret_until: Date | null
  enabled: boolean
  confirmed: boolean
  failing_ms: number
}

const holdStatement = `
select
from alert_channels
where id = (select alert_channel_id from deliveries where id = $1)
for no key update`

const claimStatement = `
update deliveries as delivery
set claimed_at = now(), attempt = delivery.attempt + 1, awaits_parents_until = null
from alert_channels as channel
where delivery.id = $1
  and channel.id = delivery.alert_channel_id
  and delivery.state = 'pending'
  and delivery.due_at <= now()
  and delivery.bundle_id is null
  and (delivery.claimed_at is null or delivery.claimed_at < now() - interval '60 s')
  and not ${isBehind}
  and (
    select count(*)
    from deliveries as other
    where other.alert_channel_id = delivery.alert_channel_id
      and other.state = 'pending'
      and other.claimed_at >= now() - interval '20 s'
  ) < case when channel.failing_since is null then $2::integer else 1 end
returning
  delivery.id,
  delivery.workspace_id,
  delivery.alert,
  delivery.attempt,
  extract(epoch from now() - greatest(delivery.created_at, delivery.held_until))::float8 * 1000 as age_ms,
  delivery.leaves_alone,
  ${followsBundle} as follows_bundle,
  channel.alert_rules as contact_rules,
  (select m.alert_rules from monitors as m where ${isMonitorOf}) as monitor_rules,
  (
    select jsonb_strip_nulls(jsonb_build_object('notes', nullif(m.notes, ''), 'runbook_url', m.runbook_url))
    from monitors as m
    where ${isMonitorOf}
  ) as guidance,
  delivery.held_until is not null
    and delivery.alert ->> 'type' = 'monitor.down'
    and exists (select from monitors as m where ${isMonitorOf} and ${isInMaintenance('now()')}) as in_maintenance,
  (
    select earlier.reference
    from deliveries as earlier
    where earlier.id = delivery.after_id
      -- A new outage is behind the recovery before it, of which it is no answer.
      and earlier.incident_id = delivery.incident_id
      and earlier.state = 'delivered'
      and earlier.address_number = channel.address_number
  ) as earlier_reference,
  channel.id as contact_id,
  channel.name,
  channel.kind,
  channel.destination,
  channel.address_number,
  channel.sealed_destination,
  channel.options,
  channel.secret_options,
  channel.templates,
  channel.signing_secret,
  channel.former_secret,
  channel.former_secret_until,
  channel.enabled,
  channel.confirmed,
  coalesce(extract(epoch from now() - channel.failing_since), 0)::float8 * 1000 as failing_ms`

const endStatement = `
with ended as (
  update deliveries
  set state = $3, ended_at = now(), claimed_at = null, status_code = $4, error = $5, reference = $9, address_number = $10,
    template_problem = $11
  where id = $1
    and attempt = $2
    and state = 'pending'
  returning incident_id
), event as (
  insert into incident_events (id, incident_id, type, at, message, details)
  select gen_random_uuid(), incident_id, $6, now(), $7, $8::jsonb
  from ended
  where incident_id is not null
)
select 1 as ended
from ended`
