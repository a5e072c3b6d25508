import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { checkOnce } from '../../../test/support/check.ts'
import {
  goodPostgresql,
  pgAnswer,
  pgError,
  pgMessage,
  pgReady,
  pgWelcome,
  postgresqlStandIn,
  type Said,
} from '../../../test/support/postgresql-stand-in.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { until } from '../../../test/support/until.ts'
import { postgresql } from './postgresql.ts'

type Options = Record<string, unknown>
type Answer = (said: Said) => Buffer | null

const { root, good } = testCertificates()
setDefaultCACertificates([root.pem])
const inClear = { username: 'ann', password: 'secret', security: 'none' }

function check(port: number, options: Options = inClear, rest = ''): Promise<Verdict> {
  return checkOnce(postgresql, { url: `postgresql://127.0.0.1:${port}${rest}`, options })
}

/** A check of a server that answers as told, and well where it is told nothing. */
async function errorAt(answer: Answer, options: Options = inClear): Promise<string | null> {
  const { port } = await postgresqlStandIn({ answer: (said) => answer(said) ?? goodPostgresql(said) })
  return (await check(port, options)).error
}

/** The same, of which one message is answered otherwise. */
function to(type: string, ...parts: readonly Buffer[]): Answer {
  return (said) => (said.type === type ? Buffer.concat(parts) : null)
}

describe('a PostgreSQL server', () => {
  it('is told who asks for which database, and is asked for one row', async () => {
    const server = await postgresqlStandIn({ answer: goodPostgresql })
    const { status, error, details } = await check(server.port, inClear, '/my%20shop')
    assert.deepEqual([status, error, details], ['up', null, { server_version: '15.14', role: 'primary' }])
    await until('the farewell', () => server.heard.length === 4)
    const [startup, password, query, end] = server.heard
    assert.match(
      String(startup?.body),
      /user\0ann\0database\0my shop\0application_name\0perigee\0client_encoding\0UTF8\0\0$/,
    )
    const inner = createHash('md5').update('secretann').digest('hex')
    assert.equal(String(password?.body), `md5${createHash('md5').update(`${inner}salt`).digest('hex')}\0`)
    assert.deepEqual([query?.type, String(query?.body), end?.type], ['Q', 'SELECT 1\0', 'X'])
  })

  it('is asked as perigee where nobody else is named', async () => {
    const server = await postgresqlStandIn({
      answer: (said) => (said.type === 'startup' ? pgWelcome() : goodPostgresql(said)),
    })
    assert.equal((await check(server.port, { security: 'none' })).error, null)
    assert.match(String(server.heard[0]?.body), /user\0perigee\0/)
  })

  it('is asked within TLS, unless that is turned off', async () => {
    const server = await postgresqlStandIn({ answer: goodPostgresql, certificate: good })
    const { status, details } = await check(server.port, { username: 'ann', password: 'secret' })
    assert.deepEqual([status, details['tls_protocol']], ['up', 'TLSv1.3'])
    const without = await postgresqlStandIn({ answer: goodPostgresql })
    const { error } = await check(without.port, { username: 'ann', password: 'secret' })
    assert.equal(error, 'The server offers no TLS. In a private network, set security to none')
    assert.deepEqual(without.heard, [])
  })

  it('gets a statement of its owner in a transaction that only reads, as one statement, for one row', async () => {
    const server = await postgresqlStandIn({ answer: goodPostgresql })
    assert.equal(
      (await check(server.port, { ...inClear, statement: 'SELECT state', expected_value: 'ok' })).error,
      null,
    )
    await until('the farewell', () => server.heard.length === 8)
    const said = server.heard.map(({ type, body }) => `${type} ${body.toString('latin1')}`)
    assert.deepEqual(said.slice(2), [
      'Q BEGIN READ ONLY; SET LOCAL statement_timeout = 3000\0',
      'P \0SELECT state\0\0\0',
      'B \0\0\0\0\0\0\0\0',
      'E \0\0\0\0\u0001',
      'S ',
      'X ',
    ])
  })
})

describe('what a PostgreSQL server answers', () => {
  const clear = pgMessage('R', 3)
  const cases: [name: string, answer: Answer, error: string | null, options?: Options][] = [
    ['no password is wanted', to('startup', pgWelcome()), null],
    [
      'notices come between',
      to('p', pgMessage('N', 'SWARNING\0\0'), pgWelcome(), pgMessage('N', 'SWARNING\0\0')),
      null,
    ],
    ['it only speaks version 3.0', to('startup', pgMessage('v', 196_608, 0), pgMessage('R', 5, 'salt')), null],
    [
      'a password is wanted',
      () => null,
      'The server wants a password: set check_options.password',
      { username: 'ann', security: 'none' },
    ],
    [
      'a password in clear text is wanted',
      to('startup', clear),
      'The server wants the password in clear text, which is told within TLS alone',
    ],
    [
      'Kerberos is wanted',
      to('startup', pgMessage('R', 7)),
      'The server wants a way to sign in that this kind does not have',
    ],
    [
      'another SASL is wanted',
      to('startup', pgMessage('R', 10, 'SCRAM-SHA-256-PLUS\0\0')),
      'The server wants a way to sign in that this kind does not have',
    ],
    [
      'SCRAM is skipped',
      (said) =>
        said.type === 'startup' ? pgMessage('R', 10, 'SCRAM-SHA-256\0\0') : said.type === 'p' ? pgWelcome() : null,
      'The server does not sign in by SCRAM as it should',
    ],
    [
      'SCRAM would take long',
      scramOf((nonce) => pgMessage('R', 11, `r=${nonce}x,s=AAAA,i=999999`)),
      'The server does not sign in by SCRAM as it should',
    ],
    [
      'SCRAM is not proved',
      scramOf((nonce) => pgMessage('R', 11, `r=${nonce}x,s=AAAA,i=1`), pgMessage('R', 12, 'v=AAAA')),
      'The server cannot prove that it knows the password',
    ],
    [
      'the proof of SCRAM is left out',
      scramOf((nonce) => pgMessage('R', 11, `r=${nonce}x,s=AAAA,i=1`), pgWelcome()),
      'The server cannot prove that it knows the password',
    ],
    [
      'the password is wrong',
      to('p', pgError('28P01', 'password authentication failed for user "ann"')),
      'The server does not accept the user or the password',
    ],
    [
      'the user is kept out',
      to('startup', pgError('28000', 'no entry for user "ann"')),
      'The server does not let this user in: "no entry for user "***""',
    ],
    ['the database is missing', to('startup', pgError('3D000', 'x')), 'The database does not exist'],
    ['it is full', to('startup', pgError('53300', 'x')), 'The server has too many connections'],
    [
      'it is starting',
      to('startup', pgError('57P03', 'the database system is starting up')),
      'The server accepts no connections now: "the database system is starting up"',
    ],
    [
      'it refuses otherwise',
      to('startup', pgError('08P01', 'no such parameter')),
      'The server refuses the sign-in: "no such parameter"',
    ],
    [
      'an answer to the sign-in is a row',
      to('startup', pgMessage('D', 'x')),
      'Not a PostgreSQL server: it answers otherwise',
    ],
    ['SELECT 1 gives 2', to('Q', pgAnswer('2')), 'The server does not answer SELECT 1 with 1'],
    ['SELECT 1 gives nothing', to('Q', pgReady), 'The server does not answer SELECT 1 with 1'],
    [
      'it wants a copy',
      to('Q', pgMessage('G', 'x')),
      'The server wants to copy data, which no statement here asks for',
    ],
    [
      'a row is cut',
      to('Q', pgMessage('D', Buffer.from([0, 1]), 100, 'x')),
      'The server sent a row that cannot be read',
    ],
    ['a row is empty', to('Q', pgMessage('D', Buffer.from([0, 0]))), 'The server sent a row that cannot be read'],
    [
      'a statement fails over a value',
      to('Q', pgError('22P02', 'invalid input: "a secret value"')),
      'The statement failed (SQLSTATE 22P02)',
    ],
    ['a statement fails without a code', to('Q', pgError('"<x>"', 'x')), 'The statement failed (SQLSTATE unknown)'],
  ]
  for (const [name, answer, error, options] of cases)
    it(name, async () => assert.equal(await errorAt(answer, options), error))

  it('lengths that no PostgreSQL has are not believed', async () => {
    for (const length of [-1, 0, 3, 0x7fffffff]) {
      const head = Buffer.from([0x52, 0, 0, 0, 0])
      head.writeInt32BE(length, 1)
      assert.equal(await errorAt(to('startup', head)), 'Not a PostgreSQL server: it answers otherwise', String(length))
    }
    const large = Buffer.from([0x53, 0x3f, 0, 0, 0])
    assert.match(
      String(await errorAt(to('p', large))),
      /sent more than 256 KiB where the answer to the sign-in was expected$/,
    )
  })

  it('another protocol is none', async () => {
    const web = await rawServer(
      (socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    )
    assert.equal((await check(web.port)).error, 'Not a PostgreSQL server: it answers otherwise')
    assert.equal((await check(web.port, { username: 'ann' })).error, 'Not a PostgreSQL server: it answers otherwise')
  })

  it('secrets that it repeats are in no verdict', async () => {
    const { port } = await postgresqlStandIn({
      answer: (said) => (said.type === 'p' ? pgWelcome('15 for secret') : goodPostgresql(said)),
    })
    assert.equal((await check(port)).details['server_version'], '15 for ***')
  })
})

describe('the options of a PostgreSQL server', () => {
  const ann = { username: 'ann' }
  const cases: [name: string, options: Options, field: string, message: RegExp][] = [
    ['a value without a statement', { ...ann, expected_value: 'a' }, 'expected_value', /^Needs a statement\.$/],
    ['a number without a statement', { ...ann, max_value: 1 }, 'max_value', /^Needs a statement\.$/],
    [
      'a statement that writes',
      { ...ann, statement: 'delete from jobs' },
      'statement',
      /^Must begin with SELECT, WITH, SHOW, VALUES or TABLE\.$/,
    ],
    [
      'a statement that copies',
      { ...ann, statement: 'copy jobs to program $$id$$' },
      'statement',
      /^Must begin with SELECT/,
    ],
    [
      'a statement with a zero byte',
      { ...ann, statement: 'select \0' },
      'statement',
      /^Must have no control characters\.$/,
    ],
    [
      'a user with a zero byte',
      { username: 'ann\0database\0other' },
      'username',
      /^Must have no control characters\.$/,
    ],
  ]
  for (const [name, options, field, message] of cases)
    it(`refuse ${name}`, () => {
      const [issue, ...others] = postgresql.options.safeParse(options).error?.issues ?? []
      assert.deepEqual([issue?.path.join('.'), others], [field, []])
      assert.match(issue?.message ?? '', message)
    })

  it('take a statement of several lines', () => {
    assert.ok(postgresql.options.safeParse({ ...ann, statement: '\n  select\n\tcount(*)\r\n from jobs' }).success)
  })
})

/** Answers the first message of SCRAM, of which it gets the nonce, and then says something else. */
function scramOf(first: (nonce: string) => Buffer, last: Buffer = pgWelcome()): Answer {
  let isFirst = true
  return ({ type, body }) => {
    if (type === 'startup') return pgMessage('R', 10, 'SCRAM-SHA-256\0\0')
    if (type !== 'p') return null
    const nonce = /n,,n=,r=(.+)$/.exec(body.toString())?.[1]
    if (!isFirst || nonce === undefined) return last
    isFirst = false
    return first(nonce)
  }
}
