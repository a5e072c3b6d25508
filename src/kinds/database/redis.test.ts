import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { checkOnce } from '../../../test/support/check.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { goodInfo, goodRedis, redisStandIn, redisText } from '../../../test/support/redis-stand-in.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { redis } from './redis.ts'

type Options = Record<string, unknown>

const { root, good, selfSigned } = testCertificates()
setDefaultCACertificates([root.pem])
const server = await redisStandIn({ answer: goodRedis })

function check(options: Options = {}, url = `redis://127.0.0.1:${server.port}`, timeoutMs = 3000): Promise<Verdict> {
  return checkOnce(redis, { url, options, timeoutMs })
}

/** Another server, which answers some commands as told and the others well. */
async function differing(answers: Options, options: Options = {}): Promise<Verdict> {
  const { port } = await redisStandIn({
    answer: (words) => (words[0] !== undefined && words[0] in answers ? String(answers[words[0]]) : goodRedis(words)),
  })
  return check(options, `redis://127.0.0.1:${port}`)
}

function short({ status, error }: Verdict): [string, string | null] {
  return [status, error]
}

describe('a Redis server', () => {
  it('is up when it answers, and tells its version, role and memory', async () => {
    const { status, error, details, latencyMs, phases } = await check()
    assert.deepEqual([status, error], ['up', null])
    assert.deepEqual(details, { server_version: '7.0.15', role: 'primary', used_memory_mb: 2.5 })
    assert.ok(latencyMs !== null && phases.connectMs !== null && phases.transferMs !== null)
    assert.deepEqual([phases.ttfbMs, phases.tlsMs], [null, null])
  })

  it('is signed in to before anything else is asked, and the database is chosen', async () => {
    server.asked.length = 0
    const url = `redis://127.0.0.1:${server.port}/1`
    assert.deepEqual(short(await check({ username: 'ann', password: 'secret', key: 'state', list: 'jobs' }, url)), [
      'up',
      null,
    ])
    const names = server.asked.map((words) => words.join(' '))
    assert.deepEqual(names, ['AUTH ann secret', 'PING', 'SELECT 1', 'INFO', 'LLEN jobs', 'GET state'])
    server.asked.length = 0
    await check({ password: 'secret' })
    assert.deepEqual(server.asked[0], ['AUTH', 'secret'])
  })

  it('is sent each word with its length, so that none is another command', async () => {
    server.asked.length = 0
    assert.equal((await check({ key: 'a b  *1 $4 PING é' })).error, 'The key does not exist')
    assert.deepEqual(server.asked.at(-1), ['GET', 'a b  *1 $4 PING é'])
  })

  it('is reached by TLS with rediss, and its certificate is judged', async () => {
    const { port } = await redisStandIn({ answer: goodRedis, certificate: good })
    const { status, details, phases } = await check({}, `rediss://127.0.0.1:${port}`)
    assert.deepEqual([status, details['tls_protocol']], ['up', 'TLSv1.3'])
    assert.notEqual(phases.tlsMs, null)
    const other = await redisStandIn({ answer: goodRedis, certificate: selfSigned })
    const url = `rediss://127.0.0.1:${other.port}`
    assert.match(
      String((await check({ password: 'secret' }, url)).error),
      /certificate of 127\.0\.0\.1 is (?:self-signed|not trusted)/,
    )
    assert.deepEqual(other.asked, [])
    assert.equal((await check({ accept_any_certificate: true }, url)).status, 'up')
    assert.equal((await check({ certificate_authorities: selfSigned.pem }, url)).status, 'up')
    const plain = await check({}, `rediss://127.0.0.1:${server.port}`)
    assert.match(String(plain.error), /does not speak TLS|closed the connection during the TLS handshake|Timed out/)
  })
})

describe('what is expected of a Redis server', () => {
  const replica = goodInfo.replace('role:master', 'role:slave\r\nmaster_link_status:up')
  const cases: [name: string, answers: Options, options: Options, status: string, error: string | null][] = [
    ['a value that is there', {}, { key: 'state', expected_value: 'ok' }, 'up', null],
    [
      'another value of the same length',
      {},
      { key: 'state', expected_value: 'no' },
      'down',
      'The key holds another value than the expected one',
    ],
    [
      'another value of another length',
      {},
      { key: 'state', expected_value: 'okay' },
      'down',
      'The key holds another value than the expected one',
    ],
    ['an empty value', { GET: '$0\r\n\r\n' }, { key: 'state', expected_value: '' }, 'up', null],
    ['a value of any sort', {}, { key: 'state' }, 'up', null],
    ['a huge value, which stays unread', { GET: '$536870912\r\n' }, { key: 'state' }, 'up', null],
    ['a key that is gone', {}, { key: 'gone', expected_value: 'ok' }, 'down', 'The key does not exist'],
    [
      'a key of another type',
      { GET: '-WRONGTYPE Operation\r\n' },
      { key: 'jobs' },
      'down',
      'The server refuses GET: "WRONGTYPE Operation"',
    ],
    ['a list as long as it may be', {}, { list: 'jobs', max_list_length: 3 }, 'up', null],
    [
      'a list that is too long',
      {},
      { list: 'jobs', max_list_length: 2 },
      'degraded',
      'The list has 3 entries, more than 2',
    ],
    ['memory within the limit', {}, { max_memory_mb: 3 }, 'up', null],
    ['memory above the limit', {}, { max_memory_mb: 2 }, 'degraded', 'The data takes 2.5 MB of memory, more than 2'],
    ['a primary', {}, { expected_role: 'primary' }, 'up', null],
    ['no replica', {}, { expected_role: 'replica' }, 'down', 'The server is a primary, expected a replica'],
    ['a connected replica', { INFO: redisText(replica) }, { expected_role: 'replica' }, 'up', null],
    [
      'a replica that lost its primary',
      { INFO: redisText(replica.replace('status:up', 'status:down')) },
      { expected_role: 'replica' },
      'down',
      'The replica is not connected to its primary',
    ],
    [
      'a sentinel',
      { INFO: redisText('role:sentinel\r\n') },
      { expected_role: 'primary' },
      'down',
      'The server is neither a primary nor a replica, expected a primary',
    ],
    ['INFO that nobody needs', { INFO: '-NOPERM no\r\n' }, {}, 'up', null],
    [
      'INFO that is needed',
      { INFO: '-NOPERM no\r\n' },
      { max_memory_mb: 3 },
      'down',
      'The server refuses INFO: "NOPERM no"',
    ],
    [
      'no memory in INFO',
      { INFO: redisText('role:master\r\n') },
      { max_memory_mb: 3 },
      'down',
      'The answer to INFO does not say how much memory is used',
    ],
    ['down before degraded', {}, { list: 'jobs', max_list_length: 2, key: 'gone' }, 'down', 'The key does not exist'],
  ]
  for (const [name, answers, options, status, error] of cases)
    it(name, async () => assert.deepEqual(short(await differing(answers, options)), [status, error]))

  it('a value is in no verdict', async () => {
    const verdict = await differing(
      { GET: redisText('a secret value') },
      { key: 'state', expected_value: 'another value!' },
    )
    assert.equal(verdict.status, 'down')
    assert.doesNotMatch(JSON.stringify(verdict), /a secret value/)
  })

  it('an answer that comes late is degraded', async () => {
    const { port } = await rawServer((socket) => {
      socket.on('data', (bytes: Buffer) => {
        const said = bytes.includes('PING') ? '+PONG\r\n' : redisText('')
        setTimeout(() => socket.write(said), 80)
      })
    })
    const verdict = await check({ max_latency_ms: 100 }, `redis://127.0.0.1:${port}`)
    assert.deepEqual(short(verdict), ['degraded', 'The answer took longer than 100 ms'])
  })
})

describe('a Redis server that is not in order', () => {
  const cases: [name: string, answers: Options, options: Options, error: string][] = [
    [
      'wants a password',
      { PING: '-NOAUTH Authentication required.\r\n' },
      {},
      'The server wants a password: set check_options.password',
    ],
    [
      'does not accept the password',
      { AUTH: '-WRONGPASS invalid\r\n' },
      { password: 'x' },
      'The server does not accept the user or the password',
    ],
    [
      'is loading',
      { PING: '-LOADING Redis is loading the dataset in memory\r\n' },
      {},
      'The server is still loading its data',
    ],
    [
      'is protected',
      { PING: '-DENIED Redis is running in protected mode\r\n' },
      {},
      'The server turns this location away: it runs in protected mode',
    ],
    [
      'repeats the secrets',
      { AUTH: "-ERR unknown command 'AUTH', with args 'ann' 'secret'\r\n" },
      { username: 'ann', password: 'secret' },
      `The server refuses AUTH: "ERR unknown command 'AUTH', with args '***' '***'"`,
    ],
    ['answers with a number', { PING: ':1\r\n' }, {}, 'The server does not answer PING as Redis does'],
    ['answers PING with something else', { PING: '+HELLO\r\n' }, {}, 'The server does not answer PING as Redis does'],
    ['counts below zero', { LLEN: ':-1\r\n' }, { list: 'jobs' }, 'The server does not answer LLEN as Redis does'],
    ['counts in letters', { LLEN: ':many\r\n' }, { list: 'jobs' }, 'Not an answer of a Redis server: ":many"'],
    [
      'is a web server',
      { PING: 'HTTP/1.1 400 Bad Request\r\n\r\n' },
      {},
      'Not an answer of a Redis server: "HTTP/1.1 400 Bad Request"',
    ],
  ]
  for (const [name, answers, options, error] of cases)
    it(name, async () => assert.deepEqual(short(await differing(answers, options)), ['down', error]))

  it('announces more than is read', async () => {
    const { error } = await differing({ INFO: '$999999999999999\r\n' })
    assert.match(String(error), /^127\.0\.0\.1:\d+ sent more than 256 KiB where the answer to INFO was expected$/)
  })

  it('closes in the middle of an answer', async () => {
    const { port } = await rawServer((socket) => void socket.once('data', () => socket.end('+PO')))
    assert.equal(
      (await check({}, `redis://127.0.0.1:${port}`)).error,
      `127.0.0.1:${port} closed the connection in the middle of the answer to PING`,
    )
  })

  it('says nothing, or is not there', async () => {
    const silent = await rawServer(() => {})
    assert.equal(
      (await check({}, `redis://127.0.0.1:${silent.port}`, 200)).error,
      'Timed out after 200 ms while waiting for the answer to PING',
    )
    const port = await freePort()
    assert.equal((await check({}, `redis://127.0.0.1:${port}`)).error, `Connection refused by 127.0.0.1:${port}`)
  })

  it('has secrets in no verdict, whatever it makes of them', async () => {
    const verdict = await differing({ INFO: redisText('redis_version:secret 7\r\n') }, { password: 'secret' })
    assert.deepEqual(verdict.details, { server_version: '*** 7' })
  })
})

describe('the options of a Redis server', () => {
  const cases: [name: string, options: Options, field: string, message: string][] = [
    ['a value without a key', { expected_value: 'a' }, 'expected_value', 'Needs a key.'],
    ['a length without a list', { max_list_length: 1 }, 'max_list_length', 'Needs a list.'],
    ['a user without a password', { username: 'ann' }, 'username', 'Needs a password.'],
    ['a key with an end of line', { key: 'a\r\nFLUSHALL' }, 'key', 'Must have no control characters.'],
  ]
  for (const [name, options, field, message] of cases)
    it(`refuse ${name}`, () => {
      const issues = redis.options.safeParse(options).error?.issues ?? []
      assert.deepEqual(
        issues.map((issue) => [issue.path.join('.'), issue.message]),
        [[field, message]],
      )
    })
})
