import type { Database } from '#store/database/database.ts'
import { readKeyChanges } from '#store/installation/secret-keys.ts'

/** The identity of the secret key that the installation began with; null as long as that key was never changed. */
export async function readFirstKey(database: Database): Promise<string | null> {
  return (await readKeyChanges(database))?.first ?? null
}
