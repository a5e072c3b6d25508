import { randomBytes } from 'node:crypto'
import { type KindName, kindTraits } from '#core/monitors/kind-traits.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { hasCallToken, readCallToken, setCallToken } from '#store/monitors/calls.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import type { Secrets } from '#store/database/secrets.ts'

/** Below the service's root; the secret part follows. */
export const callPath = '/ping/'

/** Whether monitors of this kind wait to be called. */
export function isCalled(kind: KindName): boolean {
  return kindTraits[kind].source === 'called'
}

/** What an answer has beside a monitor that waits to be called, for callers who may change it; nothing for others. */
export async function besideCalled(
  reader: Reader,
  services: Pick<Services, 'secrets' | 'publicUrl'>,
  monitor: Pick<MonitorRecord, 'id' | 'kind'>,
): Promise<{ heartbeat_url?: string }> {
  const url = await readHeartbeatUrl(reader, services, monitor)
  return url === null ? {} : { heartbeat_url: url }
}

/** The address of a monitor that waits to be called; null for other monitors. */
export async function readHeartbeatUrl(
  reader: Reader,
  { secrets, publicUrl }: Pick<Services, 'secrets' | 'publicUrl'>,
  { id, kind }: Pick<MonitorRecord, 'id' | 'kind'>,
): Promise<string | null> {
  const token = isCalled(kind) ? await readCallToken(reader, secrets, id) : null
  return token === null ? null : publicUrl + callPath + token
}

/** 192 bits, as 32 characters that need no escaping: the address is all that a call needs. */
const tokenBytes = 24

/** Gives a monitor that waits to be called its address, unless it has one. */
export async function ensureCallToken(
  tx: Transaction,
  secrets: Secrets,
  { monitorId, kind }: { monitorId: string; kind: KindName },
): Promise<void> {
  if (isCalled(kind) && !(await hasCallToken(tx, monitorId))) await replaceCallToken(tx, secrets, monitorId)
}

/** Gives it another one; the earlier one leads nowhere from then on. */
export async function replaceCallToken(tx: Transaction, secrets: Secrets, monitorId: string): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url')
  await setCallToken(tx, secrets, { monitorId, token })
  return token
}
