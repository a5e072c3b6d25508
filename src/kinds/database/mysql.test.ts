import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { checkOnce } from '../../../test/support/check.ts'
import {
  goodMysql,
  mysqlChange,
  mysqlEnd,
  mysqlError,
  mysqlGreeting,
  mysqlKnown,
  mysqlOk,
  mysqlRows,
  mysqlSalt,
  mysqlStandIn,
  mysqlWanted,
} from '../../../test/support/mysql-stand-in.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { until } from '../../../test/support/until.ts'
import { mysql } from './mysql.ts'

type Options = Record<string, unknown>
type Wish = Partial<Parameters<typeof mysqlStandIn>[0]>

const { root, good } = testCertificates()
setDefaultCACertificates([root.pem])
const inClear = { username: 'ann', password: 'secret', security: 'none' }

function check(port: number, options: Options = inClear, rest = ''): Promise<Verdict> {
  return checkOnce(mysql, { url: `mysql://127.0.0.1:${port}${rest}`, options })
}

async function errorAt(wish: Wish, options: Options = inClear): Promise<string | null> {
  const { port } = await mysqlStandIn({ answer: goodMysql, ...wish })
  return (await check(port, options)).error
}

/** Answers the sign-in as told, and the rest well. */
function signIn(...bodies: readonly Buffer[]): Wish {
  return { answer: (body, isSignIn) => (isSignIn ? bodies : goodMysql(body, false)) }
}

/** Answers queries as told. */
function queries(...bodies: readonly Buffer[]): Wish {
  return { answer: (body, isSignIn) => (isSignIn ? goodMysql(body, true) : bodies) }
}

function sha256(...parts: readonly Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)))
}

function sha1(...parts: readonly Buffer[]): Buffer {
  return createHash('sha1').update(Buffer.concat(parts)).digest()
}

/** Wants the password itself. */
function wantingAll(body: Buffer, isSignIn: boolean): readonly Buffer[] {
  if (isSignIn) return [mysqlWanted]
  return body.equals(Buffer.from('secret\0')) ? [mysqlOk] : goodMysql(body, false)
}

describe('a MySQL server', () => {
  it('is told who asks for which database, and is asked for one row', async () => {
    const server = await mysqlStandIn({ answer: goodMysql })
    const { status, error, details } = await check(server.port, inClear, '/my%20shop')
    assert.deepEqual([status, error, details], ['up', null, { server_version: '8.4.3' }])
    await until('the farewell', () => server.heard.length === 3)
    const [signedIn = Buffer.alloc(0), query, end] = server.heard
    const once = sha256(Buffer.from('secret'))
    const scramble = xor(once, sha256(sha256(once), mysqlSalt))
    assert.deepEqual(
      signedIn.subarray(32),
      Buffer.concat([
        Buffer.from('ann\0'),
        Buffer.from([32]),
        scramble,
        Buffer.from('my shop\0caching_sha2_password\0'),
      ]),
    )
    assert.deepEqual([String(query), end], ['\u0003SELECT 1', Buffer.from([1])])
  })

  it('is never offered files, nor several statements at once', async () => {
    const server = await mysqlStandIn({ answer: goodMysql })
    await check(server.port)
    const capability = server.heard[0]?.readUInt32LE(0) ?? assert.fail('Nothing was said.')
    const [localFiles, severalStatements, severalResults] = [0x80, 0x10000, 0x20000]
    assert.equal(capability & (localFiles | severalStatements | severalResults), 0)
  })

  it('is told the password itself within TLS alone', async () => {
    const server = await mysqlStandIn({ answer: wantingAll, certificate: good })
    const { status, details } = await check(server.port, { username: 'ann', password: 'secret' })
    assert.deepEqual([status, details['tls_protocol']], ['up', 'TLSv1.3'])
    const other = await mysqlStandIn({ answer: wantingAll })
    const { error } = await check(other.port)
    assert.equal(error, 'The server wants the password in clear text, which is told within TLS alone')
    assert.equal(other.heard.length, 1)
  })

  it('gets a statement of its owner in a transaction that only reads, with a limit of time', async () => {
    for (const [version, limit] of [
      ['8.4.3', 'SET SESSION max_execution_time = 3000'],
      ['5.5.5-10.11.6-MariaDB', 'SET SESSION max_statement_time = 3'],
    ] as const) {
      const server = await mysqlStandIn({ answer: goodMysql, greeting: mysqlGreeting({ version }) })
      const { error, details } = await check(server.port, {
        ...inClear,
        statement: 'SELECT state',
        expected_value: 'ok',
      })
      assert.deepEqual([error, details['server_version']], [null, version.replace('5.5.5-', '')])
      await until('the farewell', () => server.heard.length === 6)
      const asked = server.heard.slice(1).map((body) => body.toString('utf8', 1))
      assert.deepEqual(asked, [
        limit,
        'SET SESSION sql_select_limit = 1',
        'START TRANSACTION READ ONLY',
        'SELECT state',
        '',
      ])
    }
  })
})

describe('what a MySQL server answers', () => {
  const native = mysqlGreeting({ plugin: 'mysql_native_password' })
  const notMysql = 'Not a MySQL or MariaDB server: it answers otherwise'
  const cases: [name: string, wish: Wish, error: string | null, options?: Options][] = [
    ['the usual sign-in of before', { ...signIn(mysqlOk), greeting: native }, null],
    ['a user without a password', signIn(mysqlOk), null, { username: 'ann', security: 'none' }],
    [
      'no TLS',
      { greeting: mysqlGreeting({ hasTls: false }) },
      'The server offers no TLS. In a private network, set security to none',
      { username: 'ann' },
    ],
    ['another way that is known', { answer: changing('mysql_native_password') }, null],
    [
      'another way that is not',
      signIn(mysqlChange('mysql_clear_password')),
      'The server wants to sign in by "mysql_clear_password", which this kind does not have',
    ],
    ['one other way after the other', { answer: () => [mysqlChange('mysql_native_password')] }, notMysql],
    ['a mark that is not of this way', { ...signIn(mysqlKnown), greeting: native }, notMysql],
    [
      'a password that is wrong',
      signIn(mysqlError(1045, "Access denied for user 'ann'")),
      'The server does not accept the user or the password',
    ],
    ['a database that is not for the user', signIn(mysqlError(1044, 'x')), 'The user may not use the database'],
    ['a database that is missing', signIn(mysqlError(1049, 'x')), 'The database does not exist'],
    [
      'too many connections, before the greeting',
      { greeting: mysqlError(1040, 'Too many connections') },
      'The server has too many connections',
    ],
    [
      'a host that is turned away',
      { greeting: mysqlError(1130, "Host 'a' is not allowed") },
      `The server turns this location away: "Host 'a' is not allowed"`,
    ],
    [
      'another refusal, with the secrets',
      signIn(mysqlError(1820, 'ann, change secret')),
      'The server refuses the sign-in: "***, change ***"',
    ],
    [
      'a file that is asked for',
      queries(Buffer.from('\u00fb/etc/passwd', 'latin1')),
      'The server asks for a file of this location, which is what an attacker would do',
    ],
    ['another number', queries(...mysqlRows('2')), 'The server does not answer SELECT 1 with 1'],
    ['no rows', queries(...mysqlRows()), 'The server does not answer SELECT 1 with 1'],
    ['NULL', queries(...mysqlRows(null)), 'The server does not answer SELECT 1 with 1'],
    ['no result', queries(mysqlOk), 'The server does not answer SELECT 1 with 1'],
    ['columns without an end', queries(Buffer.from([1]), Buffer.from('a column'), Buffer.from('another')), notMysql],
    [
      'a row that is cut',
      queries(Buffer.from([1]), Buffer.from('a column'), mysqlEnd, Buffer.from([5, 0x61])),
      'The server sent a row that cannot be read',
    ],
    [
      'an error over a value',
      queries(mysqlError(1690, 'value is out of range in "a secret value"')),
      'The statement failed (error 1690)',
    ],
    [
      'a mistake in a statement',
      queries(mysqlError(1064, 'You have an error')),
      'The statement is refused: "You have an error"',
    ],
    [
      'a statement that takes too long',
      queries(mysqlError(3024, 'x')),
      'The statement took longer than the check may take',
    ],
    ['a greeting of another protocol', { greeting: Buffer.from('\u0009old') }, notMysql],
    ['a greeting that is cut', { greeting: mysqlGreeting().subarray(0, 30) }, notMysql],
  ]
  for (const [name, wish, error, options] of cases)
    it(name, async () => assert.equal(await errorAt(wish, options), error))

  it('is of a server that speaks first, and otherwise', async () => {
    for (const said of ['SSH-2.0-OpenSSH_9.2\r\n', '220 mx.example ESMTP\r\n', '\0\0\0\0\0', '\u00ff\u00ff\u00ff\0'])
      await saidInstead(Buffer.from(said, 'latin1'))
  })

  it('is believed no order that is another one', async () => {
    const { port } = await rawServer((socket) => void socket.write(Buffer.from([5, 0, 0, 3, 10, 0, 0, 0, 0])))
    assert.equal((await check(port)).error, notMysql)
  })

  it('has no more columns than may be read', async () => {
    const many = queries(
      Buffer.from([0xfd, 0xff, 0xff, 0xff]),
      ...Array.from({ length: 40 }, () => Buffer.alloc(10_000, 'x')),
    )
    assert.match(String(await errorAt(many)), /sent more than 256 KiB where the answer to a statement was expected$/)
  })

  async function saidInstead(said: Buffer): Promise<void> {
    const { port } = await rawServer((socket) => void socket.write(said))
    for (const security of ['none', 'tls']) assert.equal((await check(port, { ...inClear, security })).error, notMysql)
  }
})

/** Asks for another way, and takes the answer in that. */
function changing(plugin: string): NonNullable<Wish['answer']> {
  return (body, isSignIn) => {
    if (isSignIn) return [mysqlChange(plugin)]
    const once = sha1(Buffer.from('secret'))
    return body.equals(xor(once, sha1(mysqlSalt, sha1(once)))) ? [mysqlOk] : goodMysql(body, false)
  }
}
