import type { Database } from '#store/database/database.ts'
import { makeToken, type NewToken } from '#store/people/tokens.ts'

/** Makes a token in a transaction of its own. */
export function createToken(database: Database, token: NewToken, now: Date): Promise<{ id: string; text: string }> {
  return database.transaction((tx) => makeToken(tx, token, now))
}
