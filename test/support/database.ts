import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { type Database, openDatabase } from '#store/database/database.ts'

/** A database of this test file's own, made from the migrated template; dropped when the file is done. */
export async function testDatabase(options: { maxConnections?: number } = {}): Promise<Database> {
  const { PERIGEE_TEST_SOCKET: socketFolder, PERIGEE_TEST_USER: user, PERIGEE_TEST_PASSWORD: password } = process.env
  if (socketFolder === undefined || user === undefined || password === undefined)
    throw new Error('Run the tests with "npm test -- <file>", which starts their PostgreSQL.')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const maintenance = openDatabase({
    connection: { socketFolder, user, password, database: 'postgres' },
    maxConnections: 1,
  })
  await maintenance.pool.query(`create database ${name} template perigee_template strategy file_copy`)
  const database = openDatabase({
    connection: { socketFolder, user, password, database: name },
    maxConnections: options.maxConnections ?? 5,
  })
  after(async () => {
    await database.close()
    await maintenance.pool.query(`drop database if exists ${name} with (force)`)
    await maintenance.close()
  })
  return database
}
