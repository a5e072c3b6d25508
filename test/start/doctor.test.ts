import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { doctorReportSchema, type Finding } from '#core/doctor-report.ts'
import { testDatabase } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'perigee-doctor-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Nothing outside of this machine is asked. */
const inside = {
  HOME: folder,
  PERIGEE_DATA_DIR: join(folder, 'none'),
  PERIGEE_ROOT_SERVERS: 'off',
  PERIGEE_DNS_SERVERS: '127.0.0.1:1',
}
const secretKey = Buffer.alloc(32, 3).toString('base64')

type Said = { code: number | string; findings: Finding[]; text: string; ms: number }

async function examine(environment: Readonly<Record<string, string>>, args: string[] = []): Promise<Said> {
  const startedAt = performance.now()
  const perigee = spawnPerigee({ args: ['doctor', '--json', ...args], environment: { ...inside, ...environment } })
  const code = await perigee.ended()
  const text = perigee.stdout()
  assert.equal(perigee.stderr(), '')
  return {
    code,
    findings: doctorReportSchema.parse(JSON.parse(text)).findings,
    text,
    ms: performance.now() - startedAt,
  }
}

function finding({ findings, text }: Said, check: string, subject: string): Finding {
  const found = findings.find((each) => each.check === check && each.subject === subject)
  assert.ok(found !== undefined, `${check}: ${subject} is not in ${text}`)
  return found
}

async function listening(onConnection: (socket: Socket) => void): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  after(close)
  return { port: addressOf(server.address()).port, close }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  assert.ok(typeof address === 'object' && address !== null)
  return address
}

describe('perigee doctor', () => {
  it('looks at a service that runs, and at one that does not', async () => {
    const service = serviceFolder()
    const place = { HOME: service.path, PERIGEE_DATA_DIR: service.dataFolder }
    const running = service.start({})
    await running.printed(/^Perigee is at (\S+)\n/)
    await until('the location is written down', async () => {
      const { findings } = await examine(place)
      return findings.some(
        ({ check, subject, verdict }) => check === 'locations' && subject === 'local' && verdict === 'good',
      )
    })
    const well = await examine(place)
    assert.equal(finding(well, 'service', 'process').verdict, 'good')
    assert.match(finding(well, 'database', 'connection').found, /^The embedded database answers: PostgreSQL \d+/)
    for (const subject of ['changes', 'rights', 'connections', 'round trip', 'room'])
      assert.equal(finding(well, 'database', subject).verdict, 'good', subject)
    assert.equal(finding(well, 'schema', 'release').verdict, 'good')
    assert.equal(finding(well, 'schema', 'checksums').verdict, 'good')
    assert.equal(finding(well, 'clock', 'database').verdict, 'good')
    assert.match(finding(well, 'bus', 'broker').found, /^The bus is in this process/)

    running.child.kill('SIGTERM')
    await running.ended()
    const stopped = await examine(place)
    const connection = finding(stopped, 'database', 'connection')
    assert.equal(connection.verdict, 'not_looked_at')
    assert.match(connection.found, /The doctor does not start it/)
    assert.equal(finding(stopped, 'service', 'process').verdict, 'warning')
  })

  it('says what is wrong with a configuration with which nothing starts, and looks at the rest', async () => {
    const key = join(folder, 'key')
    writeFileSync(key, `${secretKey}\n`)
    chmodSync(key, 0o644)
    const said = await examine({
      PERIGEE_PORT: 'many',
      PERIGEE_PUBLIC_URL: 'up.example.com',
      PERIGEE_PROT: '80',
      PERIGEE_SECRET_KEY_FILE: key,
      PERIGEE_METRICS_TOKEN: 'short-and-secret',
      PERIGEE_SMTP_URL: 'http://me:hidden@mail.example.com',
    })
    assert.equal(said.code, 1)
    const problems = said.findings.filter(({ check, subject }) => check === 'configuration' && subject === 'start')
    assert.deepEqual(
      problems.map(({ found }) => found.split(' ')[0]).toSorted((one = '', other = '') => (one < other ? -1 : 1)),
      ['PERIGEE_PORT', 'PERIGEE_PUBLIC_URL', 'PERIGEE_SMTP_URL'],
    )
    assert.match(finding(said, 'configuration', 'unknown variable').advice ?? '', /^Did you mean PERIGEE_PORT\?/)
    assert.equal(finding(said, 'files', 'PERIGEE_SECRET_KEY_FILE').verdict, 'warning')
    assert.equal(finding(said, 'mail', 'server').verdict, 'not_looked_at')
    assert.equal(finding(said, 'own address', 'answer').verdict, 'not_looked_at')
    for (const secret of ['short-and-secret', 'hidden', secretKey]) assert.ok(!said.text.includes(secret), secret)
  })

  it('tries a mail server, and sends a message where it is told to', async () => {
    const server = await startMailServer()
    const mail = { PERIGEE_SMTP_URL: server.url, PERIGEE_MAIL_FROM: 'alerts@example.com' }
    const tried = await examine(mail)
    assert.equal(finding(tried, 'mail', 'server').verdict, 'good')
    assert.equal(finding(tried, 'mail', 'message').verdict, 'not_looked_at')
    assert.equal(server.received.length, 0)

    const sent = await examine(mail, ['--mail-to', 'me@example.com'])
    assert.equal(finding(sent, 'mail', 'message').verdict, 'good')
    assert.deepEqual(
      server.received.map(({ to }) => to),
      [['me@example.com']],
    )

    server.refuse({ recipient: () => ({ code: 550, text: 'No such person' }) })
    const refused = await examine(mail, ['--mail-to', 'me@example.com'])
    assert.match(finding(refused, 'mail', 'message').found, /No such person/)
    assert.equal(refused.code, 1)
  })

  it('tells a closed port, and ends in time beside a server that hangs', async () => {
    const closed = await listening(() => {})
    closed.close()
    const refused = await examine({ PERIGEE_SMTP_URL: `smtp://me:hidden@127.0.0.1:${closed.port}` })
    assert.match(finding(refused, 'mail', 'server').found, /ECONNREFUSED/)
    assert.ok(!refused.text.includes('hidden'))

    const silent = await listening(() => {})
    const hanging = await examine({
      PERIGEE_SMTP_URL: `smtp://127.0.0.1:${silent.port}`,
      PERIGEE_DATABASE_URL: `postgres://me:hidden@127.0.0.1:${silent.port}/perigee`,
      PERIGEE_SECRET_KEY: secretKey,
      PERIGEE_PUBLIC_URL: `http://127.0.0.1:${silent.port}`,
      PERIGEE_NATS_URL: `nats://me:hidden@127.0.0.1:${silent.port}`,
    })
    for (const check of ['mail', 'database', 'own address', 'bus'])
      assert.ok(
        hanging.findings.some((each) => each.check === check && each.verdict === 'bad'),
        `${check} in ${hanging.text}`,
      )
    assert.ok(!hanging.text.includes('hidden'))
    assert.equal(hanging.code, 1)
    assert.ok(hanging.ms < 30_000, `${hanging.ms} ms`)
  })

  it('looks at a database of a newer release', async () => {
    const database = await testDatabase()
    await database.pool.query(
      `insert into schema_migrations (number, name, compatible_from, checksum) values (9999, 'later', 9999, 'other')`,
    )
    await database.pool.query(`update schema_migrations set checksum = 'other' where number = 2`)
    const { rows } = await database.pool.query<{ name: string }>('select current_database() as name')
    const said = await examine({ PERIGEE_DATABASE_URL: urlOf(rows[0]?.name ?? ''), PERIGEE_SECRET_KEY: secretKey })
    assert.match(finding(said, 'schema', 'release').found, /it needs schema 9999, but this release only knows \d+\.$/)
    assert.match(finding(said, 'schema', 'checksums').found, /0002-expiry\.sql/)
    assert.equal(finding(said, 'database', 'connection').verdict, 'good')
    assert.equal(said.code, 1)
  })

  it('refuses arguments that make no sense', async () => {
    for (const args of [['all'], ['--mail-to', 'someone'], ['--ntp', 'a b']]) {
      const perigee = spawnPerigee({ args: ['doctor', ...args], environment: inside })
      assert.equal(await perigee.ended(), 2)
    }
  })
})

function urlOf(name: string): string {
  const {
    PERIGEE_TEST_SOCKET: socket = '',
    PERIGEE_TEST_USER: user = '',
    PERIGEE_TEST_PASSWORD: password = '',
  } = process.env
  return `postgres://${user}:${password}@localhost/${name}?host=${encodeURIComponent(socket)}`
}
