import type { AuditDetails, AuditSubject } from '#core/audit.ts'
import type { Plan } from '#core/money/plan.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { type PlanEffect, changePlan } from '#store/money/plan-change.ts'
import { createSetUpToken, setUpHours } from '#store/people/set-up-links.ts'
import type { Workspace } from '#store/workspaces/workspaces.ts'

/** Puts a workspace on a plan, with all that follows for its monitors. Returns what to tell the operator. */
export async function putOnPlan(
  database: Database,
  { workspace, plan, rules }: { workspace: Workspace; plan: string; rules: Plan },
  at: Date,
): Promise<string> {
  const effect = await database.transaction(async (tx) => {
    const made = await changePlan(tx, { workspaceId: workspace.id, plan, rules, at })
    await noteOrder(tx, workspace, { at, action: 'change_plan', details: { from: workspace.plan, plan, ...made } })
    return made
  })
  const lines = [`The workspace ${JSON.stringify(workspace.name)} is on the plan ${plan}.`, ...consequences(effect)]
  return `${lines.join('\n')}\n`
}

/** The token of a link that makes the person who opens it an owner; earlier links of the workspace end. */
export function makeSetUpToken(database: Database, workspace: Workspace, at: Date): Promise<string> {
  return database.transaction(async (tx) => {
    await noteOrder(tx, workspace, { at, action: 'create_set_up_link', details: { hours: setUpHours } })
    return createSetUpToken(tx, { workspaceId: workspace.id, now: at })
  })
}

type Order = { at: Date; action: string; details: AuditDetails; target?: Target }
type Target = { kind: AuditSubject; id: string; name: string | null }

/** Puts an order of the operator's into the workspace's audit log. */
export async function noteOrder(
  tx: Transaction,
  { id, name }: Pick<Workspace, 'id' | 'name'>,
  order: Order,
): Promise<void> {
  const actor = { kind: 'operator', id: null, name: 'perigee' } as const
  const target = { kind: 'workspace', id, name } as const
  await insertAuditEntry(tx, { workspaceId: id, actor, target, ...order })
}

function consequences({ raised, paused, resumed, silenced }: PlanEffect): string[] {
  const told: [number, string][] = [
    [raised, 'checked less often, as the plan allows'],
    [paused, 'paused, because the plan has no slot for them'],
    [resumed, 'resumed'],
    [silenced, 'without vulnerability alerts, which the plan does not include'],
  ]
  return told.filter(([count]) => count > 0).map(([count, what]) => `Monitors ${what}: ${count}.`)
}
