import type { Reader } from '#store/database/database.ts'

/** Single values of this installation. */
export type SettingName =
  | 'secret_key'
  | 'owner_workspace'
  | 'owner_token'
  | 'seals_since'
  | 'push_keys'
  | 'signing_keys'
  | 'sending_held'
  | 'last_backup'
  | 'former_secret_keys'
  | 'values_to_reseal'

/** Undefined when it was never written. */
export async function readSetting(reader: Reader, name: SettingName): Promise<unknown> {
  const row = await reader.query.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Writes a value that has none yet. False when it has: the first one stays. */
export async function claimSetting(reader: Reader, name: SettingName, value: string): Promise<boolean> {
  const written = await reader.query
    .insertInto('settings')
    .values({ name, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return written.numInsertedOrUpdatedRows === 1n
}

/** Writes a value in place of an earlier one. */
export async function writeSetting(reader: Reader, name: SettingName, value: string): Promise<void> {
  await reader.query
    .insertInto('settings')
    .values({ name, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: JSON.stringify(value) }))
    .execute()
}

/** Since when everything that is a secret is sealed (docs/operating.md, "How do I upgrade?"). */
export async function readSealsSince(reader: Reader): Promise<Date> {
  const value = await readSetting(reader, 'seals_since')
  if (typeof value !== 'string') throw new Error('The setting seals_since is not a time.')
  return new Date(value)
}
