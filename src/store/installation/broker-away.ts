import type { Database } from '#store/database/database.ts'

/** An engine without a broker has a row of its own among the troubles: others may reach the same broker. */
const prefix = 'broker '

/** Notes that this engine has no broker; since when stays as it was. */
export async function noteBrokerAway({ pool }: Database, engine: string): Promise<void> {
  await pool.query(
    `delete from own_troubles
    where starts_with(name, $1)
      and not exists (select from engines where own_troubles.name = $1 || engines.name)`,
    [prefix],
  )
  await pool.query(
    `insert into own_troubles (name, since, details) values ($1 || $2, now(), '') on conflict (name) do nothing`,
    [prefix, engine],
  )
}

export async function endBrokerAway({ pool }: Database, engine: string): Promise<void> {
  await pool.query('delete from own_troubles where name = $1 || $2', [prefix, engine])
}

/** SQL of the time since when this engine, a row of `engines`, has had no broker. Null while it has one. */
export const brokerAwaySince = `(select since from own_troubles where name = '${prefix}' || engines.name)`
