import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'
import { refuseEarlierReleases, sealContacts, sealMonitors } from '#store/installation/sealing.ts'

const minute = 60_000
/** One of them may have 700 kB to seal. */
const atOnce = 50
const stepsAtOnce = 1000

/** Any number of processes may do it at once, and each step may be its last. */
export function sealingChores(parts: JobParts): Chore[] {
  return [{ name: 'seal_secrets', everyMs: minute, run: (signal) => sealAll(parts, signal) }]
}

/** Seals what an earlier release left in the clear, once no process of it is expected to run any more. */
export async function sealAll(
  { database, secrets, log }: Pick<JobParts, 'database' | 'secrets' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  if (!secrets.sealsAll()) return
  await refuseEarlierReleases(database)
  const monitors = await drain(() => sealMonitors(database, secrets, atOnce), signal)
  const contacts = await drain(() => sealContacts(database, secrets, atOnce), signal)
  if (monitors + contacts > 0) log.info('Unencrypted secrets were encrypted.', { monitors, contacts })
}

async function drain(step: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let number = 0
  for (let steps = 0; steps < stepsAtOnce && !signal.aborted; steps += 1) {
    const done = await step()
    number += done
    if (done === 0) break
  }
  return number
}
