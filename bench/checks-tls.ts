import { measureStoredChecks } from './support/stored-checks.ts'
import { whole } from './support/figures.ts'

/** The same over https, with a full handshake each: stands beside `checks`. */
export async function checksOverTls(): Promise<void> {
  const cost = await measureStoredChecks({
    checksPerSecond: 200,
    isTls: true,
    measureMs: 30_000,
    referenceChecks: 2_000,
  })
  console.log(
    `checks-tls: ${cost.cpuMs.toFixed(3)} ms CPU a stored https check at ${whole(cost.storedPerSecond)}/s, ` +
      'goal none (node:https alone took 1.6 to 1.9 ms)',
  )
}
