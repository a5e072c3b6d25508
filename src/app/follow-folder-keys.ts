import type { Database } from '#store/database/database.ts'
import { createSecrets, type Secrets } from '#store/database/secrets.ts'
import { readFolderKeys } from '#store/embedded/folder-keys.ts'
import { adoptSecretKeys } from '#store/installation/secret-keys.ts'
import type { Log } from './log.ts'

export type FollowedKeys = { path: string; database: Database; secrets: Secrets; log: Log }

const lookEveryMs = 2_000

/** Has a running process go over to the keys that "perigee keys" writes into its data folder. Returns the end of it. */
export function followFolderKeys(followed: FollowedKeys): () => Promise<void> {
  const { log } = followed
  let looking: Promise<void> | null = null
  let told = ''
  const tell = (error: unknown): void => {
    if (String(error) !== told) log.warn('The secret keys in the data folder could not be taken over.', { error })
    told = String(error)
  }
  const look = (): void => {
    looking ??= adoptFolderKeys(followed)
      .catch(tell)
      .finally(() => {
        looking = null
      })
  }
  const timer = setInterval(look, lookEveryMs).unref()
  return async () => {
    clearInterval(timer)
    await looking
  }
}

/** Nothing else uses the database of a data folder, so that no process has to know the new key before. */
export async function adoptFolderKeys({ path, database, secrets, log }: FollowedKeys): Promise<void> {
  const keys = readFolderKeys(path)
  if (keys === null) return
  const changed = createSecrets(keys)
  if (changed.identities.known.join() === secrets.identities.known.join()) return
  await adoptSecretKeys(database, changed)
  const isNew = changed.identity !== secrets.identity
  secrets.change(keys)
  if (isNew) log.info('The secret key was changed.')
}
