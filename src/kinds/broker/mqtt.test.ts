import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { checkOnce } from '../../../test/support/check.ts'
import {
  goodMqtt,
  mqttMessage,
  type MqttPacket,
  mqttPacket,
  type MqttStandIn,
  mqttStandIn,
} from '../../../test/support/mqtt-stand-in.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { until } from '../../../test/support/until.ts'
import { mqtt } from './mqtt.ts'

type Options = Record<string, unknown>

const { root, good, selfSigned } = testCertificates()
setDefaultCACertificates([root.pem])
const server = await mqttStandIn({ answer: goodMqtt })

function check(options: Options = {}, url = `mqtt://127.0.0.1:${server.port}`, timeoutMs = 3000): Promise<Verdict> {
  return checkOnce(mqtt, { url, options, timeoutMs })
}

/** Another server, which answers packets of some types as told and the others well. */
async function differing(answers: Readonly<Record<number, Buffer>>, options: Options = {}): Promise<Verdict> {
  const { port } = await mqttStandIn({ answer: (packet) => answers[packet.type] ?? goodMqtt(packet) })
  return check(options, `mqtt://127.0.0.1:${port}`, 300)
}

/** Whether the last client has said that it leaves. */
function haveLeft({ heard }: MqttStandIn): Promise<void> {
  return until('the client to leave', () => heard.at(-1)?.type === 14)
}

function short({ status, error }: Verdict): [string, string | null] {
  return [status, error]
}

function shown({ type, flags, body }: MqttPacket): [number, number, string] {
  return [type, flags, body.toString('latin1').replaceAll(/perigee[0-9a-f]{16}/g, '<own>')]
}

/** Answers that begin with this code of a CONNACK. */
function connack(code: number): Record<number, Buffer> {
  return { 1: mqttPacket(2, 0, [0, code]) }
}

function problem(url: string): string | null {
  return mqtt.targetProblem(url, () => false)
}

describe('a broker of MQTT', () => {
  it('is up when it lets a client in, which leaves again', async () => {
    server.heard.length = 0
    const { status, error, details, latencyMs, phases } = await check()
    assert.deepEqual([status, error, details], ['up', null, {}])
    assert.ok(latencyMs !== null && phases.connectMs !== null && phases.ttfbMs !== null)
    assert.deepEqual([phases.transferMs, phases.tlsMs], [null, null])
    await haveLeft(server)
    assert.deepEqual(server.heard.map(shown), [
      [1, 0, '\0\u0004MQTT\u0004\u0002\u0001\u002c\0\u0017<own>'],
      [14, 0, ''],
    ])
  })

  it('is signed in to, and hears a message of its own, which nobody else sends', async () => {
    server.heard.length = 0
    const options = { username: 'ann', password: 'secret', topic: 'own', qos: 1, watched_topic: 'state' }
    const { status, error, details } = await check(options)
    assert.deepEqual([status, error, typeof details['round_trip_ms']], ['up', null, 'number'])
    await haveLeft(server)
    assert.deepEqual(server.heard.map(shown), [
      [1, 0, '\0\u0004MQTT\u0004\u00c2\u0001\u002c\0\u0017<own>\0\u0003ann\0\u0006secret'],
      [8, 2, '\0\u0001\0\u0003own\u0001'],
      [3, 2, '\0\u0003own\0\u0002<own>'],
      [10, 2, '\0\u0001\0\u0003own'],
      [8, 2, '\0\u0003\0\u0005state\0'],
      [14, 0, ''],
    ])
    const [first] = server.heard
    server.heard.length = 0
    await check(options)
    await haveLeft(server)
    assert.notDeepEqual(server.heard[0], first)
  })

  it('speaks MQTT 5, of which packets have properties', async () => {
    const answers: Readonly<Record<number, (packet: MqttPacket) => Buffer>> = {
      1: () => mqttPacket(2, 0, [0, 0, 3, 0x21, 0, 20]),
      3: ({ body }) =>
        Buffer.concat([
          mqttPacket(3, 2, [...body.subarray(0, 5)], [0, 9, 2, 1, 1], [...body.subarray(8)]),
          mqttPacket(4, 0, [0, 2, 0, 0]),
        ]),
      8: ({ body }) => mqttPacket(9, 0, [...body.subarray(0, 2)], [0, 1]),
      10: ({ body }) => mqttPacket(11, 0, [...body.subarray(0, 2)], [0, 0]),
    }
    const five = await mqttStandIn({ answer: (packet) => answers[packet.type]?.(packet) ?? Buffer.alloc(0) })
    const options = { protocol_version: '5', username: 'ann', password: 'secret', topic: 'own', qos: 1 }
    assert.deepEqual(short(await check(options, `mqtt://127.0.0.1:${five.port}`)), ['up', null])
    await haveLeft(five)
    assert.deepEqual(five.heard.map(shown), [
      [1, 0, '\0\u0004MQTT\u0005\u00c2\u0001\u002c\0\0\u0017<own>\0\u0003ann\0\u0006secret'],
      [8, 2, '\0\u0001\0\0\u0003own\u0001'],
      [3, 2, '\0\u0003own\0\u0002\0<own>'],
      [4, 0, '\0\u0009'],
      [10, 2, '\0\u0001\0\0\u0003own'],
      [14, 0, ''],
    ])
  })

  it('is reached by TLS with mqtts, and its certificate is judged before anything is said', async () => {
    const { port } = await mqttStandIn({ answer: goodMqtt, certificate: good })
    const { status, details } = await check({}, `mqtts://127.0.0.1:${port}`)
    assert.deepEqual([status, details['tls_protocol']], ['up', 'TLSv1.3'])
    const other = await mqttStandIn({ answer: goodMqtt, certificate: selfSigned })
    const { error } = await check({ username: 'ann', password: 'secret' }, `mqtts://127.0.0.1:${other.port}`)
    assert.match(String(error), /certificate of 127\.0\.0\.1 is (?:self-signed|not trusted)/)
    assert.deepEqual(other.heard, [])
  })
})

describe('what is expected of a broker of MQTT', () => {
  const watched = { watched_topic: 'state' }
  const long = Buffer.concat([Buffer.from([0x30, 0x80, 0x80, 0x10, 0, 5]), Buffer.from('state')])
  const cases: [
    name: string,
    answers: Record<number, Buffer>,
    options: Options,
    status: string,
    error: string | null,
  ][] = [
    ['a message that is there', {}, { ...watched, expected_message: 'running' }, 'up', null],
    ['a message that has the text among others', {}, { ...watched, expected_message: 'run' }, 'up', null],
    ['a message of any sort', {}, watched, 'up', null],
    ['a message before the answer', { 8: mqttMessage('state', 'running') }, watched, 'up', null],
    ['a long message, which stays unread', { 8: long }, watched, 'up', null],
    [
      'a long message that is another one',
      { 8: long },
      { ...watched, expected_message: 'running' },
      'down',
      'The watched topic has another message than the expected one',
    ],
    [
      'another message',
      {},
      { ...watched, expected_message: 'stopped' },
      'down',
      'The watched topic has another message than the expected one',
    ],
    [
      'no message',
      { 8: mqttPacket(9, 0, [0, 3, 0]) },
      watched,
      'down',
      'Timed out after 300 ms while waiting for a message of the watched topic',
    ],
    [
      'nothing that comes back',
      { 3: Buffer.alloc(0) },
      { topic: 'own' },
      'down',
      'Timed out after 300 ms while waiting for the message to come back',
    ],
    [
      'messages of others alone',
      { 3: mqttMessage('own', 'perigee0000000000000000') },
      { topic: 'own' },
      'down',
      'Timed out after 300 ms while waiting for the message to come back',
    ],
    [
      'a subscription that is refused',
      { 8: mqttPacket(9, 0, [0, 1, 0x80]) },
      { topic: 'own' },
      'down',
      'The server refuses the subscription to the topic',
    ],
  ]
  for (const [name, answers, options, status, error] of cases)
    it(name, async () => assert.deepEqual(short(await differing(answers, options)), [status, error]))

  it('a message that comes back, but is not acknowledged', async () => {
    const { port } = await mqttStandIn({
      answer: (packet) => goodMqtt(packet).subarray(0, packet.type === 3 ? -4 : undefined),
    })
    const verdict = await check({ topic: 'own', qos: 1 }, `mqtt://127.0.0.1:${port}`, 300)
    assert.equal(verdict.error, 'Timed out after 300 ms while waiting for the answer to the publication')
  })

  it('a message that matches a pattern', async () => {
    assert.deepEqual(short(await check({ ...watched, message_pattern: '^r.*g$' })), ['up', null])
    assert.deepEqual(short(await check({ ...watched, expected_message: 'run', message_pattern: '^\\d' })), [
      'down',
      'The watched topic has another message than the expected one',
    ])
  })

  it('a message is in no verdict', async () => {
    const verdict = await differing(
      { 8: mqttMessage('state', 'a secret value') },
      { ...watched, expected_message: 'x' },
    )
    assert.equal(verdict.status, 'down')
    assert.doesNotMatch(JSON.stringify(verdict), /a secret value/)
  })

  it('an answer that comes late is degraded', async () => {
    const { port } = await rawServer((socket) => {
      socket.once('data', () => setTimeout(() => socket.write(mqttPacket(2, 0, [0, 0])), 150))
    })
    assert.deepEqual(short(await check({ max_latency_ms: 100 }, `mqtt://127.0.0.1:${port}`)), [
      'degraded',
      'The answer took longer than 100 ms',
    ])
  })
})

describe('a broker of MQTT that is not in order', () => {
  const five = { protocol_version: '5' }
  const asAnn = { username: 'ann', password: 'secret' }
  const notMqtt = 'Not an MQTT server: it answers otherwise'
  const cases: [name: string, answers: Record<number, Buffer>, options: Options, error: string][] = [
    ['has another version', connack(1), five, 'The server does not speak MQTT 5: set check_options.protocol_version'],
    ['does not like the name', connack(2), {}, 'The server refuses the sign-in: client identifier not valid (0x85)'],
    ['is unavailable', connack(3), {}, 'The server refuses the sign-in: server unavailable (0x88)'],
    ['does not accept the password', connack(4), asAnn, 'The server does not accept the user or the password'],
    ['wants a user', connack(5), {}, 'The server wants a user: set check_options.username and password'],
    ['is busy', connack(0x89), five, 'The server refuses the sign-in: server busy (0x89)'],
    ['refuses without a reason that is known', connack(0xf0), five, 'The server refuses the sign-in: code 0xf0'],
    [
      'ends the connection',
      { ...connack(0), 8: mqttPacket(14, 0, [0x8b]) },
      { ...five, topic: 'own' },
      'The server ends the connection: server shutting down (0x8b)',
    ],
    [
      'refuses a subscription with a reason',
      { 8: mqttPacket(9, 0, [0, 1, 0, 0x87]) },
      { ...five, topic: 'own' },
      'The server refuses the subscription to the topic: not authorized (0x87)',
    ],
    [
      'refuses a message with a reason',
      { 3: mqttPacket(4, 0, [0, 2, 0x97, 0]), 8: mqttPacket(9, 0, [0, 1, 0, 1]) },
      { ...five, topic: 'own', qos: 1 },
      'The server refuses the message: quota exceeded (0x97)',
    ],
    ['is a web server', { 1: Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n') }, {}, notMqtt],
    ['has a length without an end', { 1: Buffer.from([0x20, 0xff, 0xff, 0xff, 0xff]) }, {}, notMqtt],
    ['answers with half of a packet', { 1: mqttPacket(2, 0, [0]) }, {}, notMqtt],
    ['sends a topic that does not end', { 8: mqttPacket(3, 0, [0, 99], 'state') }, { watched_topic: 'state' }, notMqtt],
    ['sends no code', { 8: mqttPacket(9, 0, [0, 1]) }, { topic: 'own' }, notMqtt],
    ['answers with another packet', { 8: mqttPacket(13, 0) }, { topic: 'own' }, notMqtt],
    ['answers a message with another packet', { 3: mqttPacket(13, 0) }, { topic: 'own' }, notMqtt],
  ]
  for (const [name, answers, options, error] of cases)
    it(name, async () => assert.deepEqual(short(await differing(answers, options)), ['down', error]))

  it('closes, says nothing, or is not there', async () => {
    const closing = await rawServer((socket) => void socket.once('data', () => socket.end()))
    assert.equal(
      (await check({}, `mqtt://127.0.0.1:${closing.port}`)).error,
      `127.0.0.1:${closing.port} closed the connection instead of sending the answer to the sign-in`,
    )
    const silent = await rawServer(() => {})
    assert.equal(
      (await check({}, `mqtt://127.0.0.1:${silent.port}`, 200)).error,
      'Timed out after 200 ms while waiting for the answer to the sign-in',
    )
    const port = await freePort()
    assert.equal((await check({}, `mqtt://127.0.0.1:${port}`)).error, `Connection refused by 127.0.0.1:${port}`)
  })
})

describe('the options and addresses of a broker of MQTT', () => {
  const wildcards = 'Must be one topic, without the wildcards + and #.'
  const cases: [name: string, options: Options, field: string, message: string][] = [
    ['a password without a user', { password: 'a' }, 'password', 'Needs a username.'],
    ['a quality without a topic', { qos: 1 }, 'qos', 'Needs a topic.'],
    ['a text without a topic', { expected_message: 'a' }, 'expected_message', 'Needs a watched_topic.'],
    ['a pattern without a topic', { message_pattern: 'a' }, 'message_pattern', 'Needs a watched_topic.'],
    ['several topics', { topic: 'a/+' }, 'topic', wildcards],
    ['all topics', { watched_topic: '#' }, 'watched_topic', wildcards],
    [
      'a topic of the server',
      { topic: '$SYS/a' },
      'topic',
      'Must not begin with $: such topics are for the server alone.',
    ],
    ['one topic twice', { topic: 'a', watched_topic: 'a' }, 'watched_topic', 'Must be another one than topic.'],
  ]
  for (const [name, options, field, message] of cases)
    it(`refuse ${name}`, () => {
      const issues = mqtt.options.safeParse(options).error?.issues ?? []
      assert.deepEqual(
        issues.map((issue) => [issue.path.join('.'), issue.message]),
        [[field, message]],
      )
    })

  it('have a host, with or without a port, and nothing after it', () => {
    assert.deepEqual([problem('mqtt://10.0.0.7/'), problem('mqtts://broker.example.com:8884')], [null, null])
    const rest = 'Must have nothing after the port: everything else goes to check_options.'
    assert.deepEqual([problem('mqtt://10.0.0.7/topic'), problem('mqtt://10.0.0.7?a')], [rest, rest])
    assert.match(String(problem('ws://10.0.0.7')), /^Must begin with mqtt:\/\/ or mqtts:\/\/, such as/)
  })
})
