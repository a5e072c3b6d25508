import { randomBytes } from 'node:crypto'
import { type KindName, kindTraits } from '#core/monitors/kind-traits.ts'
import { hasCallToken, setCallToken } from '#store/monitors/calls.ts'
import type { Transaction } from '#store/database/database.ts'
import type { Secrets } from '#store/database/secrets.ts'

/** Below the service's root; the secret part follows. */
export const callPath = '/ping/'

/** Whether monitors of this kind wait to be called. */
export function isCalled(kind: KindName): boolean {
  return kindTraits[kind].source === 'called'
}

/** 192 bits, as 32 characters that need no escaping: the address is all that a call needs. */
const tokenBytes = 24

/** Gives a monitor that waits to be called its address, once; null when it has one or needs none. */
export async function ensureCallToken(
  tx: Transaction,
  secrets: Secrets,
  { monitorId, kind }: { monitorId: string; kind: KindName },
): Promise<string | null> {
  if (!isCalled(kind) || (await hasCallToken(tx, monitorId))) return null
  return replaceCallToken(tx, secrets, monitorId)
}

/** Gives it another one; the earlier one leads nowhere from then on. */
export async function replaceCallToken(tx: Transaction, secrets: Secrets, monitorId: string): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url')
  await setCallToken(tx, secrets, { monitorId, token })
  return token
}
