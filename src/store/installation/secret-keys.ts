// Which secret keys an installation has had. The keys themselves are never stored, only what names them.
import { z } from 'zod'
import type { Database, Reader, Transaction } from '#store/database/database.ts'
import { keyIdOf, type Secrets } from '#store/database/secrets.ts'
import { StartError } from '#store/database/start-error.ts'
import { claimSetting, readSetting } from './settings.ts'

const changesSchema = z.object({
  first: z.string(),
  /** By them values may still be sealed, the newest first. */
  in_use: z.array(z.string()),
})

/** Since the key was changed for the first time: the key that the installation began with, and former ones in use. */
export type KeyChanges = { first: string; inUse: readonly string[] }

type Identities = Pick<Secrets, 'identities'>

/**
 * Refuses to start with keys that cannot open what is stored. Where the installation's key is among the former ones, the
 * current one takes its place. A process for which it is the next one is only not restarted yet.
 */
export async function adoptSecretKeys(database: Database, { identities }: Identities): Promise<void> {
  const { current, next, former } = identities
  if (await claimSetting(database, 'secret_key', current)) return
  const recorded = await readCurrentKey(database)
  if (former.includes(recorded)) await database.transaction((tx) => replaceKey(tx, { current, former }))
  else if (recorded !== current && recorded !== next) throw new StartError(notTheKey(recorded))
  const inUse = (await readKeyChanges(database))?.inUse ?? []
  const missing = inUse.find((identity) => !identities.known.includes(identity))
  if (missing !== undefined) throw new StartError(missingKey(missing))
}

/** The identity of the key that the installation seals with. */
export async function readCurrentKey(reader: Reader): Promise<string> {
  return String(await readSetting(reader, 'secret_key'))
}

/** Null as long as the key was never changed. */
export async function readKeyChanges(reader: Reader): Promise<KeyChanges | null> {
  const value = await readSetting(reader, 'former_secret_keys')
  if (value === undefined) return null
  const { first, in_use: inUse } = changesSchema.parse(value)
  return { first, inUse }
}

/** Forgets a former key by which nothing is sealed any more: processes may start without it. */
export async function forgetFormerKey(database: Database, identity: string): Promise<void> {
  await database.transaction(async (tx) => {
    await lockKeys(tx)
    const changes = await readKeyChanges(tx)
    if (changes === null) return
    await writeChanges(tx, { ...changes, inUse: changes.inUse.filter((other) => other !== identity) })
  })
}

/** Of two processes that start at the same time, the second one finds that it is done. */
async function replaceKey(
  tx: Transaction,
  { current, former }: { current: string; former: readonly string[] },
): Promise<void> {
  const recorded = await lockKeys(tx)
  if (!former.includes(recorded)) return
  const { first, inUse } = (await readKeyChanges(tx)) ?? { first: recorded, inUse: [] }
  const before = [recorded, ...inUse.filter((identity) => identity !== recorded && identity !== current)]
  await writeChanges(tx, { first, inUse: before })
  await tx.client.query(`update settings set value = $1 where name = 'secret_key'`, [JSON.stringify(current)])
}

async function lockKeys({ client }: Transaction): Promise<string> {
  const { rows } = await client.query<{ value: string }>(
    `select value #>> '{}' as value from settings where name = 'secret_key' for update`,
  )
  return rows[0]?.value ?? ''
}

async function writeChanges({ client }: Transaction, { first, inUse }: KeyChanges): Promise<void> {
  const value: z.infer<typeof changesSchema> = { first, in_use: [...inUse] }
  await client.query(
    `insert into settings (name, value)
    values ('former_secret_keys', $1)
    on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(value)],
  )
}

function notTheKey(recorded: string): string {
  return `PERIGEE_SECRET_KEY is not the key that this database was set up with, or last changed to, which has the id ${keyIdOf(recorded)}. Set it to that key, or add that key to PERIGEE_FORMER_SECRET_KEYS.`
}

function missingKey(identity: string): string {
  const id = keyIdOf(identity)
  return `The key ${id} still encrypts stored secrets, and is not among the keys of this process. Add it to PERIGEE_FORMER_SECRET_KEYS until "perigee keys retire ${id}" has been run.`
}
