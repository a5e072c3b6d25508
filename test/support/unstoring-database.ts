import { after } from 'node:test'
import { type Database, openDatabase } from '#store/database/database.ts'

/** Settings with which the real server answers and keeps nothing, and what it says then. */
export const unstoring = [
  { what: 'takes no changes', setting: 'default_transaction_read_only', value: 'on', says: /read-only transaction/ },
  { what: 'has no room on its disk', setting: 'temp_file_limit', value: '64kB', says: /temporary file size exceeds/ },
] as const

export type UnstoringDatabase = {
  /** The same database, on one connection of its own, which alone takes the setting. */
  database: Database
  begin: () => Promise<void>
  end: () => Promise<void>
}

export function unstoringDatabase(
  given: Database,
  { setting, value }: { setting: string; value: string },
): UnstoringDatabase {
  const { host = '', user = '', password, database: name = '' } = given.pool.options
  const connection = { socketFolder: host, user, password: String(password), database: name }
  const database = openDatabase({ connection, maxConnections: 1 })
  after(database.close)
  return {
    database,
    begin: async () => {
      await database.pool.query(`set ${setting} = '${value}'`)
    },
    end: async () => {
      await database.pool.query(`reset ${setting}`)
    },
  }
}
