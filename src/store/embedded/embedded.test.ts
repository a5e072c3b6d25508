import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Client } from 'pg'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { guardName } from './embedded-guard.ts'
import { assertRuns } from './embedded-programs.ts'
import { socketFolderOf } from './embedded-socket.ts'
import { postgresProcesses, processIdentity } from './process-identity.ts'
import { StartError } from '#store/database/start-error.ts'
import { prepareData } from '../../../test/support/prepared-data.ts'
import { until } from '../../../test/support/until.ts'

const isRoot = process.getuid?.() === 0
/** Why other users cannot run the server's program, which lies in the checkout; false when all can. */
const closedCheckout = foldersAbove(import.meta.dirname).every((folder) => (statSync(folder).mode & 0o001) !== 0)
  ? false
  : 'the checkout lies where only its owner may enter'
const embeddedModule = new URL('./embedded.ts', import.meta.url).href
/** The cluster needs no power cut to survive; everything else is as in production. */
const settings = { fsync: 'off' }
/** Removed when every server is stopped. */
const folders: string[] = []
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

describe('startEmbedded', () => {
  it('starts, answers and stops, and leaves neither process nor socket', async () => {
    const folder = newFolder()
    const embedded = await start({ folder })
    const [row] = await ask(
      embedded,
      "select current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding, lower('ÄÖ') as lower",
    )
    assert.deepEqual(row, { checksums: 'on', encoding: 'UTF8', lower: 'äö' })
    const { pid } = { pid: embedded.pid() }
    await embedded.stop()
    assert.equal(processIdentity(pid), null)
    assert.deepEqual(postgresProcesses(clusterOf(folder)), [])
    assert.equal(existsSync(embedded.connection.socketFolder), false)
  })

  it('lets nobody in without the password, and other users not to the socket', async () => {
    const embedded = await start({ folder: newFolder() })
    await assert.rejects(ask({ connection: { ...embedded.connection, password: 'wrong' } }, 'select 1'), {
      code: '28P01',
    })
    assert.equal(statSync(embedded.connection.socketFolder).mode & 0o777, 0o700)
  })

  it('keeps what was written from one start to the next', async () => {
    const folder = newFolder()
    const first = await start({ folder })
    await ask(first, 'create table kept as select 7 as number')
    await first.stop()
    assert.deepEqual(await ask(await start({ folder }), 'select number from kept'), [{ number: 7 }])
  })

  it('begins anew where a start was killed while it made the database', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'postgres.new'))
    writeFileSync(join(folder, 'postgres.new', 'PG_VERSION'), '18\n')
    const embedded = await start({ folder })
    assert.deepEqual(await ask(embedded, 'select 1 as one'), [{ one: 1 }])
    assert.equal(existsSync(join(folder, 'postgres.new')), false)
  })

  it('starts the server again when it is killed, with everything that was committed', async () => {
    const notices: string[] = []
    const embedded = await start({ folder: preparedFolder(), onTrouble: (message) => notices.push(message) })
    await ask(embedded, 'create table counted (number integer)')
    for (let round = 1; round <= 3; round += 1) {
      await ask(embedded, `insert into counted values (${round})`)
      const killed = embedded.pid()
      process.kill(killed, 'SIGKILL')
      await until('another server', () => embedded.pid() !== killed)
      assert.deepEqual(await ask(embedded, 'select count(*)::integer as count from counted'), [{ count: round }])
    }
    assert.equal(notices.length, 3)
    assert.match(notices[0] ?? '', /^PostgreSQL ended \(SIGKILL\) and was started again after \d+ ms\.$/)
  })

  it('starts the server again while an orphan of the old one still computes', async () => {
    const embedded = await start({ folder: preparedFolder() })
    const busy = new Client({ ...clientOptions(embedded) })
    busy.on('error', () => {})
    await busy.connect()
    const computing = busy
      .query('select count(*) from generate_series(1, 100000000000)')
      .catch((error: unknown) => error)
    await until(
      'it computes',
      async () =>
        (
          await ask(
            embedded,
            "select 1 from pg_stat_activity where state = 'active' and query like '%generate_series(1, 1000%' and pid <> pg_backend_pid()",
          )
        ).length === 1,
    )
    const killed = embedded.pid()
    process.kill(killed, 'SIGKILL')
    await until('another server', () => embedded.pid() !== killed)
    assert.deepEqual(await ask(embedded, 'select 1 as one'), [{ one: 1 }])
    assert.ok((await computing) instanceof Error)
  })

  it('goes on trying while something hinders the server', async () => {
    const folder = preparedFolder()
    const notices: string[] = []
    const embedded = await start({ folder, onTrouble: (message) => notices.push(message) })
    const killed = embedded.pid()
    const log = join(folder, 'postgres.log')
    rmSync(log)
    mkdirSync(log)
    process.kill(killed, 'SIGKILL')
    await until('it says what hinders it', () => notices.length > 0)
    rmdirSync(log)
    await until('another server', () => embedded.pid() !== killed)
    assert.deepEqual(await ask(embedded, 'select 1 as one'), [{ one: 1 }])
    assert.match(
      notices[0] ?? '',
      /^PostgreSQL ended \(SIGKILL\) and cannot be started again yet: EISDIR: .*postgres\.log'$/,
    )
    await until('it says that it runs', () => notices.length === 2)
  })

  it('gives up when the server ends again and again', async () => {
    const embedded = await start({ folder: preparedFolder() })
    const failed = embedded.failed.then((error) => error.message)
    for (let kills = 0; kills <= 30; kills += 1) {
      const killed = embedded.pid()
      process.kill(killed, 'SIGKILL')
      if (kills < 30) await until('another server', () => embedded.pid() !== killed)
    }
    assert.match(await failed, /^PostgreSQL ended more than 30 times within a minute, the last time by SIGKILL/)
    await embedded.stop()
  })

  it('stops a server that a killed process left behind, and starts its own', async () => {
    const folder = preparedFolder()
    const left = await startInProcess(folder)
    for (const guard of guardsOf(left.serverPid)) process.kill(guard, 'SIGKILL')
    left.kill()
    assert.notEqual(processIdentity(left.serverPid), null, 'it was left behind')
    const embedded = await start({ folder })
    assert.notEqual(embedded.pid(), left.serverPid)
    assert.equal(processIdentity(left.serverPid), null)
    assert.deepEqual(await ask(embedded, 'select 1 as one'), [{ one: 1 }])
  })

  for (const [how, end] of [
    ['ends by an uncaught error', (left: LeftBehind) => left.crash()],
    ['has no more room in its heap', (left: LeftBehind) => left.fillHeap()],
    ['is killed', (left: LeftBehind) => left.kill()],
  ] as const)
    it(`ends the server when its own process ${how}`, async () => {
      const left = await startInProcess(preparedFolder())
      assert.equal(guardsOf(left.serverPid).length, 1)
      end(left)
      await until('the server has ended', () => processIdentity(left.serverPid) === null)
      await until('its guard has ended', () => guardsOf(left.serverPid).length === 0)
    })

  it('leaves no guard of a server that was stopped or killed', async () => {
    const embedded = await start({ folder: preparedFolder() })
    const first = embedded.pid()
    process.kill(first, 'SIGKILL')
    await until('another server', () => embedded.pid() !== first)
    const second = embedded.pid()
    await embedded.stop()
    await until('their guards have ended', () => guardsOf(first).length + guardsOf(second).length === 0)
  })

  it('is not stopped by a file of a dead server whose pid went to another process', async () => {
    const folder = preparedFolder()
    await (await start({ folder })).stop()
    writeFileSync(join(folder, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(folder, 'postgres')}\n`)
    assert.deepEqual(await ask(await start({ folder }), 'select 1 as one'), [{ one: 1 }])
  })

  it('gives up starting when it is told to', async () => {
    const giveUp = new AbortController()
    const folder = newFolder()
    const starting = startEmbedded({ folder, settings, signal: giveUp.signal })
    await until('it has begun', () => existsSync(join(folder, 'postgres.new', 'PG_VERSION')))
    giveUp.abort()
    await assert.rejects(starting, { name: 'AbortError' })
    const left = readdirSync(join(folder, 'postgres.new'))
    assert.deepEqual(left, [], 'or else it would be removed while the next start makes its own')
    assert.deepEqual(await ask(await start({ folder }), 'select 1 as one'), [{ one: 1 }])
  })

  if (isRoot) {
    it('runs as nobody where the way is open to all', { skip: closedCheckout }, async () => {
      const folder = newFolder(0o711)
      const embedded = await start({ folder })
      assert.deepEqual([uidOf(embedded.pid()), statSync(join(folder, 'postgres', 'PG_VERSION')).uid], [65_534, 65_534])
    })

    it('runs in a user namespace where only root may enter, and stays there when the way is opened', async () => {
      const folder = newFolder(0o700)
      const embedded = await start({ folder })
      assert.deepEqual([uidOf(embedded.pid()), statSync(join(folder, 'postgres', 'PG_VERSION')).uid], [0, 0])
      await embedded.stop()
      chmodSync(folder, 0o711)
      assert.deepEqual(await ask(await start({ folder }), 'select 1 as one'), [{ one: 1 }])
    })

    it('says what to open when the way to existing data of nobody was closed', { skip: closedCheckout }, async () => {
      const folder = newFolder(0o711)
      await (await start({ folder })).stop()
      chmodSync(folder, 0o700)
      await refused({ folder }, /belongs to user 65534, who may not enter .* \(chmod o\+x\)\.$/)
    })
  }
})

describe('startEmbedded refuses in one line', () => {
  it('data of another major release', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'postgres'))
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '17\n')
    await refused(
      { folder },
      /was created by PostgreSQL 17, but this release has PostgreSQL 18\. Start the release that created it/,
    )
  })

  it('data whose password is missing or wrong', async () => {
    const folder = preparedFolder()
    await (await start({ folder })).stop()
    const file = join(folder, 'postgres.password')
    writeFileSync(file, 'another\n')
    await refused({ folder }, /postgres\.password does not hold the password of the database next to it/)
    assert.deepEqual(postgresProcesses(clusterOf(folder)), [])
    rmSync(file)
    await refused({ folder }, /postgres\.password is missing/)
  })

  it('a socket folder that somebody else has made', async () => {
    const folder = preparedFolder()
    await (await start({ folder })).stop()
    const socketFolder = socketFolderOf(clusterOf(folder))
    mkdirSync(socketFolder)
    chmodSync(socketFolder, 0o777)
    await refused({ folder }, /is not a private folder of this user/)
    rmSync(socketFolder, { recursive: true })
  })

  it('a system on which PostgreSQL does not run', () => {
    const programs = { server: join(newFolder(), 'postgres'), initialiser: 'initdb', major: '18' }
    assert.throws(
      () => assertRuns(programs),
      (error) => error instanceof StartError && /which may lack glibc \(.*ENOENT\)\. Set /.test(error.message),
    )
  })

  it('a server that does not start, with its last words', async () => {
    await refused(
      { folder: preparedFolder(), settings: { shared_buffers: 'plenty' } },
      /^PostgreSQL did not start \(exit code 1\): FATAL: .*shared_buffers.*postgres\.log\)\.$/,
    )
  })
})

async function start(options: EmbeddedOptions): Promise<Embedded> {
  const embedded = await startEmbedded({ settings, ...options })
  after(() => embedded.stop())
  return embedded
}

async function refused(options: EmbeddedOptions, expected: RegExp): Promise<void> {
  const error = await startEmbedded(options).then(
    () => assert.fail('it started'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof StartError, String(error))
  assert.match(error.message, expected)
  assert.ok(!error.message.includes('\n'))
}

type LeftBehind = { serverPid: number; kill: () => void; crash: () => void; fillHeap: () => void }

/** A process of its own that starts the database, for endings that this one must survive. */
async function startInProcess(folder: string): Promise<LeftBehind> {
  const source = `
    const { startEmbedded } = await import(${JSON.stringify(embeddedModule)})
    const embedded = await startEmbedded({ folder: process.argv[1], settings: ${JSON.stringify(settings)} })
    const kept = []
    process.stdin.on('data', (what) => setImmediate(() => {
      while (String(what) === 'fill') kept.push(new Array(100_000).fill(kept.length))
      throw new Error('uncaught')
    }))
    process.stdout.write(String(embedded.pid()))`
  const child = spawn(process.execPath, ['--max-old-space-size=64', '--input-type=module', '-e', source, folder], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  after(() => child.kill('SIGKILL'))
  const [pid] = await once(child.stdout.setEncoding('utf8'), 'data')
  return {
    serverPid: Number(pid),
    kill: () => void child.kill('SIGKILL'),
    crash: () => void child.stdin.write('throw'),
    fillHeap: () => void child.stdin.write('fill'),
  }
}

/** The processes that would end this server if the one that started it died. */
function guardsOf(serverPid: number): number[] {
  const list = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], { encoding: 'utf8' })
  const found = list.matchAll(new RegExp(`^\\s*(\\d+) [^Z]\\S*\\s.*${guardName} ${serverPid}$`, 'gm'))
  return Array.from(found, ([, pid]) => Number(pid))
}

async function ask({ connection }: Pick<Embedded, 'connection'>, statement: string): Promise<unknown[]> {
  const client = new Client(clientOptions({ connection }))
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

function clientOptions({ connection: { socketFolder: host, ...rest } }: Pick<Embedded, 'connection'>) {
  return { host, ...rest }
}

function uidOf(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

function clusterOf(folder: string): string {
  return join(realpathSync(folder), 'postgres')
}

function newFolder(mode = 0o711): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-embedded-'))
  chmodSync(folder, mode)
  folders.push(folder)
  return folder
}

/** With a database as `npm test` prepared it, because making one takes most of a start. */
function preparedFolder(): string {
  const folder = join(newFolder(), 'data')
  prepareData(folder)
  return folder
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersAbove(above)]
}
