// The least time of PostgreSQL for the same rows, with the same indexes and foreign keys, in the same minute.
import type { Database } from '#store/database/database.ts'

/** Seconds for all findings that there are, into a table like theirs, in one statement. */
export async function writeFindingsBare({ transaction }: Database): Promise<number> {
  return transaction(async ({ client }) => {
    await client.query(`
      set local statement_timeout = 0;
      create temp table source on commit drop as
        select id, monitor_key, software_id, vulnerability, found_at from findings order by software_id;
      create table findings_bare (like findings including all);
      alter table findings_bare
        add foreign key (monitor_key) references monitors (key) on delete cascade,
        add foreign key (software_id) references monitor_software on delete cascade,
        add foreign key (vulnerability) references vulnerabilities on delete cascade`)
    const startedAt = performance.now()
    await client.query(
      `insert into findings_bare (id, monitor_key, software_id, vulnerability, found_at) select * from source`,
    )
    const seconds = (performance.now() - startedAt) / 1000
    await client.query('drop table findings_bare')
    return seconds
  })
}

/** Milliseconds for as many new components and entries of a monitor, in two statements and a commit. */
export async function writeImportBare({ pool, transaction }: Database, count: number): Promise<number> {
  const startedAt = performance.now()
  await transaction(async ({ client }) => {
    await client.query(
      `insert into components (product, version, matched_at)
      select 'npm:bare-' || n, '1.0.' || n % 10, now()
      from generate_series(1, $1::integer) as n`,
      [count],
    )
    await client.query(
      `insert into monitor_software (id, monitor_key, component_key, name, source, evidence, label, added_at)
      select gen_random_uuid(), monitor.key, component.key, product, 'import', 'bare', 'bare', now()
      from components as component
      cross join (select min(key) as key from monitors) as monitor
      where product like 'npm:bare-%'`,
    )
  })
  const ms = performance.now() - startedAt
  await pool.query(`delete from monitor_software where label = 'bare'`)
  return ms
}
