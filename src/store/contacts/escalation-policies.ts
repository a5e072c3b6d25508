import { sql } from 'kysely'
import { maxPolicies, type PolicyChange, type PolicyInput, type PolicyRecord } from '#core/contacts/escalation.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import { takeSteps } from './escalations.ts'
import { tellPolicyChange } from './policy-changes.ts'

/** Outages that are told in the transaction of a deletion; the look for due steps finds the others. */
const endedAtOnce = 100

type OfWorkspace = { workspaceId: string; id: string }

/** The oldest first. */
export async function listPolicies({ query }: Reader, workspaceId: string): Promise<PolicyRecord[]> {
  return query
    .selectFrom('escalation_policies')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxPolicies)
    .$castTo<PolicyRecord>()
    .execute()
}

export async function findPolicy({ query }: Reader, { workspaceId, id }: OfWorkspace): Promise<PolicyRecord | null> {
  const row = await query
    .selectFrom('escalation_policies')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .$castTo<PolicyRecord>()
    .executeTakeFirst()
  return row ?? null
}

/** Whether the workspace has it; it stays until the transaction ends. */
export async function holdPolicy({ query }: Transaction, { workspaceId, id }: OfWorkspace): Promise<boolean> {
  const row = await query
    .selectFrom('escalation_policies')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

export type NewPolicy = PolicyInput & OfWorkspace

/** False, and nothing written, when the workspace has all it may have. */
export async function insertPolicy(tx: Transaction, policy: NewPolicy): Promise<boolean> {
  const { id, workspaceId, steps, name, repeats, tags, is_default: isDefault } = policy
  await holdPolicies(tx, workspaceId)
  const { count } = await tx.query
    .selectFrom('escalation_policies')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxPolicies) return false
  await tellPolicyChange(tx, { workspaceId }, async () => {
    if (isDefault) await clearDefault(tx, workspaceId)
    await tx.query
      .insertInto('escalation_policies')
      .values({
        id,
        workspace_id: workspaceId,
        name,
        steps: JSON.stringify(steps),
        repeats,
        is_default: isDefault,
        tags,
        // Not the transaction's start: creates that waited for their turn come after the one they waited for.
        created_at: sql<Date>`clock_timestamp()`,
      })
      .execute()
  })
  return true
}

/** What is left out stays. False where there is no such policy. */
export async function updatePolicy(tx: Transaction, of: OfWorkspace, change: PolicyChange): Promise<boolean> {
  const { workspaceId, id } = of
  const { steps, ...rest } = change
  await holdPolicies(tx, workspaceId)
  return tellPolicyChange(tx, { workspaceId }, async () => {
    if (change.is_default === true) await clearDefault(tx, workspaceId)
    const updated = await tx.query
      .updateTable('escalation_policies')
      .set({ ...rest, ...(steps === undefined ? {} : { steps: JSON.stringify(steps) }) })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst()
    return updated.numUpdatedRows === 1n
  })
}

/**
 * Monitors that name it have the default policy from then on, if there is one. Outages that it was telling say so; where
 * no contact was told yet, all of the workspace are. False where there is no such policy.
 */
export async function deletePolicy(tx: Transaction, of: OfWorkspace): Promise<boolean> {
  const ended = await endWaitingSteps(tx, of)
  const deleted = await tx.query
    .deleteFrom('escalation_policies')
    .where('workspace_id', '=', of.workspaceId)
    .where('id', '=', of.id)
    .executeTakeFirst()
  if (ended.length > 0) await takeSteps(tx, { limit: endedAtOnce, ids: ended })
  return deleted.numDeletedRows === 1n
}

/**
 * Puts the name of the policy into its steps that wait, which lose the policy with its deletion, and has them due. The
 * policy is locked first: an outage that begins meanwhile has its step already, or no such policy.
 */
async function endWaitingSteps({ query }: Transaction, { workspaceId, id }: OfWorkspace): Promise<string[]> {
  const policy = await query
    .selectFrom('escalation_policies')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (policy === undefined) return []
  const ended = await query
    .updateTable('alert_steps')
    .set({ ended_policy: policy.name, due_at: sql<Date>`now()` })
    .where('policy_id', '=', id)
    .returning('id')
    .execute()
  return ended.map((step) => step.id)
}

/** Changes of the policies of one workspace take turns: one default is left, and no more than there may be. */
async function holdPolicies({ query }: Transaction, workspaceId: string): Promise<void> {
  await query
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

async function clearDefault({ query }: Transaction, workspaceId: string): Promise<void> {
  await query
    .updateTable('escalation_policies')
    .set({ is_default: false })
    .where('workspace_id', '=', workspaceId)
    .where('is_default', '=', true)
    .execute()
}

const columns = ['id', 'name', 'steps', 'repeats', 'is_default', 'tags'] as const
