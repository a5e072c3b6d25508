import { randomUUID } from 'node:crypto'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import type { Transaction } from '#store/database/database.ts'
import { addMember } from '#store/people/members.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'

export type Founding = { name: string; plan: string; owner: { id: string; name: string }; at: Date }

/** A workspace with its first owner. */
export async function foundWorkspace(tx: Transaction, { name, plan, owner, at }: Founding): Promise<string> {
  const id = randomUUID()
  await createWorkspace(tx, { id, name, plan })
  await addMember(tx, { workspaceId: id, personId: owner.id, role: 'owner', at })
  await insertAuditEntry(tx, {
    workspaceId: id,
    at,
    actor: { kind: 'person', id: owner.id, name: owner.name },
    action: 'create_workspace',
    target: { kind: 'workspace', id, name },
    details: { plan },
  })
  return id
}
