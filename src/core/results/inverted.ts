import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { Verdict } from './result.ts'

/**
 * The last word on a check: of an inverted monitor, a failure is what is wanted. It comes after everything that makes
 * sure of a failure, because one for which this machine is to blame says nothing of the target either way.
 */
export function concluded(verdict: Verdict, { options }: Pick<CheckConfiguration, 'options'>): Verdict {
  if (options['inverted'] !== true) return verdict
  const { status, error, details } = verdict
  if (status === 'down') return { ...verdict, status: 'up', error: null, details: { ...details, inverted: error } }
  const told = { ...details, failed_assertion: 'inverted' }
  return { ...verdict, status: 'down', error: 'The check succeeded, and the monitor is inverted', details: told }
}
