import type { PoolClient } from 'pg'
import type { Database } from '#store/database/database.ts'
import { keyIdSql } from '#store/database/sealed-bytes.ts'
import { keyIdOf, type Secrets } from '#store/database/secrets.ts'
import type { SealedColumn } from './sealed-columns.ts'

/** The key of the last row of a step, as texts; null before the first one. */
export type Position = readonly string[] | null

/** `position` is null where no row is left behind it. `failed` counts values that do not open. */
export type ResealedStep = { position: Position; resealed: number; failed: number }

type Found = { key: string[]; bytes: Buffer; place: string }
type Sealed = { key: readonly string[]; value: Buffer; signed: string | null }

/**
 * Seals anew, by the current key, what former keys sealed in one column, of at most `limit` rows behind a position. A row
 * that another transaction holds is left to the next time.
 */
export function resealStep(
  database: Pick<Database, 'transaction'>,
  secrets: Secrets,
  { at, position, limit }: { at: SealedColumn; position: Position; limit: number },
): Promise<ResealedStep> {
  const former = secrets.identities.former.map(keyIdOf)
  return database.transaction(async ({ client }) => {
    const { rows } = await client.query<Found>(selectStatement(at, position), [former, limit, ...(position ?? [])])
    const sealed = rows.flatMap((row) => {
      const anew = resealed(row, at, secrets)
      return anew === null ? [] : [anew]
    })
    await write(client, at, sealed)
    const last = rows.length < limit ? undefined : rows.at(-1)
    return { position: last?.key ?? null, resealed: sealed.length, failed: rows.length - sealed.length }
  })
}

/** A value that was damaged keeps no other from being sealed anew. */
function resealed({ key, bytes, place: id }: Found, { column, signed }: SealedColumn, secrets: Secrets): Sealed | null {
  const place = { column, id }
  try {
    const text = secrets.decrypt(bytes, place)
    return { key, value: secrets.encrypt(text, place), signed: signed === undefined ? null : signed(text, secrets) }
  } catch {
    return null
  }
}

function selectStatement({ table, key, value, placeId }: SealedColumn, position: Position): string {
  const names = key.map(([name]) => name).join(', ')
  const behind = key.map(([, type], at) => `$${at + 3}::${type}`).join(', ')
  return `select array[${key.map(([name]) => `${name}::text`).join(', ')}] as key, ${value} as bytes, ${placeId} as place
  from ${table}
  where ${keyIdSql(value)} = any($1::text[])
    ${position === null ? '' : `and (${names}) > (${behind})`}
  order by ${names}
  limit $2
  for no key update skip locked`
}

async function write(client: PoolClient, { table, key, set }: SealedColumn, sealed: readonly Sealed[]): Promise<void> {
  if (sealed.length === 0) return
  const columns = key.map(([, type], at) => ({ name: `key_${at}`, type }))
  const isSame = key.map(([name, type], at) => `each.${name} = sealed.key_${at}::${type}`).join(' and ')
  const arrays = columns.map((_, at) => `$${at + 3}::text[]`).join(', ')
  await client.query(
    `update ${table} as each
    set ${set}
    from unnest($1::bytea[], $2::text[], ${arrays}) as sealed (value, signed, ${columns.map(({ name }) => name).join(', ')})
    where ${isSame}`,
    [
      sealed.map(({ value }) => value),
      sealed.map(({ signed }) => signed),
      ...columns.map((_, at) => sealed.map((row) => row.key[at] ?? null)),
    ],
  )
}
