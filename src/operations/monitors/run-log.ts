// What a job printed, on its way to the evidence of a failure (docs/evidence.md, "Logs of jobs").
import { joinLogs, logExcerpt } from '#core/monitors/call-log.ts'
import type { CallReading } from '#core/monitors/imported-calls.ts'
import type { CallStore } from '#store/call-store.ts'
import type { CallTarget } from '#store/monitors/call-targets.ts'
import type { PatienceClock } from './patience.ts'

export type LogParts = {
  store: Pick<CallStore, 'readKnownSecrets' | 'readRunLog' | 'addToRunLog'>
  clock: PatienceClock
}

/** What a call sent, to whom, and by which address. */
export type SentLog = { target: CallTarget; reading: CallReading | undefined; body: string }

/** Keeps what a run printed until it ends. */
export async function keepRunLog({ store }: Pick<LogParts, 'store'>, sent: SentLog): Promise<void> {
  const log = await excerptOf(store, sent)
  if (log !== null) await store.addToRunLog({ monitorKey: sent.target.monitorKey, log })
}

/** Within this time it is found, or not kept: no failure may be lost for its log. */
const findMs = 500

/** What a run that failed has printed, with what it sent before; null where there is none, or it cannot be found. */
export async function findRunLog({ store, clock }: LogParts, sent: SentLog): Promise<string | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const cancel = clock.after(findMs, () => resolve(null))
  try {
    return await Promise.race([wholeLog(store, sent), late])
  } catch {
    return null
  } finally {
    cancel()
  }
}

async function wholeLog(store: LogParts['store'], sent: SentLog): Promise<string | null> {
  const { hasLog, monitorKey } = sent.target
  const [before, log] = await Promise.all([hasLog ? store.readRunLog(monitorKey) : null, excerptOf(store, sent)])
  return log === null ? before : joinLogs(before, log)
}

/** A job may print anything that its workspace keeps here, and the address that it calls. */
async function excerptOf(store: LogParts['store'], { target, reading, body }: SentLog): Promise<string | null> {
  if (body.trim() === '') return null
  const known = await store.readKnownSecrets(target.workspaceId)
  return logExcerpt(body, [...secretsOf(reading?.address), ...known])
}

function secretsOf(address: CallReading['address'] | undefined): string[] {
  if (address === undefined) return []
  return address.type === 'own'
    ? [address.token]
    : address.path.split('/').filter((part) => part.length >= shortestSecret)
}

/** Addresses of other tools have no shorter secret part (docs/decisions/heartbeats.md). */
const shortestSecret = 10
