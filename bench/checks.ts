import { measureStoredChecks } from './support/stored-checks.ts'
import { whole } from './support/figures.ts'

const measureMs = 30_000
const referenceChecks = 6_000

/** CPU of a durably stored http check over a fresh connection, calm and busy; the whole process tree counts. */
export async function checks(): Promise<void> {
  const calm = await measureStoredChecks({ checksPerSecond: 300, isTls: false, measureMs, referenceChecks })
  const busy = await measureStoredChecks({ checksPerSecond: 3_000, isTls: false, measureMs, referenceChecks })
  console.log(
    `checks: ${busy.cpuMs.toFixed(3)} ms CPU a stored check at ${whole(busy.storedPerSecond)}/s, goal 0.35 ms at 3,000/s; ` +
      `${calm.cpuMs.toFixed(3)} ms at ${whole(calm.storedPerSecond)}/s, goal 0.45 ms at 300/s`,
  )
}
