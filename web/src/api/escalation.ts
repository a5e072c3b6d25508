import type { PolicyInput, PolicyRecord } from '#core/contacts/escalation.ts'
import { api } from './console.ts'

export type { PolicyRecord }
/** What a form says of a policy; the service refuses what is wrong in it. */
export type PolicyContent = Omit<PolicyInput, 'steps' | 'repeats'> & {
  steps: readonly { after_minutes: number | string; contact_ids: readonly string[]; schedule_ids: readonly string[] }[]
  repeats: number | string
}

/** Requests about the escalation policies of a workspace. */
export type EscalationApi = {
  /** The oldest first. */
  list: () => Promise<PolicyRecord[]>
  add: (policy: PolicyContent) => Promise<PolicyRecord>
  change: (id: string, policy: PolicyContent) => Promise<PolicyRecord>
  remove: (id: string) => Promise<void>
}

export function escalationApi(workspaceId: string): EscalationApi {
  const { list, post, patch, remove } = api(workspaceId)
  const root = '/escalation-policies'
  return {
    list: () => list(root),
    add: (policy) => post(root, policy),
    change: (id, policy) => patch(`${root}/${id}`, policy),
    remove: (id) => remove(`${root}/${id}`),
  }
}
