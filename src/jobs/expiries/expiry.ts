import { createRegistrationSource } from '#kinds/domain/registration-source.ts'
import { forgetTold } from '#store/expiries/expiry-alerts.ts'
import { tellExpiries } from './expiry-alerts.ts'
import { lookUpDomains, nameDomains } from './expiry-domains.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const second = 1000
const hour = 3_600_000

/** The daily look-ups of domains, and the alerts of what is about to end. Every process does them side by side. */
export function expiryChores(parts: JobParts): Chore[] {
  const { database, carriers, log, now } = parts
  const source = createRegistrationSource(carriers.net)
  return [
    {
      name: 'look_up_domains',
      everyMs: 20 * second,
      run: async (signal) => {
        await nameDomains(parts, signal)
        await lookUpDomains(parts, source, signal)
      },
    },
    {
      name: 'tell_expiries',
      everyMs: 10 * second,
      run: async () => {
        const number = await tellExpiries(parts)
        if (number > 0) log.info('Expiry alerts were queued.', { number })
      },
    },
    { name: 'forget_told_expiries', everyMs: hour, run: async () => void (await forgetTold(database, now())) },
  ]
}
