import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { spawnPerigee } from '../support/perigee-process.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import type { Database } from '#store/database/database.ts'

const secretKey = Buffer.alloc(32, 3).toString('base64')
const folders: string[] = []
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

describe('perigee', () => {
  it('explains itself', async () => {
    for (const args of [['--help'], ['help'], ['-h']]) {
      const perigee = spawnPerigee({ args })
      assert.equal(await perigee.ended(), 0)
      assert.match(perigee.stdout(), /^perigee <command>[^]*start[^]*check[^]*token[^]*workspace[^]*migrate/)
    }
    for (const command of ['start', 'check', 'token', 'workspace', 'migrate']) {
      const perigee = spawnPerigee({ args: [command, '--help'] })
      assert.equal(await perigee.ended(), 0)
      assert.ok(
        perigee.stdout().startsWith(`perigee ${command} `) || perigee.stdout().startsWith(`perigee ${command}\n`),
        perigee.stdout(),
      )
    }
  })

  it('prints its version', async () => {
    const perigee = spawnPerigee({ args: ['--version'] })
    assert.equal(await perigee.ended(), 0)
    assert.match(perigee.stdout(), /^\d+\.\d+\.\d+\n$/)
  })

  const wrong: [string[], RegExp][] = [
    [[], /^Name a command\.\n/],
    [['stop'], /^There is no command "stop"\.\n/],
    [['constructor'], /^There is no command "constructor"\.\n/],
    [['start', 'example.com'], /^"example\.com" is not an address such as https:\/\/example\.com\.\n/],
    [['start', '--port', '80'], /--port/],
    [['token'], /^Name an action: create, list or revoke\.\n/],
    [['token', 'create', '--name', 'x'], /^--scope must be read or write\.\n/],
    [['token', 'create', '--name', ' ', '--scope', 'read'], /^--name must have 1 to 160 characters\.\n/],
    [
      ['token', 'create', '--name', 'x', '--scope', 'read', '--expires', '2020-01-01'],
      /^--expires: 2020-01-01 is in the past\.\n/,
    ],
    [
      ['token', 'create', '--name', 'x', '--scope', 'read', '--expires', 'soon'],
      /^--expires: "soon" is not a date such as 2027-01-31\.\n/,
    ],
    [['token', 'revoke', 'x'], /^Give the id of a token\./],
    [['token', 'list', '--scope', 'read'], /only work with create\.\n/],
    [['workspace', 'plan', 'x'], /^Name an action and what it needs, as shown below\.\n/],
    [
      ['workspace', 'create', 'x', '--plan', 'gold'],
      /^There is no plan "gold"\. The plans are free, pro, pay_as_you_go\.\n/,
    ],
    [['migrate', 'now'], /^migrate takes no arguments\.\n/],
  ]
  for (const [args, expected] of wrong)
    it(`answers "${args.join(' ')}" with its usage and exit code 2`, async () => {
      const perigee = spawnPerigee({ args })
      assert.equal(await perigee.ended(), 2)
      assert.match(perigee.stderr(), expected)
      assert.match(perigee.stderr(), /\n\nperigee /)
      assert.equal(perigee.stdout(), '')
    })
})

describe('perigee start fails in one line and exit code 1', () => {
  it('on a bad variable, and in a line each on several', async () => {
    assert.equal(
      await failure({ PERIGEE_PORT: '80000' }),
      'PERIGEE_PORT must be a whole number from 0 to 65535; it is "80000".\n',
    )
    const lines = await failure({ PERIGEE_PORT: 'x', PERIGEE_LOCATIONS: 'y' }, 2)
    assert.match(lines, /^PERIGEE_PORT must be .*\nPERIGEE_LOCATIONS must be .*\n$/)
  })

  it('on a busy port', async () => {
    const busy = createServer()
    await new Promise<void>((resolve) => {
      busy.listen(0, '127.0.0.1', resolve)
    })
    after(() => busy.close())
    const { port } = portOf(busy.address())
    const line = await failure({ PERIGEE_PORT: String(port), PERIGEE_DATA_DIR: newFolder() })
    assert.match(line, new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use by another process\\..*PERIGEE_PORT`))
  })

  it('on a folder that cannot be written', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    assert.match(
      await failure({ PERIGEE_DATA_DIR: join(file, 'data') }),
      /^The data folder .* cannot be used \(ENOTDIR.*PERIGEE_DATA_DIR\.\n$/,
    )
    if (process.getuid?.() !== 0) {
      const closed = newFolder()
      chmodSync(closed, 0o500)
      assert.match(await failure({ PERIGEE_DATA_DIR: join(closed, 'data') }), /cannot be used \(EACCES/)
    }
  })

  it('on a database of another major release', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'postgres'))
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '12\n')
    assert.match(
      await failure({ PERIGEE_DATA_DIR: folder }),
      /was created by PostgreSQL 12, but this release has PostgreSQL 18/,
    )
  })

  it('on an external database without a secret key', async () => {
    assert.match(
      await failure({ PERIGEE_DATABASE_URL: 'postgres://u:hunter2@127.0.0.1/x' }),
      /^PERIGEE_SECRET_KEY is required with PERIGEE_DATABASE_URL/,
    )
  })

  it('on a database that is not there, without showing the password', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => {
      closed.listen(0, '127.0.0.1', resolve)
    })
    const { port } = portOf(closed.address())
    await new Promise((resolve) => {
      closed.close(resolve)
    })
    for (const [host, expected] of [
      [`127.0.0.1:${port}`, 'ECONNREFUSED'],
      [`localhost:${port}`, 'ECONNREFUSED'],
      ['nowhere.invalid', 'nowhere.invalid'],
    ] as const) {
      const line = await failure(external(`postgres://someone:hunter2@${host}/perigee`))
      assert.ok(line.startsWith(`PERIGEE_DATABASE_URL: the database perigee at ${host} cannot be used (`), line)
      assert.ok(line.includes(expected), line)
      assert.ok(!line.includes('hunter2'))
    }
  })

  it('on a password that the database refuses, and on a database that does not exist', async () => {
    const { socket, user, password } = testServer()
    const wrongPassword = await failure(external(urlOf({ socket, user, password: 'hunter2', name: 'postgres' })))
    assert.match(wrongPassword, /cannot be used \(password authentication failed for user "perigee"\)\.\n$/)
    assert.ok(!wrongPassword.includes('hunter2'))
    const missing = await failure(external(urlOf({ socket, user, password, name: 'no_such_database' })))
    assert.match(missing, /cannot be used \(database "no_such_database" does not exist\)\.\n$/)
  })

  it('on a schema of a newer release that this one must not touch', async () => {
    const { environment, query } = await externalDatabase()
    await query("insert into schema_migrations (number, name, compatible_from) values (9000, 'later', 9000)")
    assert.match(
      await failure(environment),
      /^The database was upgraded by a newer release: it needs schema 9000, but this release only knows \d+\./,
    )
  })

  it('on another secret key than the one the database was set up with', async () => {
    const { environment, query } = await externalDatabase()
    await query(`insert into settings (name, value) values ('secret_key', '"another"')`)
    assert.match(await failure(environment), /^PERIGEE_SECRET_KEY is not the key/)
  })
})

describe('perigee start that waits for another process ends at once with SIGTERM, in one line', () => {
  for (const [what, lock, said] of [
    ['of an installation without a broker', '7305017212', 'The start was cancelled.\n'],
    ['that changes the schema', '7305017211', 'The start was cancelled. The running migration was rolled back.\n'],
  ] as const)
    it(what, async () => {
      const { environment, database } = await externalDatabase()
      await database.transaction(async ({ client }) => {
        await client.query(`select pg_advisory_xact_lock(${lock})`)
        const folder = { PERIGEE_DATA_DIR: newFolder(), PERIGEE_LOG_LEVEL: 'warn' }
        const perigee = spawnPerigee({ args: ['start'], environment: { ...folder, ...environment } })
        await until('it waits', async () => {
          const { rowCount } = await client.query(
            `select from pg_locks where locktype = 'advisory' and not granted
              and database = (select oid from pg_database where datname = current_database())`,
          )
          return rowCount === 1
        })
        perigee.child.kill('SIGTERM')
        assert.equal(await perigee.ended(), 1)
        assert.equal(perigee.stderr(), said)
      })
    })
})

describe('a command beside the only process of an installation without a broker', () => {
  it('does not wait for its end', async () => {
    const { environment, database } = await externalDatabase()
    await database.transaction(async ({ client }) => {
      await client.query('select pg_advisory_xact_lock(7305017212)')
      const perigee = spawnPerigee({ args: ['migrate'], environment })
      assert.equal(await perigee.ended(), 0, perigee.stderr())
    })
  })
})

/** Starts, expects exit code 1 and nothing but lines on stderr, and returns them. */
async function failure(environment: Record<string, string>, lines = 1): Promise<string> {
  const perigee = spawnPerigee({ args: ['start'], environment: { PERIGEE_DATA_DIR: newFolder(), ...environment } })
  assert.equal(await perigee.ended(), 1, perigee.stdout() + perigee.stderr())
  assert.equal(perigee.stdout(), '')
  assert.equal(perigee.stderr().split('\n').length, lines + 1, perigee.stderr())
  return perigee.stderr()
}

function external(url: string): Record<string, string> {
  return { PERIGEE_DATABASE_URL: url, PERIGEE_SECRET_KEY: secretKey }
}

async function externalDatabase(): Promise<{
  environment: Record<string, string>
  database: Database
  query: (text: string) => Promise<unknown>
}> {
  const database = await testDatabase()
  const { pool } = database
  const { rows } = await pool.query<{ name: string }>('select current_database() as name')
  const environment = external(urlOf({ ...testServer(), name: rows[0]?.name ?? '' }))
  return { environment, database, query: (text) => pool.query(text) }
}

function testServer(): { socket: string; user: string; password: string } {
  const {
    PERIGEE_TEST_SOCKET: socket = '',
    PERIGEE_TEST_USER: user = '',
    PERIGEE_TEST_PASSWORD: password = '',
  } = process.env
  return { socket, user, password }
}

function urlOf({
  socket,
  user,
  password,
  name,
}: {
  socket: string
  user: string
  password: string
  name: string
}): string {
  return `postgres://${user}:${password}@localhost/${name}?host=${encodeURIComponent(socket)}`
}

function portOf(address: AddressInfo | string | null): AddressInfo {
  assert.ok(typeof address === 'object' && address !== null)
  return address
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-start-'))
  chmodSync(folder, 0o711)
  folders.push(folder)
  return folder
}
