import type { Config } from '#config/config.ts'
import type { SecretKeys } from '#store/database/secrets.ts'
import { readFolderKeys } from '#store/embedded/folder-keys.ts'

type KeyConfig = Pick<Config, 'secretKey' | 'nextSecretKey' | 'formerSecretKeys'>

/** Null where the keys are those of the data folder. */
export function configuredKeys({ secretKey, nextSecretKey, formerSecretKeys }: KeyConfig): SecretKeys | null {
  if (secretKey === null) return null
  return { current: secretKey, next: nextSecretKey, former: formerSecretKeys }
}

/** For commands, which make no key: null where there is none yet. */
export function findKeys(config: KeyConfig & Pick<Config, 'dataFolder' | 'databaseUrl'>): SecretKeys | null {
  return configuredKeys(config) ?? (config.databaseUrl === null ? readFolderKeys(config.dataFolder) : null)
}
