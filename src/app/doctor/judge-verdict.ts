import { bad, type Found, good, warning } from '#core/doctor-report.ts'
import type { Verdict } from '#core/results/result.ts'

/** What a check says, as a finding. `good`: the sentence where it is up. */
export function judgeVerdict(
  subject: string,
  { status, error }: Pick<Verdict, 'status' | 'error'>,
  said: { good: string; advice: string },
): Found {
  const found = `${(error ?? said.good).replace(/\.$/, '')}.`
  switch (status) {
    case 'up':
      return good(subject, found)
    case 'degraded':
      return warning(subject, found, said.advice)
    case 'down':
      return bad(subject, found, said.advice)
  }
}
