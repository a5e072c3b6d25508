import type { CurrentStatus, MonitorRecord } from './monitor.ts'
import { noPhases, type ResultStatus, type Verdict } from '#core/results/result.ts'

export const groupPolicies = ['all', 'any'] as const
export type GroupPolicy = (typeof groupPolicies)[number]

type Naming = Pick<MonitorRecord, 'id' | 'kind' | 'check_options' | 'depends_on'>

/**
 * All monitors of a workspace, which show only members and parents that are among them: a deleted one stays in the lists
 * of others, since a delete locks no other monitors.
 */
export function withPresentOthers<Monitor extends Naming>(monitors: Monitor[]): Monitor[] {
  if (!monitors.some(namesOthers)) return monitors
  const present = new Set<unknown>(monitors.map(({ id }) => id))
  return monitors.map((monitor) => {
    if (!namesOthers(monitor)) return monitor
    const parents = monitor.depends_on.filter((id) => present.has(id))
    if (monitor.kind !== 'group') return { ...monitor, depends_on: parents }
    const { member_ids: listed } = monitor.check_options
    const members = Array.isArray(listed) ? listed.filter((id) => present.has(id)) : []
    return { ...monitor, depends_on: parents, check_options: { ...monitor.check_options, member_ids: members } }
  })
}

function namesOthers({ kind, depends_on: parents }: Naming): boolean {
  return kind === 'group' || parents.length > 0
}

/**
 * Number of members in each status. Paused members are not in here, and pending ones do not count towards the verdict.
 */
export type MemberCounts = { up: number; down: number; degraded: number; pending: number }

export function countMembers(statuses: readonly CurrentStatus[]): MemberCounts {
  const counts = { up: 0, down: 0, degraded: 0, pending: 0 }
  for (const status of statuses) counts[status] += 1
  return counts
}

/**
 * Null when no member counts: the group then has no data, since `down` would alert for a group that was just made
 * (docs/decisions/targets-and-kinds.md, "Groups").
 */
export function groupVerdict(counts: MemberCounts, policy: GroupPolicy): Verdict | null {
  const status = policy === 'all' ? worstOf(counts) : bestOf(counts)
  if (status === null) return null
  return {
    status,
    statusCode: null,
    latencyMs: null,
    error: errorOf(status, counts),
    phases: noPhases,
    details: { members: counts },
  }
}

function worstOf({ up, down, degraded }: MemberCounts): ResultStatus | null {
  if (down > 0) return 'down'
  if (degraded > 0) return 'degraded'
  return up > 0 ? 'up' : null
}

function bestOf({ up, down, degraded }: MemberCounts): ResultStatus | null {
  if (up > 0) return 'up'
  if (degraded > 0) return 'degraded'
  return down > 0 ? 'down' : null
}

function errorOf(status: ResultStatus, { up, down, degraded }: MemberCounts): string | null {
  const all = up + down + degraded
  if (status === 'down') return `${down} of ${all} members ${down === 1 ? 'is' : 'are'} down`
  return status === 'degraded' ? `${degraded} of ${all} members ${degraded === 1 ? 'is' : 'are'} degraded` : null
}
