import type { Config } from '#config/config.ts'
import { folderHolder } from '#store/embedded/data-folder.ts'
import { clusterExists, type EmbeddedConnection, runningConnection } from '#store/embedded/embedded.ts'

/** Where a command of the operator finds the database. */
export type DatabasePlace =
  | { type: 'url'; connection: { url: string } }
  /** The embedded one of a process that runs on the data folder. */
  | { type: 'running'; connection: EmbeddedConnection }
  /** The embedded one, which nothing runs now. */
  | { type: 'stopped' }
  /** Nothing was ever started on the data folder. */
  | { type: 'none' }

/** Throws StartError where the data folder cannot be used. */
export function findDatabase({ databaseUrl, dataFolder }: Pick<Config, 'databaseUrl' | 'dataFolder'>): DatabasePlace {
  if (databaseUrl !== null) return { type: 'url', connection: { url: databaseUrl } }
  if (!clusterExists(dataFolder)) return { type: 'none' }
  if (folderHolder(dataFolder) === null) return { type: 'stopped' }
  return { type: 'running', connection: runningConnection(dataFolder) }
}

export function noDatabaseYet({ dataFolder }: Pick<Config, 'dataFolder'>): string {
  return `There is no database in ${dataFolder} yet.`
}
