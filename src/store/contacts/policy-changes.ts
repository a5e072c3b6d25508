// Outages that run while their monitors get another escalation policy.
import { policyChangeMessage } from '#core/contacts/escalation.ts'
import type { Transaction } from '#store/database/database.ts'
import { policyOfMonitor } from './monitor-policy.ts'

/** More outages than people read the timelines of. */
const most = 1000

/** Of one monitor, or of all of a workspace. */
type Scope = { monitorId: string } | { workspaceId: string }

/**
 * Makes a change by which monitors may get another escalation policy, and writes on the timelines of their outages what
 * that means for them. Outages that a person has acknowledged take no steps, so they say nothing.
 */
export async function tellPolicyChange<T>(tx: Transaction, scope: Scope, change: () => Promise<T>): Promise<T> {
  const before = await readOutages(tx, scope)
  const result = await change()
  if (before.length > 0) await tellOutages(tx, before, await readOutages(tx, scope))
  return result
}

/** `own` is the policy whose steps the outage takes. */
type Outage = {
  id: string
  policy_id: string | null
  policy_name: string | null
  own_id: string | null
  own_name: string | null
  is_withheld: boolean
}

async function readOutages({ client }: Transaction, scope: Scope): Promise<Outage[]> {
  const { rows } =
    'monitorId' in scope
      ? await client.query<Outage>({
          name: 'outages_of_monitor',
          text: outagesOf('incident.monitor_id = $1'),
          values: [scope.monitorId],
        })
      : await client.query<Outage>({
          name: 'outages_of_workspace',
          text: outagesOf('incident.workspace_id = $1'),
          values: [scope.workspaceId],
        })
  return rows
}

async function tellOutages(
  { client }: Transaction,
  before: readonly Outage[],
  after: readonly Outage[],
): Promise<void> {
  const earlier = new Map(before.map(({ id, policy_id: policyId }) => [id, policyId]))
  const changed = after.filter(({ id, policy_id: policyId }) => earlier.has(id) && earlier.get(id) !== policyId)
  if (changed.length === 0) return
  await client.query({
    name: 'tell_policy_change',
    text: `insert into incident_events (id, incident_id, type, at, message, details)
    select gen_random_uuid(), incident_id, 'policy_changed', now(), message, details
    from unnest($1::uuid[], $2::text[], $3::jsonb[]) as told (incident_id, message, details)`,
    values: [
      changed.map(({ id }) => id),
      changed.map((outage) =>
        policyChangeMessage({
          name: outage.policy_name,
          own: outage.own_name,
          isOwn: outage.policy_id === outage.own_id,
          isWithheld: outage.is_withheld,
        }),
      ),
      changed.map(({ id, policy_id: policyId }) =>
        JSON.stringify({ policy_id: policyId, previous_policy_id: earlier.get(id) ?? null }),
      ),
    ],
  })
}

function outagesOf(scope: string): string {
  return `select
    incident.id, policy.id as policy_id, policy.name as policy_name, own.id as own_id, own.name as own_name,
    exists (select from withheld_alerts as withheld where withheld.incident_id = incident.id) as is_withheld
  from incidents as incident
  join monitors as monitor on monitor.id = incident.monitor_id
  left join lateral ${policyOfMonitor} as policy on true
  left join alert_steps as step on step.incident_id = incident.id and step.type = 'escalation'
  left join escalation_policies as own on own.id = step.policy_id
  where ${scope}
    and incident.status = 'open'
  order by incident.started_at desc, incident.id
  limit ${most}`
}
