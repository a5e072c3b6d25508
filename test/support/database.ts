import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { type Database, openDatabase } from '#store/database/database.ts'

/** A database of this test file's own, made from the migrated template; dropped when the file is done. */
export async function testDatabase(options: { maxConnections?: number } = {}): Promise<Database> {
  const { PERIGEE_TEST_SOCKET: socketFolder, PERIGEE_TEST_USER: user, PERIGEE_TEST_PASSWORD: password } = process.env
  if (socketFolder === undefined || user === undefined || password === undefined)
    throw new Error('Run the tests with "npm test -- <file>", which starts their PostgreSQL.')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const server = { socketFolder, user, password }
  const maintenance = openMaintenance(server)
  await maintenance.pool.query(`create database ${name} template perigee_template strategy file_copy`)
  const database = openDatabase({
    connection: { ...server, database: name },
    maxConnections: options.maxConnections ?? 5,
  })
  after(async () => {
    await database.close()
    await maintenance.pool.query(`drop database if exists ${name} with (force)`)
    await closeMaintenance()
  })
  return database
}

/**
 * What makes and drops the databases of all test files of this process, because a connection costs as much as a
 * database. Files that are loaded together want theirs at the same time.
 */
let shared: Database | null = null
let users = 0
const maxMaintenance = 4

function openMaintenance(server: { socketFolder: string; user: string; password: string }): Database {
  shared ??= openDatabase({ connection: { ...server, database: 'postgres' }, maxConnections: maxMaintenance })
  users += 1
  return shared
}

async function closeMaintenance(): Promise<void> {
  users -= 1
  if (users > 0) return
  const last = shared
  shared = null
  await last?.close()
}
