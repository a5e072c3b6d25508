import type { Config } from '#config/config.ts'
import type { Database } from '#store/database/database.ts'
import { identityOf, keyIdOf } from '#store/database/secrets.ts'
import { StartError } from '#store/database/start-error.ts'
import { dropFormerKey, readFolderKeys } from '#store/embedded/folder-keys.ts'
import { forgetFormerKey, readCurrentKey, readKeyChanges } from '#store/installation/secret-keys.ts'
import { countSealed } from '#store/installation/sealed-counts.ts'
import { readDatabase } from '#cli/operator-database.ts'

/** Returns what to tell of it. Throws StartError as long as the key is needed. */
export function retireKey(config: Config, id: string): Promise<string> {
  return readDatabase(config, async (database) => {
    const isOfFolder = config.secretKey === null
    const inFolder = isOfFolder ? (readFolderKeys(config.dataFolder)?.former ?? []).map(identityOf) : []
    const identity = await formerKey(database, { id, inFolder })
    await assertUnused(database, id)
    // A retirement that is broken off in between is begun again: the folder has the key still.
    await forgetFormerKey(database, identity)
    if (isOfFolder) dropFormerKey(config.dataFolder, identity)
    return `${isOfFolder ? ofFolder(id) : ofEnvironment(id)}\n${whatEnds}\n`
  })
}

async function formerKey(
  database: Database,
  { id, inFolder }: { id: string; inFolder: readonly string[] },
): Promise<string> {
  if (keyIdOf(await readCurrentKey(database)) === id)
    throw new StartError(`Key ${id} is the current one. Change it first, with "perigee keys rotate".`)
  const inUse = (await readKeyChanges(database))?.inUse ?? []
  const found = [...inUse, ...inFolder].find((identity) => keyIdOf(identity) === id)
  if (found === undefined) throw new StartError(`There is no former key ${id}. "perigee keys" shows all there are.`)
  return found
}

async function assertUnused(database: Database, id: string): Promise<void> {
  const left = (await countSealed(database)).filter(({ keyId }) => keyId === id)
  if (left.length === 0) return
  const columns = left.map(({ column, values }) => `${values} of ${column}`).join(', ')
  throw new StartError(
    `Key ${id} still encrypts values: ${columns}. A running service encrypts them with the current key; "perigee keys" shows how far it is.`,
  )
}

function ofFolder(id: string): string {
  return `Key ${id} was retired, and taken out of the data folder. A running service forgets it within seconds.`
}

function ofEnvironment(id: string): string {
  return `Key ${id} was retired. Take it out of PERIGEE_FORMER_SECRET_KEYS, and restart each process.`
}

const whatEnds =
  'Links that it signed do not work any more, nor do sessions that were not renewed since the change. Backups that were ' +
  'made while it encrypted values need it: keep it with them.'
