import { z } from 'zod'
import type { Database, Reader } from '#store/database/database.ts'
import { keyIdSql } from '#store/database/sealed-bytes.ts'
import { keyIdOf } from '#store/database/secrets.ts'
import { factorKeySql } from '#store/people/second-factors.ts'
import { listSealedColumns } from './sealed-columns.ts'
import { readSetting } from './settings.ts'
import { readCurrentKey, readKeyChanges } from './secret-keys.ts'

/** How many values of a column one key seals. Keys are named by their ids. */
export type SealedCount = { column: string; keyId: string; values: number }

/** Looks at every sealed value: an operator's question. */
export async function countSealed(database: Database): Promise<SealedCount[]> {
  const sums = new Map<string, SealedCount>()
  const add = ({ column, keyId, values }: SealedCount): void => {
    const name = `${column} ${keyId}`
    sums.set(name, { column, keyId, values: values + (sums.get(name)?.values ?? 0) })
  }
  for (const { column, table, value } of listSealedColumns()) {
    const { rows } = await database.pool.query<Omit<SealedCount, 'column'>>(
      `select ${keyIdSql(value)} as "keyId", count(*)::integer as values
      from ${table}
      where ${value} is not null
      group by 1
      order by 1
      limit 100`,
    )
    for (const row of rows) add({ column, ...row })
  }
  for (const row of await countSecondFactors(database)) add(row)
  return [...sums.values()]
}

/** How many values former keys seal. */
export function sumOf(counts: readonly SealedCount[], keyIds: readonly string[]): number {
  return counts.reduce((sum, { keyId, values }) => sum + (keyIds.includes(keyId) ? values : 0), 0)
}

const leftSchema = z.object({ values: z.int().min(0), key: z.string() })

/** What the last run of the job that seals values anew left, by its own count; null where none has counted yet. */
export async function readValuesLeft(reader: Reader): Promise<number | null> {
  const stored = leftSchema.safeParse(await readSetting(reader, 'values_to_reseal'))
  const isOfThisKey = stored.success && stored.data.key === (await readCurrentKey(reader))
  return isOfThisKey ? stored.data.values : null
}

/** Counts what former keys seal, for `readValuesLeft`. */
export async function noteValuesLeft(database: Database, { key, former }: LeftBy): Promise<number> {
  const values = sumOf(await countSealed(database), former.map(keyIdOf))
  const left: z.infer<typeof leftSchema> = { values, key }
  await database.pool.query(
    `insert into settings (name, value)
    values ('values_to_reseal', $1)
    on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(left)],
  )
  return values
}

/** The identities of the current key and of former ones. */
export type LeftBy = { key: string; former: readonly string[] }

/** A person has two: the secret of an app, and a list of codes. */
async function countSecondFactors(database: Database): Promise<SealedCount[]> {
  const changes = await readKeyChanges(database)
  const first = keyIdOf(changes?.first ?? (await readCurrentKey(database)))
  const { rows } = await database.pool.query<SealedCount>(
    `select 'people.twoFactor' as column, key_id as "keyId", count(*)::integer as values
    from (
      select ${factorKeySql('secret', '$1')} as key_id
      from people."twoFactor"
      union all
      select ${factorKeySql('"backupCodes"', '$1')}
      from people."twoFactor"
    ) as keys
    group by key_id
    order by key_id
    limit 100`,
    [first],
  )
  return rows
}
