import type { Database } from '#store/database/database.ts'

/**
 * Frees at once what a killed process held. Only for a database that no other process can reach: elsewhere partitions,
 * claims and jobs come free by themselves after seconds, a minute and hours.
 */
export async function freeHeldRows({ pool }: Database): Promise<void> {
  await pool.query(`update partitions set owner = null, held_until = '-infinity'`)
  await pool.query('delete from engines')
  await pool.query(`select graphile_worker.force_unlock_workers(array(
    select distinct locked_by
    from graphile_worker.jobs
    where locked_by is not null
  ))`)
  await pool.query(`update deliveries set claimed_at = null where state = 'pending' and claimed_at is not null`)
  await pool.query(`update feeds set claimed_until = '-infinity', tried_at = null where claimed_until > now()`)
  await pool.query(`update software_scans set claimed_until = '-infinity' where claimed_until > now()`)
}
