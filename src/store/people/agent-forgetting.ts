import { dayMs } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { forgetOauthClients } from './oauth-clients.ts'
import { forgetDeviceCodes } from './oauth-device.ts'

const rowsAtOnce = 1_000
/** An expired token is told so for a day, then it is unknown. */
const tokensKeptMs = dayMs
/** An expired claim token is told so (410 `claim_expired`) for as long as it had lived. */
const registrationsKeptMs = 7 * dayMs

/**
 * Removes rows that no agent can use any more: tokens long expired, remembered assertions, registrations that no person
 * claimed in time or whose last assertion has ended, and anonymous workspaces that no agent or person can enter and
 * that watch nothing, with their contacts and history, and programs that no person let in. A workspace that has paid, or that a key still opens, is kept.
 * At most 1,000 of each a call; returns how many were removed.
 */
export async function forgetAgents({ pool }: Pick<Database, 'pool'>, now: Date): Promise<number> {
  const steps: [string, Date][] = [
    [tokenStatement, new Date(now.getTime() - tokensKeptMs)],
    [seenStatement, now],
    [registrationStatement, new Date(now.getTime() - registrationsKeptMs)],
    [workspaceStatement, new Date(now.getTime() - registrationsKeptMs)],
  ]
  let forgotten = (await forgetOauthClients({ pool }, now)) + (await forgetDeviceCodes({ pool }, now))
  for (const [statement, before] of steps)
    forgotten += (await pool.query(statement, [before, rowsAtOnce])).rowCount ?? 0
  return forgotten
}

const tokenStatement = `
delete from agent_tokens
where hash in (
  select hash from agent_tokens where expires_at <= $1 order by expires_at limit $2 for update skip locked
)`

const seenStatement = `
delete from agent_seen_assertions
where (issuer, jti_hash) in (
  select issuer, jti_hash
  from agent_seen_assertions
  where expires_at <= $1
  order by expires_at
  limit $2
  for update skip locked
)`

// One that is linked to an identity needs no assertion: its provider's word brings a new one.
const registrationStatement = `
delete from agent_registrations
where id in (
  select id
  from agent_registrations as registration
  where (registration.type <> 'anonymous' or registration.claimed_at is not null)
    and greatest(registration.claim_expires_at, registration.assertion_expires_at) <= $1
    and not exists (select from agent_identities where registration_id = registration.id)
  order by registration.claim_expires_at
  limit $2
  for update skip locked
)`

// A workspace without a live token, assertion or claim token is of use to no one unless it has a record of a payment. A
// key that has ended cannot be used again.
const workspaceStatement = `
delete from workspaces
where id in (
  select workspace.id
  from agent_registrations as registration
  join workspaces as workspace on workspace.id = registration.workspace_id
  where registration.type = 'anonymous'
    and registration.claimed_at is null
    and greatest(registration.claim_expires_at, registration.assertion_expires_at) <= $1
    and not exists (select from monitors where workspace_id = workspace.id)
    and not exists (select from members where workspace_id = workspace.id)
    and not exists (select from payments where workspace_id = workspace.id)
    and not exists (select from payment_attempts where workspace_id = workspace.id and state = 'settling')
    and not exists (select from credit_transactions where workspace_id = workspace.id)
    and not exists (
      select from api_tokens
      where workspace_id = workspace.id
        and revoked_at is null
        and (expires_at is null or expires_at > $1)
    )
  order by registration.claim_expires_at
  limit $2
  for update of workspace skip locked
)`
