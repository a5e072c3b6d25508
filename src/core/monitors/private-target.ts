import { canonicalJson } from '#core/language/canonical-json.ts'
import type { MonitorInput, MonitorSettings } from './monitor.ts'

/**
 * How the permission of a monitor to reach private addresses is decided: an owner who is signed in gives it, and it ends
 * where anybody else sets another target (docs/decisions/targets-and-kinds.md, "Private addresses").
 */
export type PrivateTargetRule = {
  current: MonitorSettings | null
  /** Whether the caller is an owner in person, of an installation that leaves it to its owner. */
  mayAllow: boolean
}

export function decidePrivateTarget(
  input: MonitorInput,
  rule: PrivateTargetRule,
): { isAllowed: boolean; problem: string | null } {
  const wasAllowed = rule.current?.allow_private_target ?? false
  const isKept = wasAllowed && (rule.mayAllow || !isAnotherTarget(input, rule))
  const { allow_private_target: wanted } = input
  if (wanted === true && !rule.mayAllow && !isKept) return { isAllowed: false, problem: refusal }
  return { isAllowed: wanted ?? isKept, problem: null }
}

const refusal =
  'Can only be true where an owner sets it in the console, in an installation that leaves it to its owner.'

/** Steps have addresses of their own, beside the monitor's. */
function isAnotherTarget(input: MonitorInput, { current }: PrivateTargetRule): boolean {
  if (current === null) return true
  const { kind = current.kind, url = current.url, check_options: options = current.check_options } = input
  if (kind !== current.kind || (url !== null && url !== current.url)) return true
  return canonicalJson(options['steps'] ?? []) !== canonicalJson(current.check_options['steps'] ?? [])
}
