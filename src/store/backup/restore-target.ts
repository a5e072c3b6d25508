import type { Database } from '#store/database/database.ts'
import { isUnfinishedRestore } from '#store/database/unfinished-restore.ts'
import { StartError } from '#store/database/start-error.ts'
import { dropContents, listContents } from './tables.ts'

const namedContents = 5

/** Takes away what a restore left that did not finish. Throws StartError where anything else is in the database. */
export async function prepareTarget(database: Database): Promise<void> {
  if (await isUnfinishedRestore(database)) await clearTarget(database)
  const contents = await listContents(database.pool, namedContents + 1)
  if (contents.length === 0) return
  const named = contents.slice(0, namedContents).join(', ')
  throw new StartError(
    `The database is not empty: it has ${named}${contents.length > namedContents ? ' and more' : ''}. Restore into an empty one.`,
  )
}

/** Makes the database empty again that was empty before the restore. */
export async function clearTarget(database: Database): Promise<void> {
  await database.transaction(async ({ client }) => {
    await client.query('set local statement_timeout = 0')
    await dropContents(client)
  })
}
