import { sql } from 'kysely'
import type { Reader, Transaction } from '#store/database/database.ts'

export type Location = { code: string; name: string }

/** In the order in which they became known; the first is the default of new monitors. */
export async function listLocations(reader: Reader): Promise<Location[]> {
  return reader.query.selectFrom('locations').select(['code', 'name']).orderBy('position').orderBy('id').execute()
}

/** Since when locations have had no network of their own, of those whose probers say so. */
export async function readLostNetworks(reader: Reader): Promise<Map<string, Date>> {
  const lost = await reader.query
    .selectFrom('locations')
    .select(['code', 'network_lost_at'])
    .where('network_lost_at', 'is not', null)
    .execute()
  return new Map(lost.flatMap(({ code, network_lost_at: at }) => (at === null ? [] : [[code, at]])))
}

/** Adds what is new at the end and renames what has another name. Nothing is removed: monitors refer to them. */
export async function ensureLocations(tx: Transaction, locations: readonly Location[]): Promise<void> {
  // Two processes that start together take turns. An upsert would use up a small identity at every start.
  await sql`lock table locations in share row exclusive mode`.execute(tx.query)
  const known = await tx.query.selectFrom('locations').select(['code', 'name', 'position']).execute()
  let position = Math.max(-1, ...known.map((location) => location.position))
  for (const { code, name } of locations) {
    const present = known.find((location) => location.code === code)
    if (present === undefined) {
      position += 1
      await tx.query.insertInto('locations').values({ code, name, position }).execute()
    } else if (present.name !== name) {
      await tx.query.updateTable('locations').set({ name }).where('code', '=', code).execute()
    }
  }
}
