import { sharesTag } from '#store/tags.ts'

/**
 * SQL: the escalation policy of `monitor`, a row or none: the one that it names, else the oldest that shares a tag with
 * it, else the default.
 */
export const policyOfMonitor = `(
  select policy.id, policy.name, policy.steps
  from escalation_policies as policy
  where policy.workspace_id = monitor.workspace_id
    and case
      when monitor.escalation_policy_id is not null then policy.id = monitor.escalation_policy_id
      else policy.is_default or ${sharesTag('policy.tags', 'monitor.tags')}
    end
  order by not ${sharesTag('policy.tags', 'monitor.tags')}, policy.created_at, policy.id
  limit 1
)`
