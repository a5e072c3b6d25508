// What better-auth sealed for authenticator apps. It names the key by a number, or not at all: then it is the first key.
import type { Database } from '#store/database/database.ts'

export type SecondFactor = { id: string; secret: string; codes: string }

/** In SQL, the id of the key that sealed a text of better-auth; `first` is a parameter with the id of the first key. */
export function factorKeySql(text: string, first: string): string {
  return `case when ${text} like '$ba$%' then lpad(to_hex(split_part(${text}, '$', 3)::bigint), 8, '0') else ${first}::text end`
}

/** Those that one of these keys sealed, behind an id, in their order. Keys are named by their ids. */
export async function listSecondFactors(
  { pool }: Pick<Database, 'pool'>,
  { keys, first, after, limit }: { keys: readonly string[]; first: string; after: string | null; limit: number },
): Promise<SecondFactor[]> {
  const { rows } = await pool.query<SecondFactor>(
    `select id::text, secret, "backupCodes" as codes
    from people."twoFactor"
    where (${factorKeySql('secret', '$2')} = any($1::text[]) or ${factorKeySql('"backupCodes"', '$2')} = any($1::text[]))
      and ($3::uuid is null or id > $3::uuid)
    order by id
    limit $4`,
    [keys, first, after, limit],
  )
  return rows
}

/** False where it was changed meanwhile. */
export async function replaceSecondFactor(
  { pool }: Pick<Database, 'pool'>,
  before: SecondFactor,
  sealed: Pick<SecondFactor, 'secret' | 'codes'>,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update people."twoFactor"
    set secret = $4, "backupCodes" = $5
    where id = $1::uuid
      and secret = $2
      and "backupCodes" = $3`,
    [before.id, before.secret, before.codes, sealed.secret, sealed.codes],
  )
  return rowCount === 1
}
