import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { type Database, openDatabase } from '#store/database/database.ts'

/**
 * Enough for one test at a time. Each connection is a process of PostgreSQL that has to learn the tables anew: with five
 * of them the whole run took a sixth longer. Tests of what happens at the same time say how many they want.
 */
export const usualConnections = 2

export type TestDatabaseOptions = {
  /** Default: `usualConnections`. */
  maxConnections?: number
  /** Whether the results of yesterday to seven days ahead have tables, as in a service that has started. */
  hasDays?: boolean
  /** Without any schema, as a restore finds it. */
  isEmpty?: boolean
}

/** The files of a process take turns, and a connection that is made anew costs more than most tests. */
const idleMs = 30_000

/** A database of this test file's own, made from a migrated template; dropped when the file is done. */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<Database> {
  const { PERIGEE_TEST_SOCKET: socketFolder, PERIGEE_TEST_USER: user, PERIGEE_TEST_PASSWORD: password } = process.env
  if (socketFolder === undefined || user === undefined || password === undefined)
    throw new Error('Run the tests with "npm test -- <file>", which starts their PostgreSQL.')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const server = { socketFolder, user, password }
  const maintenance = openMaintenance(server)
  const migrated = options.hasDays === true ? 'perigee_days_template' : 'perigee_template'
  const template = options.isEmpty === true ? 'template0' : migrated
  await inTurn(() => maintenance.pool.query(`create database ${name} template ${template} strategy file_copy`))
  const database = openDatabase({
    connection: { ...server, database: name },
    maxConnections: options.maxConnections ?? usualConnections,
    idleMs,
  })
  after(async () => {
    await database.close()
    await inTurn(() => maintenance.pool.query(`drop database if exists ${name} with (force)`))
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
/** What each connection is at. A pool gives up after ten seconds, in which a busy machine makes fewer than all want. */
const turns: Promise<unknown>[] = Array.from({ length: maxMaintenance }, () => Promise.resolve())
let begun = 0

function inTurn(work: () => Promise<unknown>): Promise<unknown> {
  const place = begun % maxMaintenance
  begun += 1
  const done = (turns[place] ?? Promise.resolve()).then(work)
  turns[place] = done.catch(() => {})
  return done
}

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
