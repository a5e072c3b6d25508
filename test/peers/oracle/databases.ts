import { redis } from '#kinds/database/redis.ts'
import { mysql } from '#kinds/database/mysql.ts'
import { startMariadb } from '../../support/peers/mariadb.ts'
import { postgresql } from '#kinds/database/postgresql.ts'
import { startPostgresql } from '../../support/peers/postgresql.ts'
import { type OracleCertificates, oracleCertificates } from './certificates.ts'
import { startOpenssh } from '../../support/peers/openssh.ts'
import { startRedis } from '../../support/peers/redis.ts'
import { freePort } from '../../support/free-port.ts'
import { rawServer } from '../../support/raw-server.ts'
import { failingSeconds, pluginArguments, silentSeconds, tcpModule, unknownName, usualSeconds } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'

/** Databases of Debian, and servers that are none. */
export async function databaseCases(): Promise<Case[]> {
  const silent = await rawServer(() => {})
  const others = { silent: silent.port, closed: await freePort(), ssh: (await startOpenssh()).port }
  const certificates = oracleCertificates()
  return [
    ...(await redisCases(others)),
    ...(await postgresqlCases(others, certificates)),
    ...(await mysqlCases(others, certificates)),
  ]
}

type Others = Record<'silent' | 'closed' | 'ssh', number>

async function redisCases({ silent, closed, ssh }: Others): Promise<Case[]> {
  const open = await startRedis()
  const guarded = await startRedis({ password: 'secret' })
  open.ask('SET', 'state', 'ok')
  open.ask('RPUSH', 'jobs', 'a', 'b', 'c')
  const signIn = 'AUTH secret\r\n'
  return [
    redisCase('good', { port: open.port }),
    redisCase('signed in', { port: guarded.port, options: { password: 'secret' }, before: signIn }),
    redisCase('password wanted', { port: guarded.port, error: /^The server wants a password/ }),
    redisCase('wrong password', {
      port: guarded.port,
      options: { password: 'another' },
      before: 'AUTH another\r\n',
      error: /^The server does not accept/,
    }),
    redisCase('value as expected', {
      port: open.port,
      options: { key: 'state', expected_value: 'ok' },
      asks: ['GET state', 'ok'],
    }),
    redisCase('another value', {
      port: open.port,
      options: { key: 'state', expected_value: 'no' },
      asks: ['GET state', 'no'],
      error: /^The key holds another value/,
    }),
    redisCase('list too long', {
      port: open.port,
      options: { list: 'jobs', max_list_length: 2 },
      asks: ['LLEN jobs', ':[012]$'],
      ours: 'degraded',
      error: /^The list has 3 entries/,
      state: 'CRITICAL',
      why: 'textWarns',
    }),
    redisCase('another protocol (OpenSSH)', { port: ssh, error: /^Not an answer of a Redis server/ }),
    redisCase('silent server', { port: silent, isSilent: true, error: /^Timed out after 1000 ms/ }),
    redisCase('connection refused', { port: closed, error: /^Connection refused by localhost/ }),
    redisCase('name that does not exist', { port: closed, host: unknownName.host, error: unknownName.error }),
  ]
}

type Asked = Omit<Wish, 'url' | 'command' | 'module' | 'check'> & {
  port: number
  host?: string
  options?: Record<string, unknown>
  /** What the oracles say first. */
  before?: string
  /** The command by which they ask, and what its answer has; a regular expression to the exporter. */
  asks?: readonly [command: string, answer: string]
  isSilent?: true
}

/** Neither oracle knows Redis: both send its commands as lines, and look for a text. */
function redisCase(name: string, asked: Asked): Case {
  const { port, host = 'localhost', options = {}, before = '', asks = ['PING', 'PONG'], isSilent, ...wish } = asked
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const [command, answer] = asks
  const text = answer.replace(/^:.*/, ':2')
  return toCase(redis, name, {
    ...wish,
    url: `redis://${host}:${port}`,
    target: `${host}:${port}`,
    check: { timeoutMs: seconds * 1000, options },
    command: [
      'check_tcp',
      ...pluginArguments({ host, port, seconds }),
      '-E',
      '-s',
      `${before}${command}\r\n`,
      '-e',
      text,
      '-M',
      'crit',
      ...(before === '' ? [] : ['-A', '-e', '+OK']),
    ],
    module: tcpModule(
      [
        ...(before === '' ? [] : [{ send: before.trim() }, { expect: '^\\+OK' }]),
        { send: command },
        { expect: answer },
      ],
      { seconds: wish.error === undefined ? seconds : Math.min(seconds, failingSeconds) },
    ),
  })
}

async function postgresqlCases({ silent, closed, ssh }: Others, certificates: OracleCertificates): Promise<Case[]> {
  const server = await startPostgresql({
    certificate: certificates.good,
    access: ['host all by_trust 127.0.0.1/32 trust'],
  })
  const expired = await startPostgresql({ certificate: certificates.expired })
  const plain = await startPostgresql()
  for (const { ask } of [server, expired, plain]) {
    ask("create role watcher login password 'secret'")
    ask('create role by_trust login')
  }
  const full = { username: 'crowd', password: 'secret' }
  server.ask("create role crowd login password 'secret' connection limit 0")
  const inClear = { security: 'none' }
  const sql = (name: string, asked: AskedInSql): Case => postgresqlCase(name, certificates.rootPath, asked)
  return [
    sql('good', { port: server.port }),
    sql('without a password', { port: server.port, options: { username: 'by_trust', password: undefined } }),
    sql('in clear text', { port: plain.port, options: inClear }),
    sql('statement as expected', { port: server.port, options: { statement: 'SELECT 7', max_value: 7 } }),
    sql('a number that is too large', {
      port: server.port,
      options: { statement: 'SELECT 8', max_value: 7 },
      ours: 'degraded',
      error: /^The statement gave a larger number than 7$/,
    }),
    sql('a statement that is refused', {
      port: server.port,
      options: { statement: 'SELECT nothing FROM nowhere' },
      error: /^The statement is refused/,
    }),
    sql('wrong password', {
      port: server.port,
      options: { password: 'another' },
      error: /^The server does not accept/,
    }),
    sql('another database', { port: server.port, database: 'nothing', error: /^The database does not exist$/ }),
    sql('too many connections', { port: server.port, options: full, error: /^The server has too many connections$/ }),
    sql('TLS that is not offered', { port: plain.port, error: /^The server offers no TLS/ }),
    sql('expired certificate', { port: expired.port, error: /expired on/ }),
    sql('another protocol (OpenSSH)', { port: ssh, error: /^Not a PostgreSQL server|sent more in clear text/ }),
    sql('silent server', { port: silent, isSilent: true, error: /^Timed out after 1000 ms/ }),
    sql('connection refused', { port: closed, error: /^Connection refused by localhost/ }),
    sql('name that does not exist', {
      port: closed,
      ...unknownName,
      state: 'UNKNOWN',
      why: 'unknownHost',
    }),
  ]
}

type AskedInSql = Omit<Asked, 'before' | 'asks'> & { database?: string }

function postgresqlCase(name: string, rootPath: string, asked: AskedInSql): Case {
  const { port, host = 'localhost', options = {}, database = 'postgres', isSilent, ...wish } = asked
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const access: Record<string, unknown> = { username: 'watcher', password: 'secret', ...options }
  const { username, password, statement, max_value: most, security } = access
  return toCase(postgresql, name, {
    ...wish,
    url: `postgresql://${host}:${port}/${database}`,
    check: { timeoutMs: seconds * 1000, options: JSON.parse(JSON.stringify(access)) },
    command: [
      'check_pgsql',
      '-H',
      host,
      '-P',
      String(port),
      '-t',
      String(seconds + 1),
      '-d',
      database,
      '-l',
      String(username),
      '-o',
      security === 'none' ? 'sslmode=disable' : `sslmode=verify-full sslrootcert=${rootPath}`,
      ...(typeof password === 'string' ? ['-p', password] : []),
      ...(typeof statement === 'string' ? ['-q', statement] : []),
      ...(typeof most === 'number' ? ['-W', String(most)] : []),
    ],
  })
}

async function mysqlCases({ silent, closed, ssh }: Others, certificates: OracleCertificates): Promise<Case[]> {
  const server = await startMariadb({ certificate: certificates.good })
  const expired = await startMariadb({ certificate: certificates.expired })
  const plain = await startMariadb()
  for (const { ask } of [server, expired, plain]) ask("create user watcher identified by 'secret'; create user open")
  server.ask("create user curious identified by 'secret' account lock")
  const large = { statement: 'SELECT 8', max_value: 7 }
  const sql = (name: string, asked: AskedInSql): Case => mysqlCase(name, certificates.rootPath, asked)
  return [
    sql('good', { port: server.port }),
    sql('without a password', { port: server.port, options: { username: 'open', password: undefined } }),
    sql('in clear text', { port: plain.port, options: { security: 'none' } }),
    sql('statement as expected', { port: server.port, options: { statement: 'SELECT 7', max_value: 7 } }),
    sql('a number that is too large', {
      port: server.port,
      options: large,
      ours: 'degraded',
      error: /^The statement gave a larger/,
    }),
    sql('a statement that is refused', {
      port: server.port,
      options: { statement: 'SELECT nothing FROM no.where_else' },
      error: /^The statement is refused/,
    }),
    sql('wrong password', {
      port: server.port,
      options: { password: 'another' },
      error: /^The server does not accept/,
    }),
    sql('a user that is locked', {
      port: server.port,
      options: { username: 'curious' },
      error: /^The server refuses the sign-in/,
    }),
    sql('another database', { port: server.port, database: 'mysql', error: /^The user may not use the database$/ }),
    sql('TLS that is not offered', {
      port: plain.port,
      error: /^The server offers no TLS/,
      state: 'OK',
      why: 'prefersTls',
    }),
    sql('expired certificate', { port: expired.port, error: /expired on/ }),
    sql('another protocol (OpenSSH)', { port: ssh, error: /^Not a MySQL or MariaDB server/ }),
    sql('silent server', { port: silent, isSilent: true, error: /^Timed out after 1000 ms/ }),
    sql('connection refused', { port: closed, error: /^Connection refused by 127/ }),
    sql('name that does not exist', { port: closed, ...unknownName, state: 'UNKNOWN', why: 'unknownHost' }),
  ]
}

/** The plugin takes the name localhost for a socket; statements are for another plugin, which knows no TLS. */
function mysqlCase(name: string, rootPath: string, asked: AskedInSql): Case {
  const { port, host = '127.0.0.1', options = {}, database = '', isSilent, ...wish } = asked
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const access: Record<string, unknown> = { username: 'watcher', password: 'secret', ...options }
  const { username, password, statement, max_value: most, security } = access
  const tls = security === 'none' || typeof statement === 'string' ? [] : ['-l', '-C', rootPath]
  return toCase(mysql, name, {
    ...wish,
    url: `mysql://${host}:${port}/${database}`,
    check: { timeoutMs: seconds * 1000, options: JSON.parse(JSON.stringify(access)) },
    // It waits for a silent server without an end.
    ...(isSilent === true
      ? {}
      : {
          command: [
            typeof statement === 'string' ? 'check_mysql_query' : 'check_mysql',
            '-H',
            host,
            '-P',
            String(port),
            '-u',
            String(username),
            '-p',
            typeof password === 'string' ? password : '',
            ...(database === '' ? [] : ['-d', database]),
            ...(typeof statement === 'string' ? ['-q', statement] : []),
            ...(typeof most === 'number' ? ['-w', String(most)] : []),
            ...tls,
          ],
        }),
  })
}
