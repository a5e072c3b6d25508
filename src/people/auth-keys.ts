import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { readFirstKey } from '#operations/people/first-key.ts'
import { type PeopleParts, authSecrets } from './people-parts.ts'

type KeyParts = Pick<PeopleParts, 'database' | 'secrets'>

/** The secrets of better-auth, as its options and as its functions take them. */
export type AuthKeys = {
  /** The identity of the key that the installation began with; null as long as it was never changed. */
  first: string | null
  /** The identities of what they were made of, in their order. */
  known: readonly string[]
  options: { secret: string; secrets?: { version: number; value: string }[] }
  config: Parameters<typeof symmetricDecrypt>[0]['key']
}

/**
 * Those of `before`, if they hold still. Once several keys are known, another process may have made another one current,
 * which the database tells.
 */
export async function readAuthKeys({ database, secrets }: KeyParts, before: AuthKeys | null): Promise<AuthKeys> {
  const { known } = secrets.identities
  const isAsked = before === null || (before.first === null && known.length > 1)
  const first = isAsked ? await readFirstKey(database) : before.first
  return before?.first === first && before.known === known ? before : authKeysOf(secrets, first)
}

/**
 * As long as the key was never changed, better-auth writes as it always did, which names no key. Afterwards it names the
 * key, and what names none is by the first one.
 */
export function authKeysOf(
  secrets: Pick<KeyParts['secrets'], 'identities' | 'signatures'>,
  first: string | null,
): AuthKeys {
  const { known } = secrets.identities
  const values = authSecrets(secrets)
  const [current] = values
  if (first === null) return { first, known, options: { secret: current }, config: current }
  const secretOf = new Map(known.map((identity, at) => [identity, values[at] ?? current]))
  const legacySecret = secretOf.get(first) ?? current
  const versions = Array.from(secretOf, ([identity, value]) => ({ version: versionOf(identity), value }))
  const keys = new Map(versions.map(({ version, value }) => [version, value]))
  const currentVersion = versionOf(secrets.identities.current)
  return {
    first,
    known,
    options: { secret: legacySecret, secrets: versions },
    config: { keys, currentVersion, legacySecret },
  }
}

/** Seals anew, by the current key, what better-auth sealed for an authenticator app. */
export async function resealsSecondFactors(parts: KeyParts): Promise<(sealed: string) => Promise<string>> {
  const { config: key } = await readAuthKeys(parts, null)
  return async (sealed) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data: sealed }) })
}

/** The id of the key as a number. */
function versionOf(identity: string): number {
  return Number.parseInt(identity.slice(0, 8), 16)
}
