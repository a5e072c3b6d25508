import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { postgresql } from '#kinds/database/postgresql.ts'
import type { Verdict } from '#core/results/result.ts'
import { checkOnce } from '../support/check.ts'
import { startOpenssh } from '../support/peers/openssh.ts'
import { postgresqlSkipReason, startPostgresql } from '../support/peers/postgresql.ts'
import { testCertificates } from '../support/test-certificates.ts'
import { until } from '../support/until.ts'

type Options = Record<string, unknown>

describe('a postgresql monitor at PostgreSQL', { skip: postgresqlSkipReason() }, async () => {
  const { root, good, expired, wrongName, selfSigned } = testCertificates()
  setDefaultCACertificates([root.pem])
  const methods = ['trust', 'md5', 'password', 'reject'].map((method) => `host all by_${method} 127.0.0.1/32 ${method}`)
  const server = await startPostgresql({ certificate: good, access: methods })
  const plain = await startPostgresql({ access: methods })
  for (const { ask } of [server, plain]) {
    ask("set password_encryption = 'md5'; create role by_md5 login password 'a secret'")
    for (const name of ['by_trust', 'by_password', 'by_reject', 'by_scram'])
      ask(`create role ${name} login password 'a secret'`)
    ask("create role umlaut login password 'grün ﬁx'")
    ask('create database shop')
  }
  const scram = { username: 'by_scram', password: 'a secret' }

  it('is up, and tells what psql tells', async () => {
    const { status, error, details, phases } = await check(server.port, scram)
    assert.deepEqual([status, error], ['up', null])
    assert.deepEqual(details, {
      server_version: server.ask('show server_version'),
      role: 'primary',
      tls_protocol: 'TLSv1.3',
    })
    assert.ok(phases.tlsMs !== null && phases.ttfbMs !== null && phases.transferMs !== null)
  })

  for (const username of ['by_trust', 'by_md5', 'by_password', 'by_scram'])
    it(`signs in ${username}, within TLS`, async () => {
      assert.equal(await errorOf(server.port, { username, password: 'a secret' }), null)
    })

  it('signs in with letters beyond ASCII, as psql does', async () => {
    assert.equal(await errorOf(server.port, { username: 'umlaut', password: 'grün ﬁx' }), null)
  })

  it('tells no password in clear text, and signs in otherwise where there is no TLS', async () => {
    const inClear = { security: 'none', password: 'a secret' }
    assert.equal(await errorOf(plain.port, { username: 'by_scram', ...inClear }), null)
    assert.equal(await errorOf(plain.port, { username: 'by_md5', ...inClear }), null)
    assert.match(
      String(await errorOf(plain.port, { username: 'by_password', ...inClear })),
      /^The server wants the password in clear text/,
    )
    assert.equal(
      await errorOf(plain.port, scram),
      'The server offers no TLS. In a private network, set security to none',
    )
  })

  const refusals: [name: string, options: Options, error: RegExp, database?: string][] = [
    ['a wrong password', { ...scram, password: 'another' }, /^The server does not accept the user or the password$/],
    [
      'a user that is not there',
      { ...scram, username: 'nobody' },
      /^The server does not accept the user or the password$/,
    ],
    ['no password', { username: 'by_scram' }, /^The server wants a password: set check_options.password$/],
    [
      'a user that is turned away',
      { ...scram, username: 'by_reject' },
      /^The server does not let this user in: "pg_hba.conf rejects connection/,
    ],
    ['a database that is not there', scram, /^The database does not exist$/, 'nothing'],
  ]
  for (const [name, options, error, database] of refusals)
    it(`is down with ${name}`, async () => assert.match(String(await errorOf(server.port, options, database)), error))

  it('runs a statement of its own, and compares what it gives', async () => {
    const cases: [statement: string, options: Options, status: string, error: string | null][] = [
      ["select 'ok'", { expected_value: 'ok' }, 'up', null],
      ["select 'secret'", { expected_value: 'ok' }, 'down', 'The statement gave another value than the expected one'],
      ['select null', { expected_value: '' }, 'down', 'The statement gave another value than the expected one'],
      ['select 1 where false', { expected_value: '1' }, 'down', 'The statement gave no row'],
      ['select 1 where false', {}, 'up', null],
      ['select 7.5', { max_value: 7.5 }, 'up', null],
      ['select 8', { max_value: 7.5 }, 'degraded', 'The statement gave a larger number than 7.5'],
      ["select 'eight'", { max_value: 7.5 }, 'down', 'The statement gave no number'],
      ['show server_encoding', { expected_value: 'UTF8' }, 'up', null],
      ['select n from generate_series(1, 1000000) n', { expected_value: '1' }, 'up', null],
      ['select nothing from nowhere', {}, 'down', 'The statement is refused: "relation "nowhere" does not exist"'],
      ["select 'secret'::int", {}, 'down', 'The statement failed (SQLSTATE 22P02)'],
      [
        'select 1; select 2',
        {},
        'down',
        'The statement is refused: "cannot insert multiple commands into a prepared statement"',
      ],
      [
        'with gone as (delete from pg_class returning 1) select 1',
        {},
        'down',
        'The statement wants to change something, which it may not',
      ],
      ['select pg_sleep(20)', {}, 'down', 'The statement took longer than the check may take'],
    ]
    for (const [statement, options, status, error] of cases) {
      const verdict = await check(server.port, { ...scram, statement, ...options }, { timeoutMs: 3000 })
      assert.ok(!JSON.stringify(verdict).includes('secret'), statement)
      const isSlow = statement.includes('pg_sleep')
      if (isSlow) assert.match(String(verdict.error), /longer than the check|Timed out after 3000 ms/)
      else assert.deepEqual([verdict.status, verdict.error], [status, error], statement)
    }
  })

  it('changes nothing, even as a superuser', async () => {
    server.ask(
      "create table kept (n int); insert into kept values (1); create role boss superuser login password 'a secret'",
    )
    const boss = { ...scram, username: 'boss' }
    const statement = 'with gone as (delete from kept returning n) select n from gone'
    assert.equal(
      await errorOf(server.port, { ...boss, statement }),
      'The statement wants to change something, which it may not',
    )
    assert.equal(server.ask('select count(*) from kept'), '1')
  })

  it('ends a statement in time, and leaves no session behind', async () => {
    await check(server.port, { ...scram, statement: 'select pg_sleep(20)' }, { timeoutMs: 500 })
    const sessions = "select count(*) from pg_stat_activity where application_name = 'perigee'"
    await until('the sessions to end', () => server.ask(sessions) === '0')
  })

  it('tells a replica from its primary', async () => {
    const replica = await startPostgresql({ primaryPort: plain.port })
    const options = { username: 'by_scram', password: 'a secret', security: 'none' }
    const { details } = await check(replica.port, options)
    assert.equal(details['role'], 'replica')
    assert.equal(await errorOf(replica.port, { ...options, expected_role: 'replica' }), null)
    assert.equal(
      await errorOf(replica.port, { ...options, expected_role: 'primary' }),
      'The server is a replica, expected a primary',
    )
    assert.equal(await errorOf(plain.port, { ...options, expected_role: 'primary' }), null)
    assert.equal(
      await errorOf(plain.port, { ...options, expected_role: 'replica' }),
      'The server is a primary, expected a replica',
    )
  })

  it('judges the certificate', async () => {
    for (const [certificate, error] of [
      [expired, /^The certificate of 127\.0\.0\.1 expired on/],
      [wrongName, /^The certificate is for other\.example, not for 127/],
      [selfSigned, /^The certificate of 127\.0\.0\.1 is self-signed/],
    ] as const) {
      const { port, ask } = await startPostgresql({ certificate })
      assert.match(String(await errorOf(port, scram)), error)
      ask("create role by_scram login password 'a secret'")
      assert.equal(await errorOf(port, { ...scram, accept_any_certificate: true }), null)
    }
  })

  it('is down where there are too many connections', async () => {
    server.ask("create role crowd login password 'a secret' connection limit 0")
    assert.equal(await errorOf(server.port, { ...scram, username: 'crowd' }), 'The server has too many connections')
  })

  it('is down at another server', async () => {
    const ssh = await startOpenssh()
    assert.match(String(await errorOf(ssh.port, { ...scram, security: 'none' })), /^Not a PostgreSQL server/)
    assert.match(String(await errorOf(ssh.port, scram)), /^Not a PostgreSQL server|sent more in clear text/)
  })
})

function check(port: number, options: Options, { database = 'shop', timeoutMs = 5000 } = {}): Promise<Verdict> {
  return checkOnce(postgresql, { url: `postgresql://127.0.0.1:${port}/${database}`, options, timeoutMs })
}

async function errorOf(port: number, options: Options, database = 'postgres'): Promise<string | null> {
  return (await check(port, options, { database })).error
}
