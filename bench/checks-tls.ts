import { measureStoredChecks } from './support/stored-checks.ts'
import { whole } from './support/figures.ts'

/** The same over https: with a full handshake each, and with resumed sessions. Stands beside `checks`. */
export async function checksOverTls(): Promise<void> {
  const wishes = { checksPerSecond: 200, isTls: true, measureMs: 30_000, referenceChecks: 2_000 }
  const full = await measureStoredChecks(wishes)
  // Each monitor makes its one full handshake before it is measured.
  const resumed = await measureStoredChecks({ ...wishes, isResumed: true })
  console.log(
    `checks-tls: ${full.cpuMs.toFixed(3)} ms CPU a stored https check at ${whole(full.storedPerSecond)}/s, ` +
      `goal 1.25 of bare TLS; ${resumed.cpuMs.toFixed(3)} ms with resumed sessions, goal 0.7`,
  )
}
