import type { PublicSigningKey } from '#core/proofs/signature.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { signingKeys } from '#store/installation/signing-keys.ts'

/** The public keys with which what this installation has signed is checked, as a key set (RFC 7517 5). */
export async function readSigningKeySet({
  database,
  secrets,
}: Pick<Services, 'database' | 'secrets'>): Promise<{ keys: PublicSigningKey[] }> {
  return { keys: await signingKeys(database, secrets).publicKeys() }
}
