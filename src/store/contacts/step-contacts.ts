// Whom a step of a policy would tell.
import type { MonitorRules } from '#core/contacts/alert-rules.ts'
import { type Candidate, type PolicyRecord, untoldReason } from '#core/contacts/escalation.ts'
import { onCallAt } from '#core/contacts/on-call-shifts.ts'
import type { Transaction } from '#store/database/database.ts'
import { policyOfMonitor } from './monitor-policy.ts'
import { listSchedules } from './on-call-schedules.ts'
import { isNamed } from './told-contacts.ts'

type Steps = { workspace_id: string; now: Date; steps: PolicyRecord['steps'] }
/** `gaps` names the schedules that have no contact on call. */
export type StepContacts = { candidates: Candidate[]; gaps: string[] }

/** The contacts that a step names, directly or by who is on call. Those that were deleted are left out. */
export async function readStep(tx: Transaction, of: Steps, step: number): Promise<StepContacts> {
  const { contact_ids: named = [], schedule_ids: scheduleIds = [] } = of.steps[step] ?? {}
  const { onCall, gaps } = await readOnCall(tx, of, scheduleIds)
  return { candidates: await readCandidates(tx, of, [...named, ...onCall]), gaps }
}

/**
 * Contacts that a policy would tell first of a monitor, those that the monitor names among them: of the first step that
 * has one which can be told. Null where the monitor follows no policy, or no contact of it can be told.
 */
export async function readFirstTold(tx: Transaction, monitorId: string): Promise<string[] | null> {
  const { rows } = await tx.client.query<Steps & { named: string[]; rules: MonitorRules | null }>({
    name: 'policy_of_monitor',
    text: firstStatement,
    values: [monitorId],
  })
  const [of] = rows
  if (of === undefined) return null
  for (const step of of.steps.keys()) {
    const { candidates } = await readStep(tx, of, step)
    const told = candidates.filter((each) => untoldReason(each, { monitor: of.rules, at: of.now }) === null)
    if (told.length > 0) return [...of.named, ...told.map(({ id }) => id)]
  }
  return null
}

async function readOnCall(
  tx: Transaction,
  { workspace_id: workspaceId, now }: Steps,
  scheduleIds: readonly string[],
): Promise<{ onCall: string[]; gaps: string[] }> {
  if (scheduleIds.length === 0) return { onCall: [], gaps: [] }
  const schedules = await listSchedules(tx, { workspaceId })
  const found = schedules
    .filter(({ id }) => scheduleIds.includes(id))
    .map((schedule) => ({ name: schedule.name, ids: onCallAt(schedule, now) }))
  return {
    onCall: found.flatMap(({ ids }) => ids),
    gaps: found.flatMap(({ name, ids }) => (ids.length === 0 ? [name] : [])),
  }
}

/** In the order of the step. */
async function readCandidates(
  { client }: Transaction,
  { workspace_id: workspaceId }: Steps,
  contactIds: readonly string[],
): Promise<Candidate[]> {
  const { rows } = await client.query<Candidate>({
    name: 'read_candidates',
    text: `select
      id, name, kind, enabled as "isEnabled", confirmed as "isConfirmed", failing_since is not null as "isFailing",
      alert_rules as rules
    from alert_channels
    where workspace_id = $1
      and id = any($2::uuid[])
    order by array_position($2::uuid[], id)`,
    values: [workspaceId, contactIds],
  })
  return rows
}

const firstStatement = `
select
  monitor.workspace_id, monitor.alert_rules as rules, policy.steps, now() as now,
  array(
    select channel.id
    from alert_channels as channel
    where channel.workspace_id = monitor.workspace_id
      and ${isNamed}
  ) as named
from monitors as monitor
cross join lateral ${policyOfMonitor} as policy
where monitor.id = $1`
