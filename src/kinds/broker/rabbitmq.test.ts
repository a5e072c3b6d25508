import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { checkOnce } from '../../../test/support/check.ts'
import {
  type AmqpSaid,
  closeFrame,
  goodRabbitmq,
  queueFrame,
  rabbitmqStandIn,
  serverProperties,
  startFrame,
  tuneFrame,
} from '../../../test/support/rabbitmq-stand-in.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { longText, methodFrame, methods, number, shortText, table } from './amqp-frames.ts'
import { readTexts } from './amqp-methods.ts'
import { rabbitmq } from './rabbitmq.ts'

type Options = Record<string, unknown>

const { root, good, selfSigned } = testCertificates()
setDefaultCACertificates([root.pem])
const server = await rabbitmqStandIn({ answer: goodRabbitmq })

function check(options: Options = {}, url = `amqp://127.0.0.1:${server.port}`, timeoutMs = 3000): Promise<Verdict> {
  return checkOnce(rabbitmq, { url, options, timeoutMs })
}

type Answers = readonly (readonly [AmqpSaid['id'], Buffer])[]

/** Another server, which answers some of what is said as told and the rest well. */
async function differing(answers: Answers, options: Options = {}): Promise<Verdict> {
  const told = new Map(answers)
  const { port } = await rabbitmqStandIn({ answer: (said) => told.get(said.id) ?? goodRabbitmq(said) })
  return check(options, `amqp://127.0.0.1:${port}`, 300)
}

function short({ status, error }: Verdict): [string, string | null] {
  return [status, error]
}

function shown({ id, body }: AmqpSaid): [AmqpSaid['id'], string] {
  return [id, body.toString('latin1').replaceAll(/perigee-[0-9a-f]{16}/g, '<own>')]
}

function problem(url: string): string | null {
  return rabbitmq.targetProblem(url, () => false)
}

function blocked(reason: string): Buffer {
  return methodFrame(0, methods.blocked, shortText(reason))
}

const properties =
  '\0\0\0\u005a\u0007productS\0\0\0\u0007Perigee\u000ccapabilitiesF\0\0\0\u0034\u001cauthentication_failure_closet\u0001\u0012connection.blockedt\u0001'

describe('a broker of AMQP', () => {
  it('is up when it lets a client in and takes a message that no queue gets', async () => {
    server.heard.length = 0
    const { status, error, details, latencyMs, phases } = await check()
    assert.deepEqual(
      [status, error, details],
      ['up', null, { product: 'RabbitMQ', server_version: '4.1.0', cluster_name: 'rabbit@one' }],
    )
    assert.ok(latencyMs !== null && phases.connectMs !== null && phases.ttfbMs !== null)
    assert.deepEqual(server.heard.map(shown), [
      ['header', 'AMQP\0\0\u0009\u0001'],
      [methods.startOk, `${properties}\u0005PLAIN\0\0\0\u000c\0guest\0guest\u0005en_US`],
      [methods.tuneOk, '\0\u0001\0\u0002\0\0\0\u003c'],
      [methods.open, '\u0001/\0\0'],
      [methods.openChannel, '\0'],
      [methods.publish, '\0\0\0\u0018<own>\0'],
      ['message', '\0\u003c\0\0\0\0\0\0\0\0\0\0\0\0'],
      [methods.close, '\0\u00c8\0\0\0\0\0'],
    ])
  })

  it('is signed in to, at a virtual host, and tells what a queue has', async () => {
    server.heard.length = 0
    const { status, details } = await check(
      { username: 'ann', password: 'a secret', queue: 'orders' },
      `amqp://127.0.0.1:${server.port}/my%2Fshop`,
    )
    assert.deepEqual([status, details['ready_messages'], details['consumers']], ['up', 3, 2])
    const heard = new Map(server.heard.map(shown))
    assert.match(heard.get(methods.startOk) ?? '', /\0ann\0a secret/)
    assert.equal(heard.get(methods.open), '\u0007my/shop\0\0')
    assert.equal(heard.get(methods.declareQueue), '\0\0\u0006orders\u0001\0\0\0\0')
  })

  it('is reached by TLS with amqps, and its certificate is judged before anything is said', async () => {
    const { port } = await rabbitmqStandIn({ answer: goodRabbitmq, certificate: good })
    const { status, details } = await check({}, `amqps://127.0.0.1:${port}`)
    assert.deepEqual([status, details['tls_protocol']], ['up', 'TLSv1.3'])
    const other = await rabbitmqStandIn({ answer: goodRabbitmq, certificate: selfSigned })
    const { error } = await check({ username: 'ann', password: 'secret' }, `amqps://127.0.0.1:${other.port}`)
    assert.match(String(error), /certificate of 127\.0\.0\.1 is (?:self-signed|not trusted)/)
    assert.deepEqual(other.heard, [])
  })

  it('agrees to frames as small as the server wants them', async () => {
    const small = await rabbitmqStandIn({
      answer: (said) => (said.id === methods.startOk ? tuneFrame(4096) : goodRabbitmq(said)),
    })
    assert.equal((await check({}, `amqp://127.0.0.1:${small.port}`)).status, 'up')
    const agreed = small.heard.find(({ id }) => id === methods.tuneOk)
    assert.equal(agreed?.body.readUInt32BE(2), 4096)
  })
})

describe('what is expected of a broker of AMQP', () => {
  const queue = { queue: 'orders' }
  const cases: [name: string, answers: Answers, options: Options, status: string, error: string | null][] = [
    ['as many messages as may be', [], { ...queue, max_messages: 3 }, 'up', null],
    ['too many messages', [], { ...queue, max_messages: 2 }, 'degraded', 'The queue has more ready messages than 2: 3'],
    ['as many consumers as must be', [], { ...queue, min_consumers: 2 }, 'up', null],
    ['too few consumers', [], { ...queue, min_consumers: 3 }, 'degraded', 'The queue has fewer consumers than 3: 2'],
    [
      'no consumer',
      [[methods.declareQueue, queueFrame(9, 0)]],
      { ...queue, min_consumers: 1, max_messages: 2 },
      'down',
      'The queue has no consumer, expected at least 1',
    ],
    ['no consumer, where none is wanted', [[methods.declareQueue, queueFrame(0, 0)]], queue, 'up', null],
    [
      'a queue that is not there',
      [[methods.declareQueue, closeFrame(1, 404, "NOT_FOUND - no queue 'orders' in vhost '/'")]],
      queue,
      'down',
      `The queue does not exist: "NOT_FOUND - no queue 'orders' in vhost '/'"`,
    ],
    [
      'a queue of another connection',
      [[methods.declareQueue, closeFrame(1, 405, 'RESOURCE_LOCKED')]],
      queue,
      'down',
      'The server refuses the queue: "RESOURCE_LOCKED"',
    ],
    [
      'an alarm',
      [[methods.publish, blocked('low on memory')]],
      {},
      'degraded',
      'The server takes no messages: "low on memory"',
    ],
    [
      'an alarm, where the user may not publish',
      [[methods.publish, Buffer.concat([blocked('low on disk'), closeFrame(1, 403, 'ACCESS_REFUSED')])]],
      {},
      'degraded',
      'The server takes no messages: "low on disk"',
    ],
    ['a user who may not publish', [[methods.publish, closeFrame(1, 403, 'ACCESS_REFUSED')]], {}, 'up', null],
  ]
  for (const [name, answers, options, status, error] of cases)
    it(name, async () => assert.deepEqual(short(await differing(answers, options)), [status, error]))

  it('an answer that comes late is degraded', async () => {
    const { port } = await rabbitmqStandIn({ answer: goodRabbitmq })
    const slow = await rawServer((socket) => {
      socket.once('data', () => setTimeout(() => socket.end(startFrame()), 150))
    })
    assert.equal((await check({ max_latency_ms: 60_000 }, `amqp://127.0.0.1:${port}`)).status, 'up')
    assert.match(String((await check({}, `amqp://127.0.0.1:${slow.port}`)).error), /closed the connection/)
  })
})

describe('a server that is no good broker of AMQP', () => {
  const cases: [name: string, answers: Answers, error: string][] = [
    [
      'refuses the user',
      [[methods.startOk, closeFrame(0, 403, 'ACCESS_REFUSED - Login was refused')]],
      'The server does not accept the user or the password',
    ],
    [
      'has no such virtual host',
      [[methods.open, closeFrame(0, 530, 'NOT_ALLOWED - vhost / not found')]],
      'The server refuses the virtual host: "NOT_ALLOWED - vhost / not found"',
    ],
    [
      'refuses the channel',
      [[methods.openChannel, closeFrame(0, 504, 'CHANNEL_ERROR')]],
      'The server ends the connection: "CHANNEL_ERROR"',
    ],
    [
      'shuts down',
      [[methods.close, closeFrame(0, 320, 'CONNECTION_FORCED - broker forced connection closure')]],
      'The server ends the connection: "CONNECTION_FORCED - broker forced connection closure"',
    ],
    ['ends without a word', [[methods.open, closeFrame(0, 541, '')]], 'The server ends the connection: code 541'],
    [
      'takes no password',
      [['header', startFrame(table({}), 'EXTERNAL')]],
      'The server takes no password (PLAIN), but "EXTERNAL"',
    ],
    [
      'wants tiny frames',
      [[methods.startOk, tuneFrame(4095)]],
      'The server wants frames of at most 4095 bytes, fewer than 4096',
    ],
    [
      'speaks AMQP 1.0 alone',
      [['header', Buffer.from('AMQP\u0003\u0001\0\0')]],
      'The server speaks AMQP 1.0.0, not 0.9.1',
    ],
    ['repeats what it hears', [['header', Buffer.from('AMQP\0\0\u0009\u0001')]], notAmqpText()],
    ['is another one', [['header', Buffer.from('SSH-2.0-OpenSSH_9.2p1\r\n')]], notAmqpText()],
    ['answers out of turn', [['header', tuneFrame()]], notAmqpText()],
    [
      'ends a frame otherwise',
      [['header', Buffer.concat([startFrame().subarray(0, -1), number(0, 1)])]],
      notAmqpText(),
    ],
    ['sends a body', [['header', Buffer.from([3, 0, 0, 0, 0, 0, 1, 65, 0xce])]], notAmqpText()],
    ['sends half of a method', [['header', Buffer.from([1, 0, 0, 0, 0, 0, 2, 0, 10, 0xce])]], notAmqpText()],
    ['sends a table that is not whole', [['header', startFrame(longText('\u0009product'))]], notAmqpText()],
    [
      'sends a closing that is not whole',
      [[methods.startOk, methodFrame(0, methods.close, number(403, 2))]],
      notAmqpText(),
    ],
    ['sends counts that are not whole', [[methods.declareQueue, methodFrame(1, methods.queueDeclared)]], notAmqpText()],
    [
      'says nothing',
      [[methods.startOk, Buffer.alloc(0)]],
      'Timed out after 300 ms while waiting for the answer to the sign-in',
    ],
    [
      'never takes leave',
      [[methods.close, Buffer.alloc(0)]],
      'Timed out after 300 ms while waiting for the answer to the farewell',
    ],
  ]
  for (const [name, answers, error] of cases)
    it(name, async () => assert.deepEqual(short(await differing(answers, { queue: 'orders' })), ['down', error]))

  it('has heartbeats between its answers', async () => {
    const heartbeat = Buffer.from([8, 0, 0, 0, 0, 0, 0, 0xce])
    assert.equal((await differing([['header', Buffer.concat([heartbeat, startFrame()])]])).error, null)
  })

  it('does not get user and password into a text', async () => {
    const answers: Answers = [[methods.open, closeFrame(0, 530, "NOT_ALLOWED - user 'annabel' with 'a secret'")]]
    const { error } = await differing(answers, { username: 'annabel', password: 'a secret' })
    assert.equal(error, `The server refuses the virtual host: "NOT_ALLOWED - user '***' with '***'"`)
  })

  it('is refused at a closed port', async () => {
    const { error } = await check({}, `amqp://127.0.0.1:${await freePort()}`)
    assert.match(String(error), /^Connection refused by 127\.0\.0\.1/)
  })
})

describe('the table of a server', () => {
  it('is read past fields of every type', () => {
    const values = ['t1', 'b1', 'B1', 's12', 'u12', 'I1234', 'i1234', 'l12345678', 'f1234', 'd12345678', 'D12345']
    const measured = [`T12345678`, 'V', 'S\0\0\0\u0002no', 'A\0\0\0\u0001x', 'F\0\0\0\u0001x', 'x\0\0\0\u0001x']
    const text = [...values, ...measured].map((value) => `\u0001a${value}`).join('')
    const read = readTexts(Buffer.from(`${text}\u0001bS\0\0\0\u0003yes`))
    assert.deepEqual(read === null ? null : [...read], [
      ['a', 'no'],
      ['b', 'yes'],
    ])
  })

  it('is none with a type that nobody knows, or with a length beyond its end', () => {
    for (const bytes of ['\u0001aZ', '\u0001aS\u00ff\u00ff\u00ff\u00ff', '\u0001a', '\u0005a', '\u0001aA\0\0\0\u0002x'])
      assert.equal(readTexts(Buffer.from(bytes, 'latin1')), null)
  })

  it('is shown safely and in short', async () => {
    const wild = table({ ...serverProperties, product: `a\0${'b'.repeat(3000)}` })
    const { details } = await differing([['header', startFrame(wild)]])
    assert.match(String(details['product']), /^a\?b{198}$/)
  })
})

describe('the address and the options of a broker of AMQP', () => {
  it('names a host, perhaps a port and a virtual host, and no secrets', () => {
    for (const url of ['amqp://a.example', 'amqps://a.example:5671/', 'amqp://[2001:db8::1]/shop', 'amqp://a/%2f'])
      assert.equal(problem(url), null)
    assert.match(problem('amqps://ann:secret@a.example') ?? '', /^Must have no user and no password/)
    assert.match(problem('amqp://a.example/a/b') ?? '', /^Must have nothing after the virtual host/)
    assert.match(problem('amqp://a.example/%zz') ?? '', /^Must have a readable virtual host/)
    assert.match(problem(`amqp://a.example/${'a'.repeat(256)}`) ?? '', /^Must end with a virtual host of at most 255/)
    assert.match(problem('http://a.example') ?? '', /^Must begin with amqp:\/\/ or amqps:\/\//)
  })

  const refused: [Options, string, string][] = [
    [{ username: 'ann' }, 'username', 'Needs a password.'],
    [{ password: 'secret' }, 'password', 'Needs a username.'],
    [{ max_messages: 1 }, 'max_messages', 'Needs a queue.'],
    [{ min_consumers: 1 }, 'min_consumers', 'Needs a queue.'],
    [{ queue: 'ä'.repeat(128) }, 'queue', 'Must have at most 255 bytes.'],
  ]
  for (const [options, field, message] of refused)
    it(`${field}: ${message}`, () => {
      const issues = rabbitmq.options.safeParse(options).error?.issues ?? []
      assert.deepEqual(
        issues.map((issue) => [issue.path, issue.message]),
        [[[field], message]],
      )
    })
})

function notAmqpText(): string {
  return 'Not an AMQP server: it answers otherwise'
}
