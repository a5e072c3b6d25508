import { forgetOverrides } from '#store/contacts/on-call-overrides.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const hour = 3_600_000

/** Forgets overrides of on-call schedules that ended long ago. Any number of processes may do it at once. */
export function onCallChores({ database, now }: Pick<JobParts, 'database' | 'now'>): Chore[] {
  return [
    {
      name: 'forget_overrides',
      everyMs: hour,
      run: async (signal) => {
        while (!signal.aborted) if ((await forgetOverrides(database, now())) === 0) return
      },
    },
  ]
}
