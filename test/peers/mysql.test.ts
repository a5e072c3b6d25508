import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { mysql } from '#kinds/database/mysql.ts'
import type { Verdict } from '#core/results/result.ts'
import { checkOnce } from '../support/check.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { startMariadb } from '../support/peers/mariadb.ts'
import { startOpenssh } from '../support/peers/openssh.ts'
import { testCertificates } from '../support/test-certificates.ts'
import { until } from '../support/until.ts'

type Options = Record<string, unknown>

const skip = skipReason(['mariadbd', 'mariadb-install-db', 'mariadb', 'sshd'])

describe('a mysql monitor at MariaDB', { skip }, async () => {
  const { root, good, expired, selfSigned } = testCertificates()
  setDefaultCACertificates([root.pem])
  const server = await startMariadb({ certificate: good })
  const plain = await startMariadb()
  for (const { ask } of [server, plain])
    ask(`install soname 'auth_ed25519'; create database shop; create table shop.kept (n int); insert into shop.kept values (1), (2);
      create user watcher identified by 'a secret'; create user open identified by '';
      create user umlaut identified by 'grün ﬁx'; create user curious identified via ed25519 using password('a secret');
      create user reader identified by 'a secret'; grant select on shop.* to reader;
      create user writer identified by 'a secret'; grant all on *.* to writer`)
  const watcher = { username: 'watcher', password: 'a secret' }
  const reader = { ...watcher, username: 'reader' }

  it('is up, and tells what the client tells', async () => {
    const { status, error, details, phases } = await check(server.port, watcher)
    assert.deepEqual([status, error, details['tls_protocol']], ['up', null, 'TLSv1.3'])
    assert.equal(details['server_version'], server.ask('select version()'))
    assert.ok(phases.tlsMs !== null && phases.ttfbMs !== null && phases.transferMs !== null)
  })

  it('signs in with and without TLS, with letters beyond ASCII, and without a password', async () => {
    assert.equal(await errorOf(plain.port, { ...watcher, security: 'none' }), null)
    assert.equal(await errorOf(server.port, { ...watcher, security: 'none' }), null)
    assert.equal(await errorOf(server.port, { username: 'umlaut', password: 'grün ﬁx' }), null)
    assert.equal(await errorOf(server.port, { username: 'open' }), null)
    assert.equal(
      await errorOf(plain.port, watcher),
      'The server offers no TLS. In a private network, set security to none',
    )
  })

  const refusals: [name: string, options: Options, error: string, database?: string][] = [
    ['a wrong password', { ...watcher, password: 'another' }, 'The server does not accept the user or the password'],
    ['no password', { username: 'watcher' }, 'The server does not accept the user or the password'],
    [
      'a user that is not there',
      { ...watcher, username: 'nobody' },
      'The server does not accept the user or the password',
    ],
    ['a database that is not there', { ...watcher, username: 'writer' }, 'The database does not exist', '/nothing'],
    ['a database that is not for the user', watcher, 'The user may not use the database', '/shop'],
    [
      'another way to sign in',
      { ...watcher, username: 'curious' },
      'The server wants to sign in by "client_ed25519", which this kind does not have',
    ],
  ]
  for (const [name, options, error, database] of refusals)
    it(`is down with ${name}`, async () => assert.equal(await errorOf(server.port, options, database), error))

  it('runs a statement of its own, and compares what it gives', async () => {
    const cases: [statement: string, options: Options, status: string, error: string | null][] = [
      ["select 'ok'", { expected_value: 'ok' }, 'up', null],
      ["select 'secret'", { expected_value: 'ok' }, 'down', 'The statement gave another value than the expected one'],
      ['select null', { expected_value: '' }, 'down', 'The statement gave another value than the expected one'],
      ['select n from kept where n > 5', { expected_value: '1' }, 'down', 'The statement gave no row'],
      ['select n from kept where n > 5', {}, 'up', null],
      ['select count(*) from kept', { max_value: 2 }, 'up', null],
      ['select count(*) from kept', { max_value: 1 }, 'degraded', 'The statement gave a larger number than 1'],
      ["select 'eight'", { max_value: 7.5 }, 'down', 'The statement gave no number'],
      ['select seq from seq_1_to_1000000', { expected_value: '1' }, 'up', null],
      [
        `select repeat('a', 70000)`,
        { expected_value: 'a' },
        'down',
        'The statement gave another value than the expected one',
      ],
      ['select nothing from nowhere', {}, 'down', `The statement is refused: "Table 'shop.nowhere' doesn't exist"`],
      ['select nothing from kept', {}, 'down', `The statement is refused: "Unknown column 'nothing' in 'SELECT'"`],
      ['select ~0 + 1', {}, 'down', 'The statement failed (error 1690)'],
    ]
    for (const [statement, options, status, error] of cases) {
      const verdict = await check(server.port, { ...reader, statement, ...options }, { rest: '/shop' })
      assert.deepEqual([verdict.status, verdict.error], [status, error], statement)
      assert.ok(!JSON.stringify(verdict).includes('secret'), statement)
    }
  })

  it('takes one statement alone', async () => {
    const error = await errorOf(server.port, { ...reader, statement: 'select 1; select 2' })
    assert.match(String(error), /^The statement is refused: "You have an error in your SQL syntax/)
  })

  it('changes nothing, even where the user may', async () => {
    server.ask('create sequence shop.numbers')
    const writer = { ...watcher, username: 'writer' }
    const statement = 'select nextval(shop.numbers)'
    const error = 'The statement wants to change something, which it may not'
    assert.equal(await errorOf(server.port, { ...writer, statement }), error)
    assert.equal(server.ask('select nextval(shop.numbers)'), '1')
  })

  it('ends a statement in time, and leaves no session behind', async () => {
    const { error } = await check(server.port, { ...watcher, statement: 'select sleep(20)' }, { timeoutMs: 500 })
    assert.match(String(error), /^(?:Timed out after 500 ms|The statement)/)
    const sessions = "select count(*) from information_schema.processlist where user = 'watcher'"
    await until('the sessions to end', () => server.ask(sessions) === '0')
  })

  it('is down where there are too many connections', async () => {
    server.ask("create user crowd identified by 'a secret' with max_user_connections 1")
    const crowd = { ...watcher, username: 'crowd' }
    const first = check(server.port, { ...crowd, statement: 'select sleep(2)' })
    await until(
      'the only place to be taken',
      () => server.ask("select count(*) from information_schema.processlist where user = 'crowd'") === '1',
    )
    assert.equal(await errorOf(server.port, crowd), 'The server has too many connections')
    assert.equal((await first).error, null)
  })

  it('judges the certificate', async () => {
    for (const [certificate, error] of [
      [expired, /^The certificate of 127\.0\.0\.1 expired on/],
      [selfSigned, /^The certificate of 127\.0\.0\.1 is self-signed/],
    ] as const) {
      const { port, ask } = await startMariadb({ certificate })
      ask("create user watcher identified by 'a secret'")
      assert.match(String(await errorOf(port, watcher)), error)
      assert.equal(await errorOf(port, { ...watcher, accept_any_certificate: true }), null)
    }
  })

  it('is down at another server', async () => {
    const ssh = await startOpenssh()
    for (const security of ['none', 'tls'])
      assert.equal(
        await errorOf(ssh.port, { ...watcher, security }),
        'Not a MySQL or MariaDB server: it answers otherwise',
      )
  })
})

function check(port: number, options: Options, { rest = '', timeoutMs = 5000 } = {}): Promise<Verdict> {
  return checkOnce(mysql, { url: `mysql://127.0.0.1:${port}${rest}`, options, timeoutMs })
}

async function errorOf(port: number, options: Options, rest = ''): Promise<string | null> {
  return (await check(port, options, { rest })).error
}
