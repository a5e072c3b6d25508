// The steps of policies, taken one after the other while an incident runs and nobody has acknowledged it.
import type { MonitorRules } from '#core/contacts/alert-rules.ts'
import {
  type Candidate,
  type EscalationPlace,
  type PolicyRecord,
  type StepOutcome,
  stepMessage,
  untoldReason,
} from '#core/contacts/escalation.ts'
import type { Transaction } from '#store/database/database.ts'
import { isInMaintenance } from '#store/maintenance/maintenance-cover.ts'
import { hasParents } from '#store/monitors/parents.ts'
import { readLastResort } from './last-resort.ts'
import { nudgeDeliveries } from './nudges.ts'
import { listReached } from './parent-waits.ts'
import { orderAlerts } from './ordered-alerts.ts'
import { readStep } from './step-contacts.ts'
import { walkSteps } from './step-walk.ts'

/** Takes the steps that are due, `limit` incidents at most, or those of these rows. Returns how many rows there were. */
export async function takeSteps(
  tx: Transaction,
  { limit, ids = null }: { limit: number; ids?: readonly string[] | null },
): Promise<number> {
  const { rows } = await tx.client.query<DueStep>({ name: 'due_steps', text: dueStatement, values: [limit, ids] })
  const ordered: string[] = []
  for (const step of rows) ordered.push(...(await takeStep(tx, step)))
  await nudgeDeliveries(tx.client, ordered)
  return rows.length
}

type DueStep = {
  id: string
  incident_id: string
  workspace_id: string
  /** Null where the policy was deleted meanwhile; it then has its name, unless an earlier release deleted it, and no steps. */
  policy_id: string | null
  policy_name: string | null
  steps: PolicyRecord['steps']
  repeats: number
  step: number
  turn: number
  monitor_rules: MonitorRules | null
  is_running: boolean
  in_maintenance: boolean
  has_parents: boolean
  /** The last round of the monitor was good, so that it may be about to be up. */
  is_recovering: boolean
  now: Date
}

/** This step and those that follow at once. Returns the deliveries that were written. */
async function takeStep(tx: Transaction, due: DueStep): Promise<string[]> {
  if (!due.is_running) {
    await removeStep(tx, due)
    return []
  }
  if (due.in_maintenance) {
    await putOff(tx, due, { ...due, minutes: 1 })
    return []
  }
  if (due.policy_id === null) return endSteps(tx, due)
  if (due.has_parents && (await isForParents(tx, due))) {
    await putOff(tx, due, { ...due, minutes: 1 })
    return []
  }
  const ordered: string[] = []
  const next = await walkSteps(due, due, async (place) => {
    const { isTold, ids } = await tell(tx, due, place)
    ordered.push(...ids)
    return isTold
  })
  if (next !== null) {
    await putOff(tx, due, next)
    return ordered
  }
  const others = await tellAllIfNone(tx, due, `No contact of ${nameOf(due)} could be alerted`)
  await removeStep(tx, due)
  return [...ordered, ...others]
}

/**
 * Whether a step waits as in a maintenance: all whom it would tell were told of an outage of a parent, or the monitor is
 * coming back.
 */
async function isForParents(tx: Transaction, due: DueStep): Promise<boolean> {
  if (due.is_recovering) return true
  const { candidates } = await readStep(tx, due, due.step)
  const able = candidates.filter(
    (candidate) => untoldReason(candidate, { monitor: due.monitor_rules, at: due.now }) === null,
  )
  const contactIds = able.map(({ id }) => id)
  const reached = await listReached(tx, { incidentId: due.incident_id, contactIds })
  return reached.length > 0 && reached.length === contactIds.length
}

async function tell(
  tx: Transaction,
  due: DueStep,
  place: EscalationPlace,
): Promise<{ isTold: boolean; ids: string[] }> {
  const { candidates, gaps } = await readStep(tx, due, place.step)
  const outcomes = candidates.map((candidate) => ({
    candidate,
    reason: untoldReason(candidate, { monitor: due.monitor_rules, at: due.now }),
  }))
  const contactIds = outcomes
    .filter(({ reason }) => reason === null || reason === 'failing')
    .map(({ candidate }) => candidate.id)
  const ids = await orderAlerts(tx, { stepId: due.id, contactIds })
  const message = stepMessage(due.policy_name ?? '', place, { outcomes, gaps })
  await tellIncident(tx, due, { message, details: detailsOf(due, { place, outcomes }) })
  return { isTold: outcomes.some(({ reason }) => reason === null), ids }
}

/** The policy was deleted while the outage runs: whom it did not tell before, it tells no more. */
async function endSteps(tx: Transaction, due: DueStep): Promise<string[]> {
  const others = await tellAllIfNone(tx, due, `${nameOf(due)} was deleted before any contact was told`)
  if (others.length === 0)
    await tellIncident(tx, due, {
      message: `${nameOf(due)} was deleted, so its remaining steps were skipped.`,
      details: { policy_id: null },
    })
  await removeStep(tx, due)
  return others
}

function nameOf({ policy_name: name }: DueStep): string {
  return name === null ? 'The escalation policy' : `“${name}”`
}

/** The last resort: an outage of which no contact of the policy was told is told to all of the workspace. */
async function tellAllIfNone(tx: Transaction, due: DueStep, reason: string): Promise<string[]> {
  const { workspace_id: workspaceId, incident_id: id } = due
  const contactIds = await readLastResort(tx, { workspaceId, occasion: 'incident_id', id })
  if (contactIds.length === 0) return []
  const ids = await orderAlerts(tx, { stepId: due.id, contactIds })
  const message = `${reason}, so all contacts of the workspace are alerted.`
  await tellIncident(tx, due, { message, details: { policy_id: due.policy_id, alert_channel_ids: contactIds } })
  return ids
}

function detailsOf(
  { policy_id: policyId }: DueStep,
  { place, outcomes }: { place: EscalationPlace; outcomes: readonly (StepOutcome & { candidate: Candidate })[] },
): Record<string, unknown> {
  return {
    policy_id: policyId,
    step: place.step + 1,
    turn: place.turn + 1,
    alert_channel_ids: outcomes.flatMap(({ candidate, reason }) => (reason === null ? [candidate.id] : [])),
  }
}

async function tellIncident(
  { client }: Transaction,
  { incident_id: incidentId }: DueStep,
  { message, details }: { message: string; details: Record<string, unknown> },
): Promise<void> {
  await client.query({
    name: 'tell_escalation',
    text: `insert into incident_events (id, incident_id, type, at, message, details)
    values (gen_random_uuid(), $1, 'escalated', now(), $2, $3::jsonb)`,
    values: [incidentId, message, JSON.stringify(details)],
  })
}

async function removeStep({ client }: Transaction, { id }: Pick<DueStep, 'id'>): Promise<void> {
  await client.query({ name: 'remove_step', text: 'delete from alert_steps where id = $1', values: [id] })
}

async function putOff(
  { client }: Transaction,
  { id }: Pick<DueStep, 'id'>,
  { step, turn, minutes }: EscalationPlace & { minutes: number },
): Promise<void> {
  await client.query({
    name: 'put_step_off',
    text: `update alert_steps
    set step = $2, turn = $3, due_at = now() + $4 * interval '1 minute', awaits_parents_until = null
    where id = $1`,
    values: [id, step, turn, minutes],
  })
}

// An incident that is ending or being acknowledged at this moment is locked, and left out until that is done.
const dueStatement = `
select
  due.id, due.incident_id, incident.workspace_id, due.policy_id, coalesce(policy.name, due.ended_policy) as policy_name,
  coalesce(policy.steps, '[]') as steps, coalesce(policy.repeats, 0) as repeats,
  due.step, due.turn, m.alert_rules as monitor_rules, incident.status = 'open' as is_running,
  ${isInMaintenance('now()')} as in_maintenance, ${hasParents('m')} as has_parents,
  exists (
    select
    from monitor_state as state
    where state.monitor_key = m.key
      and state.consecutive_failures = 0
  ) as is_recovering,
  now() as now
from alert_steps as due
join incidents as incident on incident.id = due.incident_id
join monitors as m on m.id = incident.monitor_id
left join escalation_policies as policy on policy.id = due.policy_id
where due.due_at <= now()
  and due.type = 'escalation'
  and ($2::uuid[] is null or due.id = any($2::uuid[]))
order by due.due_at, due.id
limit $1
for no key update of due, incident skip locked`
