// Whether what was acknowledged under load is stored.
import type { Database } from '#store/database/database.ts'
import type { Taken } from './surfaces.ts'
import type { World } from './world.ts'

/** Calls that were answered 200 and are no results, as a number of them. */
export async function lostCalls({ database, called }: World, taken: ReadonlyMap<string, Taken>): Promise<number> {
  const { rows } = await database.pool.query<{ id: string; count: number }>(
    `select m.id, coalesce(sum(r.repeats), 0)::integer as count
    from monitors m
    left join results r on r.monitor_key = m.key
    where m.id = any($1)
    group by m.id`,
    [called.map(({ id }) => id)],
  )
  const counts = new Map(rows.map(({ id, count }) => [id, count]))
  const answered = new Map([...taken].map(([url, one]) => [url.split('/').at(-1), one.taken]))
  return called.reduce((sum, { id, token }) => sum + Math.max(0, (answered.get(token) ?? 0) - (counts.get(id) ?? 0)), 0)
}

/** Monitors whose name is not the one of the last write that was answered 200, as a number of them. */
export async function lostWrites(database: Database, taken: ReadonlyMap<string, Taken>): Promise<number> {
  const { rows } = await database.pool.query<{ id: string; name: string }>('select id, name from monitors')
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return [...taken].filter(([url, { last, isLastKnown }]) => {
    const name = names.get(url.split('/').at(-1) ?? '')
    return name !== undefined && isLastKnown && last !== null && name !== last
  }).length
}
