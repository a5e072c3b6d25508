import type { Database, Reader, Transaction } from '#store/database/database.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'

/** A key pair as JSON Web Keys, as text. */
export type KeyPair = { id: string; publicKey: string; privateKey: string }

/** The public half, from its creation until no assertion of it can be valid any more. */
export type PublishedKey = { id: string; publicKey: unknown; activeAt: Date; retiredAt: Date }

/** How long a key signs, and how long before its turn it is published, so that caches of the key set know it. */
const signingMs = 90 * 86_400_000
const publishedBeforeMs = 7 * 86_400_000
/** Assertions live for 90 days; one more for clocks that differ. */
const keptAfterMs = 91 * 86_400_000

/** All keys that assertions may be checked with, the newest first. */
export async function listPublishedKeys(reader: Reader, now: Date): Promise<PublishedKey[]> {
  const rows = await reader.query
    .selectFrom('agent_signing_keys')
    .select(['id', 'public_key', 'active_at', 'retired_at'])
    .where('retired_at', '>', new Date(now.getTime() - keptAfterMs))
    .orderBy('active_at', 'desc')
    .orderBy('id')
    .limit(100)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    publicKey: row.public_key,
    activeAt: row.active_at,
    retiredAt: row.retired_at,
  }))
}

export type SigningKey = {
  id: string
  /** In the clear. */
  privateKey: string
  /** Its turn is about to end, and no next key exists yet. */
  needsNext: boolean
}

/** The key whose turn it is to sign; null when there is none. */
export async function readSigningKey(reader: Reader, secrets: Secrets, now: Date): Promise<SigningKey | null> {
  const rows = await reader.query
    .selectFrom('agent_signing_keys')
    .select(['id', 'private_key', 'active_at', 'retired_at'])
    .where('retired_at', '>', now)
    .orderBy('active_at')
    .limit(10)
    .execute()
  const [current] = rows
  if (current === undefined || current.active_at > now) return null
  const isEnding = current.retired_at.getTime() - now.getTime() <= publishedBeforeMs
  return {
    id: current.id,
    privateKey: secrets.decrypt(current.private_key, placeOf(current.id)),
    needsNext: isEnding && rows.length === 1,
  }
}

/**
 * Adds the key that signs from now on, where there is none, and, a week before its turn, the next one; drops keys whose
 * signatures have all expired. Processes take turns, so that each key is made once.
 */
export async function keepKeys(
  database: Database,
  secrets: Secrets,
  { now, createKeyPair }: { now: Date; createKeyPair: () => Promise<KeyPair> },
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.client.query('lock table agent_signing_keys in share row exclusive mode')
    await dropOldKeys(tx, now)
    for (let activeAt = await nextTurn(tx, now); activeAt !== null; activeAt = await nextTurn(tx, now)) {
      const pair = await createKeyPair()
      await tx.query
        .insertInto('agent_signing_keys')
        .values({
          id: pair.id,
          public_key: pair.publicKey,
          private_key: secrets.encrypt(pair.privateKey, placeOf(pair.id)),
          created_at: now,
          active_at: activeAt,
          retired_at: new Date(activeAt.getTime() + signingMs),
        })
        .execute()
    }
  })
}

function placeOf(keyId: string): Place {
  return { column: 'agent_signing_keys.private_key', id: keyId }
}

/** When the turn of a key begins that has to be made now; null when none has to. */
async function nextTurn(tx: Transaction, now: Date): Promise<Date | null> {
  const { last } = await tx.query
    .selectFrom('agent_signing_keys')
    .select(({ fn }) => fn.max('retired_at').as('last'))
    .executeTakeFirstOrThrow()
  if (last === null || last <= now) return now
  return last.getTime() - now.getTime() <= publishedBeforeMs ? last : null
}

async function dropOldKeys(tx: Transaction, now: Date): Promise<void> {
  await tx.query
    .deleteFrom('agent_signing_keys')
    .where('retired_at', '<=', new Date(now.getTime() - keptAfterMs))
    .execute()
}
