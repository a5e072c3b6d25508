import { bad, type Finding, type Found } from '#core/doctor-report.ts'
import type { DoctorCheck, DoctorContext } from './doctor-check.ts'

export type CheckTimes = {
  /** For each check. */
  deadlineMs?: number
  /** For all of them. */
  totalMs?: number
}

const usualDeadlineMs = 10_000
const usualTotalMs = 30_000

/** Runs all checks side by side. One that throws or is late is a finding, and the others go on. */
export async function runChecks(
  checks: readonly DoctorCheck[],
  context: DoctorContext,
  { deadlineMs = usualDeadlineMs, totalMs = usualTotalMs }: CheckTimes = {},
): Promise<Finding[]> {
  const timeMs = Math.min(deadlineMs, totalMs)
  const found = await Promise.all(checks.map((check) => runCheck(check, context, timeMs)))
  return found.flat()
}

async function runCheck(check: DoctorCheck, context: DoctorContext, timeMs: number): Promise<Finding[]> {
  const deadline = new AbortController()
  const { promise: late, resolve } = Promise.withResolvers<Found[]>()
  const timer = setTimeout(() => {
    deadline.abort()
    resolve([tooLate(timeMs)])
  }, timeMs)
  const looking = Promise.resolve()
    .then(() => check.look(context, deadline.signal))
    .catch((error: unknown) => [failed(error)])
  try {
    const found = await Promise.race([looking, late])
    return found.map((each) => named(check.name, each))
  } finally {
    clearTimeout(timer)
  }
}

function tooLate(timeMs: number): Found {
  return bad(
    'the check itself',
    `It was not done within ${timeMs / 1000} s.`,
    'What is asked here does not answer. See whether it runs, and whether a firewall drops what is sent to it.',
  )
}

function failed(error: unknown): Found {
  const why = error instanceof Error ? error.message || error.name : String(error)
  return bad('the check itself', `It failed: ${why}`, 'The other findings may say why.')
}

/** Addresses in what others say may hold a password, and so may those that variables hold. */
function named(check: string, { subject, verdict, found, advice }: Found): Finding {
  return {
    check,
    subject,
    verdict,
    found: withoutPasswords(found),
    advice: advice === null ? null : withoutPasswords(advice),
  }
}

function withoutPasswords(text: string): string {
  return text.replaceAll(/\/\/[^/@\s]*@/g, '//…@')
}
