// The steps of a policy, taken one after the other while an objective has an alarm that no person has acknowledged.
import type { SloAlert } from '#core/contacts/alerting.ts'
import { type EscalationPlace, type PolicyRecord, untoldReason } from '#core/contacts/escalation.ts'
import { findPolicy } from '#store/contacts/escalation-policies.ts'
import { readLastResort } from '#store/contacts/last-resort.ts'
import { readStep } from '#store/contacts/step-contacts.ts'
import { walkSteps } from '#store/contacts/step-walk.ts'
import type { Transaction } from '#store/database/database.ts'
import { tellAlarm } from './slo-alarms.ts'
import type { AlarmEscalation, StoredSlo } from './slos.ts'

/** An alarm with the policy with which it began, and what its steps tell. */
export type SloStep = { slo: StoredSlo; alert: SloAlert; escalation: AlarmEscalation; at: Date }

/** The policy with which an alarm of the objective begins; null where it names none. */
export async function policyOfSlo(tx: Transaction, slo: StoredSlo): Promise<PolicyRecord | null> {
  const { workspaceId, escalation_policy_id: id } = slo
  return id === null ? null : findPolicy(tx, { workspaceId, id })
}

/**
 * Takes the step that waits, and those that follow it at once, if it is due or its policy was deleted. False where it is
 * not due, or another process took it.
 */
export async function takeSloStep(tx: Transaction, step: SloStep): Promise<boolean> {
  const { slo, escalation, at } = step
  const claimed = await tx.client.query({
    name: 'claim_slo_step',
    text: claimStatement,
    values: [slo.id, slo.alarm?.id ?? step.alert.data.episode.id, escalation.step, escalation.turn, at],
  })
  if (claimed.rowCount !== 1) return false
  const policy = await findPolicy(tx, { workspaceId: slo.workspaceId, id: escalation.policyId })
  const next =
    policy === null ? null : await walkSteps(policy, escalation, (place) => tell(tx, step, { policy, place }))
  if (next === null) await tellAllIfNone(tx, step)
  else
    await tx.client.query({
      name: 'put_slo_step_off',
      text: `update slos
      set alarm_step = $2, alarm_turn = $3, alarm_step_at = $4::timestamptz + $5 * interval '1 minute'
      where id = $1`,
      values: [slo.id, next.step, next.turn, at, next.minutes],
    })
  return true
}

type Place = { policy: PolicyRecord; place: EscalationPlace }

/** Whether anybody was told. A contact that fails is tried all the same. */
async function tell(tx: Transaction, { slo, alert, at }: SloStep, { policy, place }: Place): Promise<boolean> {
  const of = { workspace_id: slo.workspaceId, now: at, steps: policy.steps }
  const { candidates } = await readStep(tx, of, place.step)
  const outcomes = candidates.map((candidate) => ({
    id: candidate.id,
    reason: untoldReason(candidate, { monitor: null, at, event: 'slo' }),
  }))
  const contactIds = outcomes.flatMap(({ id, reason }) => (reason === null || reason === 'failing' ? [id] : []))
  if (contactIds.length > 0) await tellAlarm(tx, { slo, alert, at, told: { who: 'only', contactIds } })
  return outcomes.some(({ reason }) => reason === null)
}

/** The last resort, after the last step and where the policy was deleted before it told anybody. */
async function tellAllIfNone(tx: Transaction, { slo, alert, at }: SloStep): Promise<void> {
  const { workspaceId } = slo
  const contactIds = await readLastResort(tx, { workspaceId, occasion: 'episode_id', id: alert.data.episode.id })
  if (contactIds.length > 0) await tellAlarm(tx, { slo, alert, at, told: { who: 'only', contactIds } })
}

const claimStatement = `
update slos
set alarm_step_at = null
where id = $1
  and alarm_id = $2
  and alerts
  and alarm_step = $3
  and alarm_turn = $4
  and (
    alarm_step_at <= $5
    or alarm_step_at is not null
    and not exists (select from escalation_policies as policy where policy.id = slos.alarm_policy_id)
  )`
