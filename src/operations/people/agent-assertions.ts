import type { Limits } from '#operations/pipeline/limits.ts'
import type { Services } from '#operations/pipeline/services.ts'
import {
  type KeyPair,
  type PublishedKey,
  type SigningKey,
  keepKeys,
  listPublishedKeys,
  readSigningKey,
} from '#store/people/agent-keys.ts'
import type { Registration } from '#store/people/agent-registrations.ts'

export type { KeyPair, PublishedKey, SigningKey }

/** What an assertion of ours says of its agent. */
export type Signed = Pick<Registration, 'id' | 'type' | 'email' | 'claimedAt' | 'generation'>

export type Assertion = { text: string; expiresAt: Date }

export type Sign = (registration: Signed, now: Date) => Promise<Assertion>

/** Our own assertions: what an agent shows to be given an access token. The layer `agents` signs and reads them. */
export type Assertions = {
  /** Signs with the key whose turn it is. Ask before a transaction is open: a key may have to be made. */
  ready: (now: Date) => Promise<Sign>
  /** Whose assertion this is, and of which generation; null for what we did not make, or what has ended. */
  verify: (text: string, now: Date) => Promise<{ registrationId: string; generation: number } | null>
}

/** What the verbs of agents work with. */
export type AgentServices = Pick<Services, 'database' | 'secrets'> & {
  assertions: Assertions
  limits: Pick<Limits, 'countRegistration' | 'countAnonymous' | 'takesAnonymous'>
}

type KeyServices = Pick<Services, 'database' | 'secrets'>

/** The key to sign with. No job keeps the keys: the first process that misses one, or the next one, makes it. */
export async function currentSigningKey(
  { database, secrets }: KeyServices,
  { now, createKeyPair }: { now: Date; createKeyPair: () => Promise<KeyPair> },
): Promise<SigningKey> {
  const current = await readSigningKey(database, secrets, now)
  if (current !== null && !current.needsNext) return current
  await keepKeys(database, secrets, { now, createKeyPair })
  const kept = current ?? (await readSigningKey(database, secrets, now))
  if (kept === null) throw new Error('There is no key to sign with, although one was made.')
  return kept
}

/** All keys that assertions may be checked with, the newest first. */
export function publishedKeys({ database }: Pick<KeyServices, 'database'>, now: Date): Promise<PublishedKey[]> {
  return listPublishedKeys(database, now)
}
